/// Barrier energy of one contact pair (theory.md section 8): E = kappa w e b(d - xi) as a function of the 12 coordinates of
/// a point and a triangle or of two edges, in the order of geometry/closest_points.h. d is the distance, e the mollifier of
/// nearly parallel edges, 1 elsewhere.
///
/// Newton's method takes the true Hessian or, where asked to project, a positive semidefinite matrix near it: the one that Vulkan has, but
/// of nearly parallel edges the nearest (parallel_pair.h).
#ifndef PHYSICS_CONTACT_PAIR_BARRIER_H
#define PHYSICS_CONTACT_PAIR_BARRIER_H

#include "abi/pair_hessian.h"
#include "geometry/distance.h"
#include "geometry/mollifier.h"
#include "physics/contact/barrier.h"
#include "physics/contact/pair_hessian.h"

typedef struct PairBarrier {
    double stiffness;          ///< kappa w, J: kappa (N/m) times the area weight of the pair (m^2); > 0
    double range;              ///< gap d - xi at which the barrier begins, m; > 0
    double separation;         ///< xi: the least distance, m; >= 0
    double parallel_threshold; ///< mollifier_threshold(), m^4; 0: no mollifier (a point and a triangle)
} PairBarrier;

/// Whether the mollifier of two edges is below 1.
static inline bool pair_is_parallel(const PairBarrier *pair, const double x[12])
{
    return pair->parallel_threshold > 0 && edges_cross_sq(x) < pair->parallel_threshold;
}

/// Energy in J, 0 beyond the range. Infinity where the distance is not above the separation, or coordinates are not
/// finite.
static inline double pair_barrier_energy(const PairBarrier *pair, const double x[12], PairKind kind)
{
    const ClosestPoints closest = closest_points(x, kind);
    const double b =
        closest.active == 0 ? INFINITY : barrier(sqrt(closest.distance_sq) - pair->separation, pair->range);
    if (b == 0 || b == INFINITY)
        return b;
    return pair->stiffness * b * (pair->parallel_threshold > 0 ? mollifier(x, pair->parallel_threshold) : 1);
}

/// What gradient, Hessian and force of an active pair start from.
typedef struct PairBarrierState {
    ClosestPoints closest;
    double distance;      ///< m
    double energy;        ///< kappa w b, J; this and the next two without the mollifier
    double slope;         ///< kappa w b', N; <= 0
    double curvature;     ///< kappa w b'', N/m; >= 0
    bool nearly_parallel; ///< whether the mollifier is below 1
} PairBarrierState;

/// False beyond the range. The distance has to be above the separation.
static inline bool pair_barrier_state_of(const PairBarrier *pair, const double x[12],
                                         const ClosestPoints *closest, PairBarrierState *state)
{
    state->closest = *closest;
    state->distance = sqrt(state->closest.distance_sq);
    const double gap = state->distance - pair->separation;
    if (gap >= pair->range)
        return false;
    state->energy = pair->stiffness * barrier(gap, pair->range);
    state->slope = pair->stiffness * barrier_slope(gap, pair->range);
    state->curvature = pair->stiffness * barrier_curvature(gap, pair->range);
    state->nearly_parallel = pair_is_parallel(pair, x);
    return true;
}

static inline bool pair_barrier_state(const PairBarrier *pair, const double x[12], PairKind kind,
                                      PairBarrierState *state)
{
    const ClosestPoints closest = closest_points(x, kind);
    return pair_barrier_state_of(pair, x, &closest, state);
}

/// grad (e B) = e B' grad d + B grad e, with B = kappa w b; N.
static inline void pair_barrier_state_gradient(const PairBarrier *pair, const double x[12],
                                               const PairBarrierState *state, double gradient[12])
{
    distance_gradient(&state->closest, gradient);
    for (int i = 0; i < 12; ++i)
        gradient[i] *= state->slope;
    if (!state->nearly_parallel)
        return;
    const double e = mollifier(x, pair->parallel_threshold);
    double change[12];
    mollifier_gradient(x, pair->parallel_threshold, change);
    for (int i = 0; i < 12; ++i)
        gradient[i] = e * gradient[i] + state->energy * change[i];
}

/// Gradient of the energy, N. False, with nothing written, where the pair is beyond its range: the gradient is 0. The
/// distance has to be above the separation (the energy finite).
static inline bool pair_barrier_gradient(const PairBarrier *pair, const double x[12], PairKind kind,
                                         double gradient[12])
{
    PairBarrierState state;
    if (!pair_barrier_state(pair, x, kind, &state))
        return false;
    pair_barrier_state_gradient(pair, x, &state, gradient);
    return true;
}

