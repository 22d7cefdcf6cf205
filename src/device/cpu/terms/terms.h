/// The terms of a model on the CPU path, in the order in which they are summed.
#ifndef DEVICE_CPU_TERMS_TERMS_H
#define DEVICE_CPU_TERMS_TERMS_H

#include "device/cpu/terms/term.h"

enum { CPU_TERMS_MOST = 10 };

/// Those that the device's model has; returns their number.
int cpu_terms(const CpuDevice *device, const CpuTerm *terms[CPU_TERMS_MOST]);

#endif
