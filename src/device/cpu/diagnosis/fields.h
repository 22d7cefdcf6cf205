/// Stretch and energy density of the elements on the CPU path.
#ifndef DEVICE_CPU_DIAGNOSIS_FIELDS_H
#define DEVICE_CPU_DIAGNOSIS_FIELDS_H

#include "device/cpu/cpu_device.h"

VelaResult cpu_fields(Device *device, Slot position, float *stretch, float *densities);

#endif
