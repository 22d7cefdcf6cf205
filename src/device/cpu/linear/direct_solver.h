/// Newton's linear system by a sparse factor (CHOLMOD), for matrices where that costs less than conjugate gradients: long thin
/// bodies have hardly any fill, and need hundreds of iterations.
#ifndef DEVICE_CPU_LINEAR_DIRECT_SOLVER_H
#define DEVICE_CPU_LINEAR_DIRECT_SOLVER_H

#include "device/cpu/linear/block_matrix.h"

typedef struct DirectSolver DirectSolver;

/// `solver` is NULL where it would never pay, judging by the matrix's fixed pattern, and in builds without CHOLMOD. The matrix must
/// outlive it.
VelaResult direct_solver_create(VelaContext *context, const BlockMatrix *matrix, DirectSolver **solver);
/// Bytes of one for a matrix of so many rows, but for CHOLMOD's own.
size_t direct_solver_memory(int32_t rows);
/// So many iterations of conjugate gradients take as long as a factor of the fixed pattern; known from its entries alone, never
/// measured, so that results do not depend on the machine.
int32_t direct_solver_worth(const DirectSolver *solver);
/// Reads and orders the matrix as it is, changing blocks included. False where a factor of it is worth more than DIRECT_WORTH_MOST iterations,
/// or has no room.
bool direct_solver_analyse(DirectSolver *solver);
/// Solves for `right` (row_count x 3) with the matrix that direct_solver_analyse has read. False where the matrix is not positive definite: then
/// `solution` is not set.
bool direct_solver_solve(DirectSolver *solver, const double *right, double *solution);
/// NULL is allowed.
void direct_solver_destroy(DirectSolver *solver);

#endif
