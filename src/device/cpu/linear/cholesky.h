/// The factor L D L^T of a sparse symmetric positive definite matrix, row by row along the elimination tree (T. A. Davis, "Algorithm 849: a
/// concise sparse Cholesky factorization package", 2005), up to four rows at a time. Subtrees are factored side by side; results do not depend
/// on the number of threads.
#ifndef DEVICE_CPU_LINEAR_CHOLESKY_H
#define DEVICE_CPU_LINEAR_CHOLESKY_H

#include "device/cpu/kernels.h"

/// A symmetric matrix by full rows: entries start[i] to start[i + 1] - 1 of row i, each column once, the diagonal among them.
typedef struct SymmetricRows {
    int32_t count;
    int64_t *start; ///< count + 1
    int32_t *columns;
    double *values;
} SymmetricRows;

/// Where the factor of a matrix has entries; of its pattern alone.
typedef struct CholeskyPlan {
    int32_t count;
    int32_t *order, *places; ///< the unknown that stands at a place, and back
    int32_t *
        parent; ///< of a place in the elimination tree, -1: a root; subtrees are ranges of places that end with their root
    int64_t *start; ///< count + 1: entries of a column below the diagonal
} CholeskyPlan;

/// What is under way in a factorisation. A range of places uses its own part of all arrays.
typedef struct Cholesky {
    const CholeskyPlan *plan;
    const SymmetricRows *matrix;
    Factor *factor;        ///< its x: the rows under way, 0 in between
    int64_t *next;         ///< of a column: behind its last entry so far
    uint8_t *rows_with;    ///< of a column: which of the rows under way have an entry there, one bit each
    int32_t *path, *stack; ///< places
} Cholesky;

/// Fills as few entries as `order` does, a permutation of the unknowns (unknown at each place), whose places may be renumbered. Owned by the
/// arena.
VelaResult cholesky_plan(const SymmetricRows *matrix, const int32_t *order, Arena *arena, CholeskyPlan *plan);
/// Factors a matrix with the pattern of the plan. VELA_ERROR_NOT_CONVERGED where it is not positive definite or not finite. Free with
/// factor_destroy.
VelaResult cholesky_factor(VelaContext *context, const CholeskyPlan *plan, const SymmetricRows *matrix,
                           const Kernels *kernels, int threads, Factor **factor);

#endif
