/// Newton's method on the CPU path: rows of the device table (device/device.h).
#ifndef DEVICE_CPU_NEWTON_NEWTON_H
#define DEVICE_CPU_NEWTON_NEWTON_H

#include "device/cpu/cpu_device.h"

VelaResult cpu_newton_create(CpuDevice *device, Arena *arena);
void cpu_newton_destroy(CpuDevice *device);
/// Gradient and matrix at the stage's iterate, of all terms.
VelaResult cpu_newton_assemble(CpuDevice *device, bool project);
/// y = H x over the free rows, by place.
void cpu_newton_multiply(const CpuDevice *device, const double *x, double *y);
/// linear.residual = -(gradient + H d) of the free nodes, d being the way of the fixed ones alone; the solution gets d there, and 0
/// elsewhere.
void cpu_newton_right(CpuDevice *device, NewtonDirection *direction);
/// The solution as the direction, its size and slope.
void cpu_newton_keep(CpuDevice *device, NewtonDirection *direction);

/// What is known of the last stage's linear solves is forgotten.
void cpu_newton_begin_stage(CpuDevice *device);
VelaResult cpu_newton_direction(Device *device, const NewtonSettings *settings, NewtonDirection *direction);
VelaResult cpu_newton_way(Device *device, double part, bool turned);
VelaResult cpu_newton_trials(Device *device, int32_t halvings, NewtonTrials *trials);
VelaResult cpu_newton_accept(Device *device, double step);
size_t cpu_newton_memory(const Model *model);

#endif
