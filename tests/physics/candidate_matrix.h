/// Gradient (N) and Hessian (N/m, row-major) of a candidate within its range, from what the CPU path makes of it.
#ifndef TESTS_CANDIDATE_MATRIX_H
#define TESTS_CANDIDATE_MATRIX_H

#include "pair_matrix.h"

#include "device/cpu/contact/candidate_terms.h"

static inline void candidate_matrix(const Candidate *candidate, const double x[12], bool project,
                                    double gradient[12], double hessian[144])
{
    SharedStiffness shared;
    TurningStiffness turning;
    PairBarrierState state;
    double pull[3];
    const ClosestPoints closest = closest_points(x, candidate_pair(candidate));
    const PairForm form = candidate_hessian(candidate, x, &closest, project, pull, &shared, &turning, &state);
    if (form == PAIR_WHOLE) {
        pair_barrier_state_gradient(&candidate->barrier, x, &state, gradient);
        parallel_matrix(&candidate->barrier, x, &state, project, hessian);
        return;
    }
    pair_matrix(&shared, form == PAIR_TURNING ? &turning : NULL, hessian);
    for (int i = 0; i < 12; ++i)
        gradient[i] = shared.weights[i / 3] * pull[i % 3];
}

#endif
