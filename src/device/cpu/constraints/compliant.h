/// The linear system of constraints with compliance on the CPU path (theory.md section 10): row compliant_direction of the device table.
#ifndef DEVICE_CPU_CONSTRAINTS_COMPLIANT_H
#define DEVICE_CPU_CONSTRAINTS_COMPLIANT_H

#include "device/cpu/constraints/constraint_term.h"

/// After cpu_newton_create. device->constraints is NULL with another solver.
VelaResult cpu_constraints_create(CpuDevice *device, Arena *arena);
void cpu_constraints_destroy(CpuDevice *device);
size_t cpu_constraints_memory(const Model *model);
VelaResult cpu_compliant_direction(Device *device, const CompliantSettings *settings,
                                   CompliantReport *report);
size_t cpu_constraints_state_size(const CpuDevice *device);
void cpu_constraints_state_read(const CpuDevice *device, double *values);
void cpu_constraints_state_write(CpuDevice *device, const double *values);

#endif
