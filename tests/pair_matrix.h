/// Hessians of contact pairs and of friction as 12x12 matrices, row-major, from what the program makes of them.
#ifndef TESTS_PAIR_MATRIX_H
#define TESTS_PAIR_MATRIX_H

#include "physics/contact/friction.h"
#include "physics/contact/pair_barrier.h"
#include "physics/contact/parallel_pair.h"

/// Puts a block where it belongs and its transpose, as rows of contact's matrix are summed; of one on the diagonal the mean of both.
static inline void pair_matrix_put(const double block[9], int i, int l, double hessian[144])
{
    for (int b = 0; b < 3; ++b)
        for (int a = 0; a < 3; ++a) {
            const double value = i == l ? 0.5 * (block[3 * b + a] + block[3 * a + b]) : block[3 * b + a];
            hessian[12 * (3 * i + a) + 3 * l + b] = hessian[12 * (3 * l + b) + 3 * i + a] = value;
        }
}

/// `turning` may be NULL.
static inline void pair_matrix(const SharedStiffness *shared, const TurningStiffness *turning,
                               double hessian[144])
{
    const double *normal = turning ? turning->normal : NULL;
    PairEnd ends[4];
    double common[9];
    for (int i = 0; i < 4; ++i)
        ends[i] = (PairEnd){shared->weights[i], turning ? turning->sides[i] : NULL};
    for (int i = 0; i < 4; ++i) {
        pair_row_common(shared, normal, ends[i], common);
        for (int l = i; l < 4; ++l) {
            double block[9] = {0};
            pair_row_add(common, normal, turning ? turning->along[4 * i + l] : 0, ends[i].weight, ends[l],
                         block);
            pair_matrix_put(block, i, l, hessian);
        }
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
    for (int i = 0; i < 4; ++i) {
        double row[3][9] = {{0}};
        parallel_row_add((const double(*)[9])values[3], i, 1, row);
        for (int l = i; l < 4; ++l) {
            double block[9] = {0};
            parallel_block_add((const double(*)[9])row, l, 1, block);
            pair_matrix_put(block, i, l, hessian);
        }
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
