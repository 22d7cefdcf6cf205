/// Constraints as a term on the CPU path (theory.md section 10): their forces by the multipliers of the last system, energy and error, and
/// geometric stiffness.
#ifndef DEVICE_CPU_CONSTRAINTS_CONSTRAINT_TERM_H
#define DEVICE_CPU_CONSTRAINTS_CONSTRAINT_TERM_H

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

#endif
