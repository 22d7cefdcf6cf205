/// Barrier energy of one contact pair (theory.md section 8): E = kappa w e b(d - xi) as a function of the 12 coordinates of
/// a point and a triangle or of two edges, in the order of geometry/closest_points.h. d is the distance, e the mollifier of
/// nearly parallel edges, 1 elsewhere.
#ifndef PHYSICS_CONTACT_PAIR_BARRIER_H
#define PHYSICS_CONTACT_PAIR_BARRIER_H

#include "base/symmetric_eigen.h"
#include "geometry/distance.h"
#include "geometry/mollifier.h"
#include "physics/contact/barrier.h"

typedef struct PairBarrier {
    double stiffness;          ///< kappa w, J: kappa (N/m) times the area weight of the pair (m^2); > 0
    double range;              ///< gap d - xi at which the barrier begins, m; > 0
    double separation;         ///< xi: the least distance, m; >= 0
    double parallel_threshold; ///< mollifier_threshold(), m^4; 0: no mollifier (a point and a triangle)
} PairBarrier;

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
static inline bool pair_barrier_state(const PairBarrier *pair, const double x[12], PairKind kind,
                                      PairBarrierState *state)
{
    state->closest = closest_points(x, kind);
    state->distance = sqrt(state->closest.distance_sq);
    const double gap = state->distance - pair->separation;
    if (gap >= pair->range)
        return false;
    state->energy = pair->stiffness * barrier(gap, pair->range);
    state->slope = pair->stiffness * barrier_slope(gap, pair->range);
    state->curvature = pair->stiffness * barrier_curvature(gap, pair->range);
    state->nearly_parallel = pair->parallel_threshold > 0 && edges_cross_sq(x) < pair->parallel_threshold;
    return true;
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

// ---------------------------------------------------------------- Hessian of nearly parallel edges
/// out = (T x I) in (T x I)^T with T of size rows x columns, applied to the 3x3 blocks of `in`, which is
/// `columns` blocks wide and high; `out` is `rows` blocks wide and high. At most 4 each.
static inline void transform_blocks(int rows, int columns, const double *T, const double *in, double *out)
{
    double half[4 * 4];
    for (int entry = 0; entry < 9; ++entry) {
        const int a = entry / 3, b = entry % 3;
        for (int i = 0; i < rows; ++i)
            for (int l = 0; l < columns; ++l) {
                half[4 * i + l] = 0;
                for (int j = 0; j < columns; ++j)
                    half[4 * i + l] += T[columns * i + j] * in[3 * columns * (3 * j + a) + 3 * l + b];
            }
        for (int i = 0; i < rows; ++i)
            for (int k = 0; k < rows; ++k) {
                double sum = 0;
                for (int l = 0; l < columns; ++l)
                    sum += half[4 * i + l] * T[columns * k + l];
                out[3 * rows * (3 * i + a) + 3 * k + b] = sum;
            }
    }
}

/// symmetric_project of a 12x12 matrix that a common displacement of all vertices does not see: in the 9 relative ones.
static inline void project_relative(double hessian[144])
{
    static const double half = 0.5, root = 0.70710678118654752;
    const double down[12] = {half, half, -half, -half, -root, root, 0, 0, 0, 0, -root, root};
    double up[12], relative[81];
    for (int i = 0; i < 12; ++i)
        up[i] = down[4 * (i % 3) + i / 3];
    transform_blocks(3, 4, down, hessian, relative);
    symmetric_project(9, relative);
    transform_blocks(4, 3, up, relative, hessian);
    for (int row = 0; row < 12; ++row)
        for (int column = 0; column < row; ++column)
            hessian[12 * column + row] = hessian[12 * row + column];
}

/// hess (e B) = e (B'' g g^T + B' hess d) + B hess e + B' (g h^T + h g^T) with g = grad d, h = grad e.
static inline void parallel_pair_hessian(const PairBarrier *pair, const double x[12], PairKind kind,
                                         const PairBarrierState *state, bool project, double hessian[144])
{
    double g[12], h[12], bend[144];
    const double e = mollifier(x, pair->parallel_threshold);
    distance_gradient(&state->closest, g);
    distance_hessian(x, kind, &state->closest, bend);
    mollifier_gradient(x, pair->parallel_threshold, h);
    mollifier_hessian(x, pair->parallel_threshold, hessian);
    for (int row = 0; row < 12; ++row)
        for (int column = 0; column < 12; ++column) {
            const int at = 12 * row + column;
            hessian[at] = e * (state->curvature * (g[row] * g[column]) + state->slope * bend[at]) +
                          state->energy * hessian[at] +
                          state->slope * (g[row] * h[column] + h[row] * g[column]);
        }
    if (project)
        project_relative(hessian);
}

// ---------------------------------------------------------------- Hessian of all others
/// An orthonormal basis of R^12 in which the Hessian of B(d) has at most 5 rows: u_j (x) n and w/|w| (x) t_k. n = r/d; the
/// t_k are perpendicular to it along the free directions r_k, of which t_1 and t_2 are the orthonormal form. The u_j are
/// vectors of R^4 that depend on the active vertices only: u_0, u_1 shift weight within a primitive, u_last carries what
/// the weights w have beyond that. So no direction has to be told from another by rounding, however thin the pair.
typedef struct PairBasis {
    int free;       ///< free directions: 0 to 2; the basis has free + 1 vectors u, free vectors t
    double u[3][4]; ///< orthonormal; u[free] is the last
    double w[3];    ///< w = sum_j w_j u_j
    double v[2][2]; ///< change of w with a motion along t_k, 1/m: sum_j v_kj u_j
    double n[3], t[2][3];
} PairBasis;

/// u_0, u_1 from the weight that the free directions shift, u_last from equal weights on each primitive.
static inline void pair_basis_vertices(PairKind kind, int active, const FreeDirections *directions,
                                       PairBasis *basis)
{
    int count[2] = {0, 0};
    for (int vertex = 0; vertex < 4; ++vertex)
        count[vertex < (int)kind ? 0 : 1] += active >> vertex & 1;
    const double last = sqrt(1.0 / count[0] + 1.0 / count[1]);
    for (int vertex = 0; vertex < 4; ++vertex) {
        const double sign = vertex_sign(kind, vertex), among = count[vertex < (int)kind ? 0 : 1];
        basis->u[basis->free][vertex] = (active >> vertex & 1) != 0 ? sign / (among * last) : 0;
    }
    for (int j = 0; j < directions->count; ++j) {
        double *u = basis->u[j];
        const int gains = directions->gains[j], loses = directions->loses[j];
        const bool shared = j == 1 && loses == directions->loses[0]; // two sides of a triangle
        const double sign = vertex_sign(kind, gains), length = shared ? sqrt(1.5) : sqrt(2.0);
        for (int vertex = 0; vertex < 4; ++vertex)
            u[vertex] = sign * ((vertex == gains) - (vertex == loses) * (shared ? 0.5 : 1.0)) / length;
        if (shared)
            u[directions->gains[0]] = -0.5 * sign / length;
    }
}

/// The tangents, and how the weights change along them: dw/dbeta_k with r_k made orthonormal likewise.
static inline void pair_basis_tangents(const FreeDirections *directions, PairBasis *basis)
{
    if (directions->count == 0)
        return;
    const double *r0 = directions->r[0], *r1 = directions->r[1], length = norm3(r0);
    for (int axis = 0; axis < 3; ++axis)
        basis->t[0][axis] = r0[axis] / length;
    basis->v[0][0] = sqrt(2.0) / length, basis->v[0][1] = 0;
    if (directions->count == 1)
        return;
    double normal[3];
    cross3(r0, r1, normal);
    const bool shared = directions->loses[0] == directions->loses[1];
    const double along = dot3(r0, r1) / (length * length), across = norm3(normal) / length;
    const double sign = dot3(normal, basis->n) < 0 ? -1 : 1;
    cross3(basis->n, basis->t[0], basis->t[1]);
    normalize3(basis->t[1]);
    for (int axis = 0; axis < 3; ++axis)
        basis->t[1][axis] *= sign;
    basis->v[1][0] = ((shared ? sqrt(0.5) : 0) - along * sqrt(2.0)) / across;
    basis->v[1][1] = (shared ? sqrt(1.5) : sqrt(2.0)) / across;
}

static inline PairBasis pair_basis(const double x[12], PairKind kind, const ClosestPoints *closest)
{
    const FreeDirections directions = free_directions(x, kind, closest->active);
    PairBasis basis = {.free = directions.count};
    const double d = sqrt(closest->distance_sq);
    for (int axis = 0; axis < 3; ++axis)
        basis.n[axis] = closest->r[axis] / d;
    pair_basis_vertices(kind, closest->active, &directions, &basis);
    pair_basis_tangents(&directions, &basis);
    for (int j = 0; j <= basis.free; ++j)
        for (int vertex = 0; vertex < 4; ++vertex)
            basis.w[j] += basis.u[j][vertex] * closest->weights[vertex];
    return basis;
}

/// The Hessian in the basis, size 2 free + 1. With c_k = w (x) t_k + d v_k (x) n the bends of geometry/distance.h,
/// d hess d = sum_k (w (x) t_k)(w (x) t_k)^T - c_k c_k^T. Tangents without a free direction have no c_k and are not in here:
/// they only lower the energy, since B' <= 0, each by B'/d (w (x) t)(w (x) t)^T, which a projection sets to 0.
static inline int pair_basis_hessian(const PairBasis *basis, double distance, double slope, double curvature,
                                     double weight, double *small)
{
    const int free = basis->free, size = 2 * free + 1;
    memset(small, 0, (size_t)(size * size) * sizeof *small);
    for (int i = 0; i <= free; ++i)
        for (int j = 0; j <= free; ++j) {
            double bends = 0;
            for (int k = 0; k < free && i < free && j < free; ++k)
                bends += basis->v[k][i] * basis->v[k][j];
            small[size * i + j] = curvature * (basis->w[i] * basis->w[j]) - slope * distance * bends;
        }
    for (int j = 0; j < free; ++j)
        for (int k = 0; k < free; ++k) {
            const int tangent = free + 1 + k;
            small[size * j + tangent] = small[size * tangent + j] = -slope * weight * basis->v[k][j];
        }
    return size;
}

/// Expands a matrix of the basis: block (i, l) = A_il n n^T + sum_k (S_ik w_l n t_k^T + S_lk w_i t_k n^T) + w_i w_l T, where
/// T has `others` for the tangents without a free direction, N/m.
static inline void pair_basis_expand(const PairBasis *basis, const double *small, double others,
                                     const double weights[4], double weight, double hessian[144])
{
    const int free = basis->free, size = 2 * free + 1;
    double side[4][3] = {{0}}, plane[9]; // sum_k S_ik t_k and T
    for (int entry = 0; entry < 9; ++entry) {
        const int a = entry / 3, b = entry % 3;
        double among = (a == b) - basis->n[a] * basis->n[b];
        for (int k = 0; k < free; ++k)
            among -= basis->t[k][a] * basis->t[k][b];
        plane[entry] = others * among;
    }
    for (int k = 0; k < free; ++k) {
        const double *t = basis->t[k], *row = small + (size_t)(size * (free + 1 + k));
        for (int vertex = 0; vertex < 4; ++vertex) {
            double shift = 0;
            for (int j = 0; j <= free; ++j)
                shift += basis->u[j][vertex] * row[j];
            add_scaled3(side[vertex], shift / weight, t, side[vertex]);
        }
        for (int m = 0; m < free; ++m)
            for (int entry = 0; entry < 9; ++entry)
                plane[entry] += row[free + 1 + m] / (weight * weight) * t[entry / 3] * basis->t[m][entry % 3];
    }
    for (int i = 0; i < 4; ++i)
        for (int l = 0; l <= i; ++l) {
            double along = 0; // A_il
            for (int j = 0; j <= free; ++j)
                for (int k = 0; k <= free; ++k)
                    along += basis->u[j][i] * small[size * j + k] * basis->u[k][l];
            for (int a = 0; a < 3; ++a)
                for (int b = 0; b < 3; ++b) {
                    const double value =
                        along * basis->n[a] * basis->n[b] + weights[l] * basis->n[a] * side[i][b] +
                        weights[i] * side[l][a] * basis->n[b] + weights[i] * weights[l] * plane[3 * a + b];
                    hessian[12 * (3 * i + a) + 3 * l + b] = hessian[12 * (3 * l + b) + 3 * i + a] = value;
                }
        }
}

/// Gradient (N) and Hessian (N/m, row-major, symmetric; if `project`, negative eigenvalues are set to 0) of the energy.
/// False, with nothing written, where the pair is beyond its range: both are 0. The distance has to be above the separation.
static inline bool pair_barrier_hessian(const PairBarrier *pair, const double x[12], PairKind kind,
                                        bool project, double gradient[12], double hessian[144])
{
    PairBarrierState state;
    if (!pair_barrier_state(pair, x, kind, &state))
        return false;
    pair_barrier_state_gradient(pair, x, &state, gradient);
    if (state.nearly_parallel) {
        parallel_pair_hessian(pair, x, kind, &state, project, hessian);
        return true;
    }
    const PairBasis basis = pair_basis(x, kind, &state.closest);
    const double *w = basis.w, weight = norm3(w);
    double small[25];
    const int size = pair_basis_hessian(&basis, state.distance, state.slope, state.curvature, weight, small);
    if (project && size > 1) // without a free direction the only entry is positive
        symmetric_project(size, small);
    pair_basis_expand(&basis, small, project ? 0 : state.slope / state.distance, state.closest.weights,
                      weight, hessian);
    return true;
}

#endif
