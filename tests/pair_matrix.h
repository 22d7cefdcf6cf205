/// Hessians of contact pairs and of friction as 12x12 matrices, row-major, from what the program makes of them.
#ifndef TESTS_PAIR_MATRIX_H
#define TESTS_PAIR_MATRIX_H

#include "physics/contact/friction.h"
#include "physics/contact/pair_barrier.h"
#include "physics/contact/parallel_pair.h"

/// `turning` may be NULL.
static inline void pair_matrix(const SharedStiffness *shared, const TurningStiffness *turning,
                               double hessian[144])
{
    for (int i = 0; i < 4; ++i)
        for (int l = 0; l < 4; ++l) {
            double block[9] = {0};
            shared_stiffness_add(shared, shared->weights[i] * shared->weights[l], block);
            if (turning)
                turning_stiffness_add(turning->normal, turning->along[4 * i + l],
                                      (PairEnd){shared->weights[i], turning->sides[i]},
                                      (PairEnd){shared->weights[l], turning->sides[l]}, block);
            for (int entry = 0; entry < 9; ++entry)
                hessian[12 * (3 * i + entry % 3) + 3 * l + entry / 3] = block[entry];
        }
}

/// Of nearly parallel edges in that state at x.
static inline void parallel_matrix(const PairBarrier *pair, const double x[12], const PairBarrierState *state,
                                   bool project, double hessian[144])
{
    ParallelPairs pairs;
    double values[LANE_COUNT][PARALLEL_BLOCKS][9], (*hessians[LANE_COUNT])[PARALLEL_BLOCKS][9];
    for (int lane = 0; lane < LANE_COUNT; ++lane) {
        hessians[lane] = &values[lane];
        parallel_pairs_clear(lane, &pairs);
    }
    parallel_pairs_set(pair, x, state, 3, &pairs);
    parallel_hessians(&pairs, project, hessians);
    for (int i = 0; i < 4; ++i)
        for (int l = 0; l < 4; ++l) {
            double block[9] = {0};
            parallel_hessian_add((const double(*)[9])values[3], i, l, 1, block);
            for (int entry = 0; entry < 9; ++entry)
                hessian[12 * (3 * i + entry % 3) + 3 * l + entry / 3] = block[entry];
        }
}

/// Gradient and Hessian of the barrier's energy. False, with nothing written, beyond its range.
static inline bool barrier_matrix(const PairBarrier *pair, const double x[12], PairKind kind, bool project,
                                  double gradient[12], double hessian[144])
{
    PairBarrierState state;
    if (!pair_barrier_state(pair, x, kind, &state))
        return false;
    pair_barrier_state_gradient(pair, x, &state, gradient);
    if (state.nearly_parallel) {
        parallel_matrix(pair, x, &state, project, hessian);
        return true;
    }
    SharedStiffness shared;
    TurningStiffness turning;
    pair_turning_hessian(x, kind, &state, project, &shared, &turning);
    pair_matrix(&shared, &turning, hessian);
    return true;
}

/// Gradient and matrix of friction.
static inline void friction_matrix(const FrictionContact *contact, const FrictionLaw *law, const double x[12],
                                   const double base[12], double gradient[12], double hessian[144])
{
    SharedStiffness shared;
    double pull[3];
    memcpy(shared.weights, contact->weights, sizeof shared.weights);
    friction_hessian(contact, law, x, base, pull, shared.block);
    pair_matrix(&shared, NULL, hessian);
    for (int i = 0; i < 12; ++i)
        gradient[i] = contact->weights[i / 3] * pull[i % 3];
}

#endif
