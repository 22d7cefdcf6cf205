/// Solving with a sparse factor (factor.h), by the kernels of this machine.
#ifndef DEVICE_CPU_LINEAR_FACTOR_SOLVE_H
#define DEVICE_CPU_LINEAR_FACTOR_SOLVE_H

#include "device/cpu/kernels.h"

/// Solves in place: right[4 i + r] for `rhs` (1 to 4) right-hand sides r of unknown i.
void factor_solve(Factor *factor, const Kernels *kernels, int threads, int rhs, double *right);

#endif
