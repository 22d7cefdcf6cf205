/// Newton's linear system by a sparse factor, for matrices where that costs less than conjugate gradients: long and thin bodies have little
/// fill, and need hundreds of iterations.
#ifndef DEVICE_CPU_LINEAR_DIRECT_SOLVER_H
#define DEVICE_CPU_LINEAR_DIRECT_SOLVER_H

#include "device/cpu/kernels.h"

typedef struct DirectSolver DirectSolver;

/// `solver` is NULL where it would never pay, judging by the matrix's fixed pattern. The matrix must outlive it.
VelaResult direct_solver_create(VelaContext *context, const Kernels *kernels, const BlockMatrix *matrix,
                                int threads, DirectSolver **solver);
/// Bytes of one for a matrix of so many rows and blocks: its graph and order, without a factor, which is made when it is needed.
size_t direct_solver_memory(int32_t rows, size_t blocks);
/// So many iterations of conjugate gradients take as long as a factor of the fixed pattern; known from its entries alone, never measured, so
/// that results do not depend on the machine.
double direct_solver_worth(const DirectSolver *solver);
/// To prepare conjugate gradients takes as long as so many of their iterations.
double direct_solver_preparation(const DirectSolver *solver);
/// Preparation and as many iterations as hardly any solve of such bodies goes below.
double direct_solver_least(const DirectSolver *solver);
/// Reads the matrix's pattern as it is, changing blocks included, and orders it. Returns as many iterations as ordering and a factor take;
/// infinity where these are more than `most`, or than are ever tried, or a factor has no room.
double direct_solver_analyse(DirectSolver *solver, double most);
/// Solves for `right` (row_count x 3) with a matrix of the pattern that direct_solver_analyse has read. False where it is not positive definite:
/// then `solution` is not set.
bool direct_solver_solve(DirectSolver *solver, const double *right, double *solution);
/// NULL is allowed.
void direct_solver_destroy(DirectSolver *solver);

#endif
