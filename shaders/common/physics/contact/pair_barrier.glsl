// Barrier energy of one contact pair (theory.md section 8): E = kappa w e b(d - xi); twin of src/physics/contact/pair_barrier.h.
// Vertices are relative to one of them (relative_vertices).
//
// Hessians are always the positive semidefinite ones, and come as three vectors of R^12: H = sum_k f_k f_k^T. That is all of it: one for
// the distance, and one for each free direction of the closest points.
//
// Nearly parallel edges: H is not the nearest positive semidefinite matrix of the twin but one near it, in the distance d and in
// m = c/threshold, c = |u x v|^2, of which the energy is a function B(d) e(m): the positive part of the 2x2 Hessian in
// (d/range, m), and of B e' hess m the part 2 B e'/threshold J^T J, J = d(u x v)/dx without its component along the edges.
// What is left out is e B' hess d (B' <= 0), the second derivatives of u x v, and that component, |sin|^2 < 1e-3 of the whole. The
// gradient is exact, and H positive semidefinite as a sum of squares, so with the mass matrix the direction -H^-1 grad descends.
#ifndef COMMON_PHYSICS_CONTACT_PAIR_BARRIER_GLSL
#define COMMON_PHYSICS_CONTACT_PAIR_BARRIER_GLSL

#include "abi/pair_hessian.h"
#include "common/geometry/distance.glsl"
#include "common/geometry/mollifier.glsl"
#include "common/geometry/tangent.glsl"
#include "common/physics/contact/barrier.glsl"

struct PairBarrier {
    real stiffness;          ///< kappa w, J: kappa (N/m) times the area weight of the pair (m^2); > 0
    real range;              ///< gap d - xi at which the barrier begins, m; > 0
    real separation;         ///< xi: the least distance, m; >= 0
    real parallel_threshold; ///< mollifier_threshold(), m^4; 0: no mollifier (a point and a triangle)
};

/// f_k of vertex i is factors[4 k + i], (N/m)^(1/2).
struct PairHessian {
    real3 factors[12];
};

/// Block (i, l) of the Hessian, N/m; i and l known when the shader is compiled, or the struct in a buffer.
real3x3 pair_hessian_block(PairHessian hessian, int i, int l)
{
    real3x3 block = real3x3(0.0);
    for (int k = 0; k < 3; ++k)
        block += outerProduct(hessian.factors[4 * k + i], hessian.factors[4 * k + l]);
    return block;
}

/// The same from what it needs: factors k of vertex i and of vertex l.
real3x3 pair_hessian_block(real3 rows[3], real3 columns[3])
{
    real3x3 block = real3x3(0.0);
    for (int k = 0; k < 3; ++k)
        block += outerProduct(rows[k], columns[k]);
    return block;
}

/// H p
void pair_hessian_apply(PairHessian hessian, real3 p[4], out real3 product[4])
{
    for (int i = 0; i < 4; ++i)
        product[i] = real3(0.0);
    for (int k = 0; k < 3; ++k) {
        real along = real(0.0);
        for (int i = 0; i < 4; ++i)
            along += dot(hessian.factors[4 * k + i], p[i]);
        for (int i = 0; i < 4; ++i)
            product[i] += along * hessian.factors[4 * k + i];
    }
}

/// Whether the mollifier of two edges is below 1.
bool pair_is_parallel(PairBarrier pair, real3 x[4])
{
    return pair.parallel_threshold > real(0.0) && edges_cross_sq(x) < pair.parallel_threshold;
}

/// Energy in J, 0 beyond the range. Infinity where the distance is not above the separation, or coordinates are not finite.
real pair_barrier_energy(PairBarrier pair, real3 x[4], int kind)
{
    const ClosestPoints closest = closest_points(x, kind);
    const real gap = sqrt(closest.distance_sq) - pair.separation;
    if (closest.features == 0 || !(gap > real(0.0)))
        return real_infinity();
    if (gap >= pair.range)
        return real(0.0);
    return pair.stiffness * barrier(gap, pair.range) *
           (pair.parallel_threshold > real(0.0) ? mollifier(x, pair.parallel_threshold) : real(1.0));
}

