/// The largest safe part of a motion under barrier contact.
#ifndef DEVICE_CPU_CONTACT_FILTER_H
#define DEVICE_CPU_CONTACT_FILTER_H

#include "device/cpu/cpu_device.h"

/// Of the motion d from x (node_count x 3). Its candidates are kept for the next linearization.
VelaResult cpu_contact_filter(CpuDevice *device, const double *x, const double *d, double *safe);

#endif
