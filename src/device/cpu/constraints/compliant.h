/// The linear system of constraints with compliance on the CPU path (theory.md section 10): row compliant_direction of the device table,
/// and the term that forces, diagnosis and geometric stiffness come from.
#ifndef DEVICE_CPU_CONSTRAINTS_COMPLIANT_H
#define DEVICE_CPU_CONSTRAINTS_COMPLIANT_H

#include "device/cpu/constraints/minres.h"
#include "device/cpu/constraints/rows.h"
#include "device/cpu/constraints/saddle_factor.h"
#include "device/cpu/cpu_device.h"
#include "device/cpu/terms/term.h"

typedef struct CpuConstraints {
    ConstraintRows rows;
    SaddleFactor *factor;         ///< NULL with MINRES
    Minres *minres;               ///< NULL with a factor
    double *right;                ///< r by place, free nodes x 3
    double *d, *lambda;           ///< the solution
    double *rest_d, *rest_lambda; ///< what it lacks
    GeometricStiffness stiffness; ///< of the system under way
} CpuConstraints;

extern const CpuTerm cpu_constraints_term;

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