/// What gradient, Hessian and force of an active pair start from.
struct PairBarrierState {
    ClosestPoints closest;
    real distance;        ///< m
    real energy;          ///< kappa w b, J; this and the next two without the mollifier
    real slope;           ///< kappa w b', N; <= 0
    real curvature;       ///< kappa w b'', N/m; >= 0
    bool nearly_parallel; ///< whether the mollifier is below 1
};

/// False beyond the range. The distance has to be above the separation.
bool pair_barrier_state(PairBarrier pair, real3 x[4], int kind, out PairBarrierState state)
{
    state.closest = closest_points(x, kind);
    state.distance = sqrt(state.closest.distance_sq);
    const real gap = state.distance - pair.separation;
    state.energy = pair.stiffness * barrier(gap, pair.range);
    state.slope = pair.stiffness * barrier_slope(gap, pair.range);
    state.curvature = pair.stiffness * barrier_curvature(gap, pair.range);
    state.nearly_parallel = pair_is_parallel(pair, x);
    return gap < pair.range;
}

/// grad (e B) = e B' grad d + B grad e, with B = kappa w b; N.
void pair_barrier_state_gradient(PairBarrier pair, real3 x[4], PairBarrierState state, out real3 gradient[4])
{
    distance_gradient(state.closest, gradient);
    for (int i = 0; i < 4; ++i)
        gradient[i] *= state.slope;
    if (!state.nearly_parallel)
        return;
    const real e = mollifier(x, pair.parallel_threshold);
    real3 change[4];
    mollifier_gradient(x, pair.parallel_threshold, change);
    for (int i = 0; i < 4; ++i)
        gradient[i] = e * gradient[i] + state.energy * change[i];
}

/// Gradient of the energy, N. False where the pair is beyond its range, and the gradient is 0. The distance has to be above the
/// separation (the energy finite).
bool pair_barrier_gradient(PairBarrier pair, real3 x[4], int kind, out real3 gradient[4])
{
    PairBarrierState state;
    const bool in_range = pair_barrier_state(pair, x, kind, state);
    for (int i = 0; i < 4; ++i)
        gradient[i] = real3(0.0);
    if (in_range)
        pair_barrier_state_gradient(pair, x, state, gradient);
    return in_range;
}

/// Normal force lambda = -kappa w e b' >= 0, N, as friction takes it, and where it acts: along r/|r| (r in m, from the second
/// primitive to the first), on vertex i with weights[i]. 0 beyond the range.
real pair_barrier_force(PairBarrier pair, real3 x[4], int kind, out real weights[4], out real3 r)
{
    PairBarrierState state;
    const bool in_range = pair_barrier_state(pair, x, kind, state);
    weights = state.closest.weights;
    r = state.closest.r;
    return !in_range             ? real(0.0)
           : state.nearly_parallel ? -state.slope * mollifier(x, pair.parallel_threshold)
                                   : -state.slope;
}

