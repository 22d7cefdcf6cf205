// Barrier energy of one contact pair (theory.md section 8): E = kappa w e b(d - xi); twin of src/physics/contact/pair_barrier.h.
// Vertices are relative to one of them (relative_vertices).
//
// Hessians are always projected, and come as three vectors of R^12: H = sum_k f_k f_k^T. That is all of it: the matrix in the
// basis of the twin, [[A, S], [S^T, 0]], has as many negative eigenvalues as free directions, and one positive one more, so the
// projected one has at most rank 3.
//
// Nearly parallel edges: H is not the nearest positive semidefinite matrix of the twin but one near it, in the distance d and in
// m = c/threshold, c = |u x v|^2, of which the energy is a function B(d) e(m): the positive part of the 2x2 Hessian in
// (d/range, m), and of B e' hess m the part 2 B e'/threshold J^T J, J = d(u x v)/dx without its component along the edges.
// What is left out is e B' hess d (B' <= 0), the second derivatives of u x v, and that component, |sin|^2 < 1e-3 of the whole. The
// gradient is exact, and H positive semidefinite as a sum of squares, so with the mass matrix the direction -H^-1 grad descends.
#ifndef COMMON_PHYSICS_CONTACT_PAIR_BARRIER_GLSL
#define COMMON_PHYSICS_CONTACT_PAIR_BARRIER_GLSL

#include "common/eigen5.glsl"
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
    state.nearly_parallel = pair.parallel_threshold > real(0.0) && edges_cross_sq(x) < pair.parallel_threshold;
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
/// The basis of the twin, at fixed places: u_0, u_1 (0 if there is no such free direction), u_last.
struct PairBasis {
    int free;        ///< free directions: 0 to 2
    real u[3][4];    ///< orthonormal or 0; u[2] is the last
    real w[3];       ///< w = sum_j w_j u_j
    real v[2][2];    ///< change of w with a motion along t_k, 1/m: sum_j v_kj u_j
    real3 n, t[2];
};

/// u_0, u_1 from the weight that the free directions shift, u_last from equal weights on each primitive.
void pair_basis_vertices(int kind, int features, FreeDirections directions, inout PairBasis basis)
{
    int count[2] = int[2](0, 0);
    for (int vertex = 0; vertex < 4; ++vertex) {
        count[0] += vertex < kind ? features >> vertex & 1 : 0;
        count[1] += vertex < kind ? 0 : features >> vertex & 1;
    }
    const real last = sqrt(real(1.0) / real(count[0]) + real(1.0) / real(count[1]));
    for (int vertex = 0; vertex < 4; ++vertex) {
        const real among = real(vertex < kind ? count[0] : count[1]);
        basis.u[2][vertex] =
            (features >> vertex & 1) != 0 ? vertex_sign(kind, vertex) / (among * last) : real(0.0);
    }
    for (int j = 0; j < 2; ++j) {
        const int gains = directions.gains[j], loses = directions.loses[j];
        const bool same_base = j == 1 && loses == directions.loses[0]; // two sides of a triangle
        const real scale = vertex_sign(kind, gains) / sqrt(real(same_base ? 1.5 : 2.0));
        for (int vertex = 0; vertex < 4; ++vertex)
            basis.u[j][vertex] = j >= directions.count ? real(0.0)
                                 : vertex == gains     ? scale
                                 : vertex == loses     ? (same_base ? real(-0.5) : real(-1.0)) * scale
                                 : same_base && vertex == directions.gains[0] ? real(-0.5) * scale
                                                                           : real(0.0);
    }
}

/// The tangents, and how the weights change along them: dw/dbeta_k with r_k made orthonormal likewise.
void pair_basis_tangents(FreeDirections directions, inout PairBasis basis)
{
    for (int k = 0; k < 2; ++k) {
        basis.t[k] = real3(0.0);
        basis.v[k] = real[2](real(0.0), real(0.0));
    }
    if (directions.count == 0)
        return;
    const real root_two = sqrt(real(2.0));
    const real3 r0 = directions.r[0], r1 = directions.r[1];
    const real size = length(r0);
    basis.t[0] = r0 / size;
    basis.v[0][0] = root_two / size;
    if (directions.count == 1)
        return;
    const real3 normal = cross(r0, r1);
    const bool same_base = directions.loses[0] == directions.loses[1];
    const real along = dot(r0, r1) / (size * size), across = length(normal) / size;
    basis.t[1] = (dot(normal, basis.n) < real(0.0) ? real(-1.0) : real(1.0)) * normalize(cross(basis.n, basis.t[0]));
    basis.v[1][0] = ((same_base ? sqrt(real(0.5)) : real(0.0)) - along * root_two) / across;
    basis.v[1][1] = (same_base ? sqrt(real(1.5)) : root_two) / across;
}

