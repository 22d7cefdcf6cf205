/// The global step of ADMM on the CPU path: solves A delta = b with
///     A = M/a^2 + diagonal + coupling + sum_e rho_e D_e^T D_e + sum_penalty W (surface nodes)
/// over the free nodes; the other rows of delta stay 0. W, of the split of penalty contact (terms/penalty_split.h): w n n^T of a plane, with
/// friction m/a^2 (1 - n n^T) besides, w of a sphere, w being plane_penalty_weight. By a factor that is kept for every (a, penalty, planes) in use.
#ifndef DEVICE_CPU_ADMM_GLOBAL_H
#define DEVICE_CPU_ADMM_GLOBAL_H

#include "model/model.h"

/// What makes one matrix different from another.
typedef struct GlobalKey {
    double a;             ///< effective step, s
    double penalty_scale; ///< factor on every rho
    int64_t weights;      ///< which rho, of those that change from stage to stage
} GlobalKey;

/// What A is made of, kept by reference.
typedef struct GlobalWeights {
    const double *penalties; ///< rho of every element (model order) at penalty scale 1
    const double *diagonal;  ///< N/m a node, or NULL
    const double *coupling;  ///< N/m, as the rows of the model's node graph, or NULL
} GlobalWeights;

typedef struct GlobalStep GlobalStep;

/// `threads`: of OpenMP.
VelaResult global_create(VelaContext *context, const Model *model, const GlobalWeights *weights, int threads,
                         GlobalStep **global);
void global_destroy(GlobalStep *global);
/// Makes the matrix of `key` with the planes of `shapes` current; factors it unless it is at hand.
VelaResult global_prepare(GlobalStep *global, const GlobalKey *key, const PenaltyShape *shapes);
/// Solves for `delta` (node_count x 3).
void global_solve(GlobalStep *global, const double *right, double *delta);
/// Bytes of the factors at hand.
size_t global_factor_bytes(const GlobalStep *global);

#endif
