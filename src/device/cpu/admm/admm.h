/// ADMM on the CPU path: rows of the device table (device/device.h).
#ifndef DEVICE_CPU_ADMM_ADMM_H
#define DEVICE_CPU_ADMM_ADMM_H

#include "device/cpu/cpu_device.h"

VelaResult cpu_admm_create(CpuDevice *device, Arena *arena);
size_t cpu_admm_memory(const Model *model);
VelaResult cpu_admm_begin(Device *device, const AdmmSettings *settings);
VelaResult cpu_admm_iterate(Device *device, int32_t count, AdmmReport *report);
VelaResult cpu_admm_scale_penalty(Device *device, double factor);
VelaResult cpu_stage_acceleration(Device *device, Slot destination);
size_t cpu_solver_state_size(const Device *device);
VelaResult cpu_solver_state_read(Device *device, double *values);
VelaResult cpu_solver_state_write(Device *device, const double *values);

#endif