// ---------------------------------------------------------------- Hessian of nearly parallel edges
/// The factors that the head of this file describes.
void parallel_pair_hessian(PairBarrier pair, real3 x[4], PairBarrierState state, out PairHessian hessian)
{
    const real threshold = pair.parallel_threshold, range = pair.range;
    const real3 u = x[1] - x[0], v = x[3] - x[2], w = cross(u, v);
    const real m = min(dot(w, w) / threshold, real(1.0)), e = m * (real(2.0) - m), rise = real(2.0) * (real(1.0) - m);
    // In (d/range, m): [[e B'' range^2, e' B' range], [., -2 B]], its positive eigenvalue and the eigenvector.
    const real dd = e * state.curvature * range * range, dm = rise * state.slope * range, mm = real(-2.0) * state.energy;
    const real half_gap = real(0.5) * (dd - mm), root = sqrt(half_gap * half_gap + dm * dm);
    // (dd + mm)/2 + root, without the cancellation where it is small
    const real value = dd + mm >= real(0.0) ? real(0.5) * (dd + mm) + root
                                            : (dm * dm - dd * mm) / (root - real(0.5) * (dd + mm));
    const real2 axis = real2(half_gap + root, dm);
    const real size = sqrt(dot(axis, axis));
    const real2 along = size > real(0.0) ? sqrt(max(value, real(0.0))) / size * axis : real2(0.0);
    real3 g[4], h[4];
    distance_gradient(state.closest, g);
    edges_cross_sq_gradient(x, h);
    for (int i = 0; i < 4; ++i)
        hessian.factors[i] = along.x / range * g[i] + along.y / threshold * h[i];

    // a.(u x v) has the gradients v x a in u and a x u in v.
    const real weight = sqrt(real(2.0) * state.energy * rise / threshold);
    real3 across[2];
    tangent_basis(dot(u, u) > dot(v, v) ? u : v, across);
    for (int k = 0; k < 2; ++k) {
        const real3 by_u = weight * cross(v, across[k]), by_v = weight * cross(across[k], u);
        hessian.factors[4 * k + 4] = -by_u;
        hessian.factors[4 * k + 5] = by_u;
        hessian.factors[4 * k + 6] = -by_v;
        hessian.factors[4 * k + 7] = by_v;
    }
}

// ---------------------------------------------------------------- Hessian of all others
/// The twin's: the free directions made orthonormal, and how the weights change along them, 1/m; 0 where there is none.
struct PairTurns {
    real3 t[2];
    real v[2][4];
};

PairTurns pair_turns(real3 x[4], int kind, int features)
{
    const FreeDirections directions = free_directions(x, kind, features);
    PairTurns turns;
    for (int k = 0; k < 2; ++k) {
        turns.t[k] = real3(0.0);
        const real sign = vertex_sign(kind, directions.gains[k]);
        for (int i = 0; i < 4; ++i)
            turns.v[k][i] = k >= directions.count          ? real(0.0)
                            : i == directions.gains[k] ? sign
                            : i == directions.loses[k] ? -sign
                                                       : real(0.0);
    }
    if (directions.count == 0)
        return turns;
    const real3 r0 = directions.r[0], r1 = directions.r[1];
    const real size = length(r0);
    turns.t[0] = r0 / size;
    if (directions.count == 2) {
        // Along r_1 less its part along r_0, of which the cross product keeps digits where they are nearly parallel.
        const real3 normal = cross(r0, r1);
        const real along = dot(r0, r1) / (size * size), across = length(normal) / size;
        turns.t[1] = normalize(cross(normal, turns.t[0]));
        for (int i = 0; i < 4; ++i)
            turns.v[1][i] = (turns.v[1][i] - along * turns.v[0][i]) / across;
    }
    for (int i = 0; i < 4; ++i)
        turns.v[0][i] /= size;
    return turns;
}

/// Factors B''^(1/2) w (x) n, and of each free direction (-p B'/2)^(1/2) ((|w|/|v|)^(1/2) v (x) n + (|v|/|w|)^(1/2) w (x) t), p the
/// part PAIR_TURNING_PART.
void pair_turning_hessian(real3 x[4], int kind, PairBarrierState state, out PairHessian hessian)
{
    const real3 n = state.closest.r / state.distance;
    const PairTurns turns = pair_turns(x, kind, state.closest.features);
    real w[4] = state.closest.weights;
    const real size = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + w[3] * w[3]);
    const real steep = sqrt(state.curvature), part = sqrt(real(-0.5 * PAIR_TURNING_PART) * state.slope);
    for (int i = 0; i < 4; ++i)
        hessian.factors[i] = steep * w[i] * n;
    for (int k = 0; k < 2; ++k) {
        const real ratio = sqrt(turns.v[k][0] * turns.v[k][0] + turns.v[k][1] * turns.v[k][1] + turns.v[k][2] * turns.v[k][2] +
                                turns.v[k][3] * turns.v[k][3]) /
                           size;
        const real root = sqrt(ratio), along = ratio > real(0.0) ? part / root : real(0.0);
        for (int i = 0; i < 4; ++i)
            hessian.factors[4 * k + 4 + i] = along * turns.v[k][i] * n + part * root * w[i] * turns.t[k];
    }
}