/// Normal force lambda = -kappa w e b' >= 0, N, as friction takes it, and where it acts: along r/|r| (r in m, from the
/// second primitive to the first), on vertex i with weights[i]. 0, with nothing written, beyond the range.
static inline double pair_barrier_force(const PairBarrier *pair, const double x[12], PairKind kind,
                                        double weights[4], double r[3])
{
    PairBarrierState state;
    if (!pair_barrier_state(pair, x, kind, &state))
        return 0;
    memcpy(weights, state.closest.weights, sizeof state.closest.weights);
    memcpy(r, state.closest.r, sizeof state.closest.r);
    return -state.slope * (state.nearly_parallel ? mollifier(x, pair->parallel_threshold) : 1);
}

// ---------------------------------------------------------------- Hessian of edges that are not nearly parallel, and of faces
/// The free directions made orthonormal, and how the weights w of the closest points change along them.
typedef struct PairTurns {
    int count;
    double t[2][3]; ///< perpendicular to each other and to the normal
    double v[2][4]; ///< dw along t_k, 1/m
} PairTurns;

static inline PairTurns pair_turns(const double x[12], PairKind kind, int active)
{
    const FreeDirections directions = free_directions(x, kind, active);
    PairTurns turns = {.count = directions.count};
    if (turns.count == 0)
        return turns;
    const double *r0 = directions.r[0], *r1 = directions.r[1], length = norm3(r0);
    for (int j = 0; j < turns.count; ++j) {
        const double sign = vertex_sign(kind, directions.gains[j]);
        turns.v[j][directions.gains[j]] = sign;
        turns.v[j][directions.loses[j]] = -sign;
    }
    for (int axis = 0; axis < 3; ++axis)
        turns.t[0][axis] = r0[axis] / length;
    if (turns.count == 2) {
        // Along r_1 less its part along r_0, of which the cross product keeps digits where they are nearly parallel.
        double normal[3];
        cross3(r0, r1, normal);
        const double along = dot3(r0, r1) / (length * length), across = norm3(normal) / length;
        cross3(normal, turns.t[0], turns.t[1]);
        normalize3(turns.t[1]);
        for (int i = 0; i < 4; ++i)
            turns.v[1][i] = (turns.v[1][i] - along * turns.v[0][i]) / across;
    }
    for (int i = 0; i < 4; ++i)
        turns.v[0][i] /= length;
    return turns;
}

/// Hessian of an active pair whose edges are not nearly parallel. With the bends c_k = w (x) t_k + d v_k (x) n of geometry/distance.h,
/// d hess d = w w^T (x) (I - n n^T) - sum_k c_k c_k^T, so that
/// B' hess d = -B' sum_k (d v_k v_k^T (x) n n^T + (v_k (x) n)(w (x) t_k)^T + its transpose), and B'/d w w^T (x) (I - n n^T - sum_k t_k t_k^T).
///
/// If `project`, what couples v_k (x) n and w (x) t_k is replaced by its positive part, for each k by itself and times
/// PAIR_TURNING_PART, and the rest of B' hess d, which is small or negative, is left out.
static inline void pair_turning_hessian(const double x[12], PairKind kind, const PairBarrierState *state,
                                        bool project, SharedStiffness *shared, TurningStiffness *turning)
{
    const PairTurns turns = pair_turns(x, kind, state->closest.active);
    const double *w = state->closest.weights, push = -state->slope, d = state->distance;
    double *n = turning->normal;
    const double size = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + w[3] * w[3]);
    memcpy(shared->weights, w, sizeof shared->weights);
    for (int axis = 0; axis < 3; ++axis)
        n[axis] = state->closest.r[axis] / d;
    for (int i = 0; i < 4; ++i)
        for (int l = 0; l < 4; ++l)
            turning->along[4 * i + l] = state->curvature * (w[i] * w[l]);
    memset(turning->sides, 0, sizeof turning->sides);
    const double others = project ? 0 : -push / d;
    for (int entry = 0; entry < 9; ++entry)
        shared->block[entry] = others * ((entry % 4 == 0) - n[entry / 3] * n[entry % 3]);
    for (int k = 0; k < turns.count; ++k) {
        const double *v = turns.v[k], *t = turns.t[k], part = 0.5 * PAIR_TURNING_PART * push;
        const double ratio = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) / size;
        const double normal = project ? part / ratio : push * d, side = project ? part : push,
                     tangent = project ? part * ratio : -others;
        for (int i = 0; i < 4; ++i)
            for (int l = 0; l < 4; ++l)
                turning->along[4 * i + l] += normal * (v[i] * v[l]);
        for (int i = 0; i < 4; ++i)
            add_scaled3(turning->sides[i], side * v[i], t, turning->sides[i]);
        for (int entry = 0; entry < 9; ++entry)
            shared->block[entry] += tangent * (t[entry / 3] * t[entry % 3]);
    }
}

#endif
