/// A linear system of a few rows of a large matrix: those of a patch move, all others stand still.
#ifndef DEVICE_CPU_LINEAR_PATCH_SOLVER_H
#define DEVICE_CPU_LINEAR_PATCH_SOLVER_H

#include "device/cpu/linear/conjugate_gradients.h"

typedef struct PatchSolver PatchSolver;

/// For patches of `most` rows at most. `whole` must outlive it; blocks on the diagonal of P are inverted as `kind` says, without a coarse space: what
/// stands still around a patch leaves it no slow motions. `threads`: of OpenMP.
VelaResult patch_solver_create(VelaContext *context, Preconditioner kind, const Kernels *kernels,
                               const BlockMatrix *whole, int32_t most, int threads, PatchSolver **solver);
/// From now on for these `count` rows, ascending; of the first coupled_count rows all four of a body or none.
void patch_solver_set(PatchSolver *solver, int32_t count, const int32_t *rows);
/// Of every column of `whole`: its row in the patch; -1: none.
const int32_t *patch_solver_index(const PatchSolver *solver);
/// Solves with the blocks between rows of the patch for these rows of `solution`; all others become 0. `right` and `solution` are column_count x 3
/// of `whole`. As conjugate_gradients otherwise.
VelaResult patch_solver_solve(PatchSolver *solver, const NewtonSettings *settings, const double *right,
                              double *solution, LinearReport *report);
/// Bytes of one for a matrix of so many columns, whose first `coupled` rows are those of bodies; its blocks grow as needed.
size_t patch_solver_memory(int32_t columns, int32_t coupled, int32_t most);
/// NULL is allowed.
void patch_solver_destroy(PatchSolver *solver);

#endif
