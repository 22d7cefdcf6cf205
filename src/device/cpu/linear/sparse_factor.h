/// The Cholesky factor L L^T of a sparse matrix of 3x3 blocks, multifrontal: unknowns are eliminated in small dense fronts, each of which leaves its
/// parent a dense part. Results do not depend on the number of threads.
#ifndef DEVICE_CPU_LINEAR_SPARSE_FACTOR_H
#define DEVICE_CPU_LINEAR_SPARSE_FACTOR_H

#include "base/team.h"
#include "device/cpu/linear/block_matrix.h"
#include "device/cpu/linear/elimination.h"

/// What there is room for, in elements.
enum {
    FACTOR_PANELS,
    FACTOR_RESTS,
    FACTOR_CARRIES,
    FACTOR_ROWS,
    FACTOR_TOP,
    FACTOR_RUNNERS,
    FACTOR_VALUES,
    FACTOR_DENSE,
    FACTOR_ROOMS
};

/// Which thread should have a subtree, which has it, and whether one does.
typedef struct SubtreeRunner {
    int home;
    atomic_int thread;
    atomic_bool is_taken;
} SubtreeRunner;

/// A front of the top: what it waits for, which thread had it, and whether its solution is known.
typedef struct TopFront {
    atomic_int missing; ///< children that are not done
    atomic_int thread;
    atomic_bool is_solved;
} TopFront;

typedef struct SparseFactor {
    const FrontKernels *kernels;
    int threads;
    Team team; ///< of a region
    Elimination *elimination;
    Arena arena;
    double *panels, *rests, *carries; ///< as in Elimination
    size_t room[FACTOR_ROOMS];
    int32_t *rows;          ///< for each thread, of every place: its dense row in the front under way
    double *dense;          ///< for each thread: unknowns of a front
    TopFront *top;          ///< of all fronts, but used of the top's alone
    SubtreeRunner *runners; ///< of the subtrees
    atomic_int bad;         ///< fronts that were not positive definite
    double *values;         ///< of all places, 3 each: the solution
} SparseFactor;

SparseFactor sparse_factor_make(VelaContext *context, const FrontKernels *kernels, int threads);
/// Makes room for an elimination, which has to stay where it is.
VelaResult sparse_factor_set(SparseFactor *factor, Elimination *elimination);
/// Factors a matrix, changing blocks included, whose blocks between free nodes are all in the elimination's graph, and solves for `right`, 3 x nodes in
/// the matrix's order. False where it is not positive definite: then `solution`, which may be `right`, is not set.
bool sparse_factor_solve(SparseFactor *factor, const BlockMatrix *matrix, const double *right,
                         double *solution);
void sparse_factor_clear(SparseFactor *factor);

#endif