/// Gradient (N) and positive semidefinite Hessian of the energy. False where the pair is beyond its range, and both are 0. The distance has to
/// be above the separation.
bool pair_barrier_hessian(PairBarrier pair, real3 x[4], int kind, out real3 gradient[4], out PairHessian hessian)
{
    PairBarrierState state;
    const bool in_range = pair_barrier_state(pair, x, kind, state);
    for (int i = 0; i < 4; ++i)
        gradient[i] = real3(0.0);
    for (int i = 0; i < 12; ++i)
        hessian.factors[i] = real3(0.0);
    if (!in_range)
        return false;
    pair_barrier_state_gradient(pair, x, state, gradient);
    if (state.nearly_parallel) {
        parallel_pair_hessian(pair, x, state, hessian);
        return true;
    }
    pair_turning_hessian(x, kind, state, hessian);
    return true;
}

// ---------------------------------------------------------------- differences
/// The energy after the vertices have moved by `step` less the energy before (J), formed from the motion, never from two distances:
/// d' - d = (D' - D)/(d' + d) with distance_sq_change. `slope`: the derivative along `step` after it, J. `magnitude`, J: as in
/// plane_penalty_change, both are off by some roundings of it: r is off by a rounding of the pair's size, which turns the force by
/// that over the distance and changes it by the curvature times that. The force turns against the whole motion, that of the vertices
/// and of the closest points, which are off by the same; what it changes by works along the normal only. Infinity where the pair comes
/// to touch.
real pair_barrier_change(PairBarrier pair, real3 x[4], real3 step[4], int kind, out real slope, out real magnitude)
{
    real3 moved[4], gradient[4];
    real size = real(0.0), motion = real(0.0), shift_sq;
    for (int i = 0; i < 4; ++i) {
        moved[i] = x[i] + step[i];
        size = max(size, max(length(x[i] - x[0]), length(moved[i] - moved[0])));
        motion = max(motion, length(step[i] - step[0]));
    }
    const ClosestPoints before = closest_points(x, kind);
    PairBarrierState state;
    const bool in_range = pair_barrier_state(pair, moved, kind, state);
    const real d0 = sqrt(before.distance_sq), gap = d0 - pair.separation;
    slope = magnitude = real(0.0);
    if (!in_range && !(gap < pair.range))
        return real(0.0);
    const real rise = distance_sq_change(before, state.closest, moved, step, kind, shift_sq) / (state.distance + d0);
    const real b0 = barrier(gap, pair.range), b = barrier_change(gap, rise, pair.range);
    if (!(state.distance > pair.separation) || state.closest.features == 0)
        return real_infinity();
    real change = pair.stiffness * b, mollified = real(0.0);
    if (pair.parallel_threshold > real(0.0)) {
        const MollifierChange e = mollifier_change(x, step, pair.parallel_threshold);
        change = pair.stiffness * (e.change * (b0 + b) + e.before * b);
        mollified = pair.stiffness * (e.change_magnitude * (b0 + b) + e.before_magnitude * abs(b));
    }
    if (in_range)
        pair_barrier_state_gradient(pair, moved, state, gradient);
    real3 normals[4];
    distance_gradient(state.closest, normals);
    real recedes = real(0.0); // rate of the distance at the end
    for (int i = 0; i < 4; ++i) {
        slope += in_range ? dot(gradient[i], step[i] - step[0]) : real(0.0);
        recedes += dot(normals[i], step[i] - step[0]);
    }
    const real force = max(abs(state.slope), pair.stiffness * abs(barrier_slope(gap, pair.range)));
    const real steep = max(state.curvature, pair.stiffness * barrier_curvature(gap, pair.range));
    const real rounding = REAL_ROUNDOFF * size;
    magnitude = real(5.0) * size *
                    (force / min(d0, state.distance) * (motion + sqrt(shift_sq) + rounding) +
                     steep * (max(abs(rise), abs(recedes)) + rounding)) +
                abs(change) + mollified;
    return change;
}

#endif
