/// What the copies for damping carry from step to step: of one after the other its level and duration, then images and projections as they
/// are packed.
#ifndef DEVICE_CPU_ADMM_DAMPING_STATE_H
#define DEVICE_CPU_ADMM_DAMPING_STATE_H

#include "device/cpu/cpu_device.h"

/// Numbers in all, and reading and writing them.
size_t admm_damping_state_size(const CpuDevice *device);
void admm_damping_state_read(const CpuDevice *device, double *values);
void admm_damping_state_write(CpuDevice *device, const double *values);

#endif
