/// A sparse factor L D L^T of the symmetric indefinite system of constraints (theory.md section 10)
///
///     [ A  -J^T ] [ d      ]   [ r ]
///     [ -J -C   ] [ lambda ] = [ s ]
///
/// multifrontal, over the sets of a nested dissection. A constraint is eliminated behind all its nodes, so that pivots never vanish while
/// A is positive definite and constraints do not depend on one another; those that do are found there and left out.
#ifndef DEVICE_CPU_CONSTRAINTS_SADDLE_FACTOR_H
#define DEVICE_CPU_CONSTRAINTS_SADDLE_FACTOR_H

#include "device/cpu/constraints/rows.h"

typedef struct SaddleFactor SaddleFactor;

/// For a matrix and constraints whose patterns do not change; both must outlive it.
VelaResult saddle_factor_create(VelaContext *context, const BlockMatrix *matrix, const ConstraintRows *rows,
                                SaddleFactor **factor);
/// Factors both as they are. Inactive constraints have the multiplier 0. Returns how many rows depend on others, -1 where A is singular
/// to rounding or not finite.
int32_t saddle_factor_compute(SaddleFactor *factor);
/// Whether a row of a constraint was found to depend on others in the last factor: its multiplier is 0.
bool saddle_factor_left_out(const SaddleFactor *factor, int32_t constraint, int32_t row);
/// Solves in place: d (3 a free node, by place) and lambda hold r and s before.
void saddle_factor_solve(SaddleFactor *factor, double *d, double *lambda);
/// Numbers of L.
int64_t saddle_factor_entries(const SaddleFactor *factor);
/// NULL is allowed.
void saddle_factor_destroy(SaddleFactor *factor);

#endif
