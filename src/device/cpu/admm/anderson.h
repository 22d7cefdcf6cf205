/// Anderson acceleration of ADMM on the CPU path.
#ifndef DEVICE_CPU_ADMM_ANDERSON_H
#define DEVICE_CPU_ADMM_ANDERSON_H

#include "device/cpu/cpu_device.h"

/// Takes the sums of an iteration and sets how the next state is mixed.
void cpu_anderson_update(CpuDevice *device, const ResidualSums *sums);

#endif