PairBasis pair_basis(real3 x[4], int kind, ClosestPoints closest)
{
    const FreeDirections directions = free_directions(x, kind, closest.features);
    PairBasis basis;
    basis.free = directions.count;
    basis.n = closest.r / sqrt(closest.distance_sq);
    pair_basis_vertices(kind, closest.features, directions, basis);
    pair_basis_tangents(directions, basis);
    for (int j = 0; j < 3; ++j) {
        basis.w[j] = real(0.0);
        for (int vertex = 0; vertex < 4; ++vertex)
            basis.w[j] += basis.u[j][vertex] * closest.weights[vertex];
    }
    return basis;
}

/// The Hessian in the basis u_0, u_1, u_last, t_0, t_1, as the twin; rows of what is not there are 0.
void pair_basis_hessian(PairBasis basis, real distance, real slope, real curvature, real weight, out real small[25])
{
    for (int i = 0; i < 25; ++i)
        small[i] = real(0.0);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            real bends = real(0.0);
            for (int k = 0; k < 2; ++k)
                bends += i < 2 && j < 2 ? basis.v[k][min(i, 1)] * basis.v[k][min(j, 1)] : real(0.0);
            small[5 * i + j] = curvature * (basis.w[i] * basis.w[j]) - slope * distance * bends;
        }
    for (int j = 0; j < 2; ++j)
        for (int k = 0; k < 2; ++k)
            small[5 * j + 3 + k] = small[5 * (3 + k) + j] = -slope * weight * basis.v[k][j];
}

/// Factors of the matrix's positive part: sqrt(value) (sum_j a_j u_j (x) n + sum_k b_k w/|w| (x) t_k) of eigenvectors (a, b).
void pair_basis_expand(PairBasis basis, real small[25], real weights[4], real weight, out PairHessian hessian)
{
    real values[5], vectors[25], scale = real(0.0);
    for (int i = 0; i < 25; ++i)
        scale = max(scale, abs(small[i]));
    for (int i = 0; i < 25; ++i)
        small[i] /= scale;
    eigen5(small, values, vectors);
    for (int k = 0; k < 3; ++k) {
        real largest = real(0.0), a[5] = real[5](real(0.0), real(0.0), real(0.0), real(0.0), real(0.0));
        int place = -1;
        for (int j = 0; j < 5; ++j) {
            const bool is_larger = values[j] > largest;
            place = is_larger ? j : place;
            largest = is_larger ? values[j] : largest;
            for (int i = 0; i < 5; ++i)
                a[i] = is_larger ? vectors[5 * j + i] : a[i];
        }
        for (int j = 0; j < 5; ++j)
            values[j] = j == place ? real(0.0) : values[j];
        const real root = sqrt(largest * scale);
        const real3 tangent = root / weight * (a[3] * basis.t[0] + a[4] * basis.t[1]);
        for (int i = 0; i < 4; ++i) {
            const real along = root * (a[0] * basis.u[0][i] + a[1] * basis.u[1][i] + a[2] * basis.u[2][i]);
            hessian.factors[4 * k + i] = along * basis.n + weights[i] * tangent;
        }
    }
}

/// Gradient (N) and projected Hessian of the energy. False where the pair is beyond its range, and both are 0. The distance has to
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
    const PairBasis basis = pair_basis(x, kind, state.closest);
    const real weight = sqrt(basis.w[0] * basis.w[0] + basis.w[1] * basis.w[1] + basis.w[2] * basis.w[2]);
    real small[25];
    pair_basis_hessian(basis, state.distance, state.slope, state.curvature, weight, small);
    pair_basis_expand(basis, small, state.closest.weights, weight, hessian);
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
