// The contact barrier, of pairs and of planes (theory.md section 8): numbers, finite differences, projection.
#include "check_main.h"
#include "geometry/pair_cases.h"
#include "known_pair.h"
#include "pair_matrix.h"

#include "device/cpu/kernels.h"
#include "geometry/tangent.h"
#include "physics/contact/area_weight.h"
#include "physics/contact/pair_barrier.h"
#include "physics/contact/plane_barrier.h"

#include <float.h>

enum { CASES = 12 };

START_TEST(barrier_numbers)
{
    static const double table[3][4] = {
        {0.1, 1.86509392533, -12.2446531674, 121.605170186},
        {0.5, 0.17328679514, -1.19314718056, 6.38629436112},
        {0.9, 0.00105360515658, -0.0321832142427, 0.667511154772},
    };
    const double range = 1e-3;
    for (int i = 0; i < 3; ++i) {
        const double d = table[i][0] * range;
        ck_assert_double_eq_tol(barrier(d, range) / table[i][1], 1, 1e-11);
        ck_assert_double_eq_tol(range * barrier_slope(d, range) / table[i][2], 1, 1e-11);
        ck_assert_double_eq_tol(range * range * barrier_curvature(d, range) / table[i][3], 1, 1e-11);
    }
    ck_assert_double_eq(barrier(0, range), INFINITY);
    ck_assert_double_eq(barrier(-1, range), INFINITY);
    for (double d = range; d < 3 * range; d += range) {
        ck_assert_double_eq(barrier(d, range), 0);
        ck_assert_double_eq(barrier_slope(d, range), 0);
        ck_assert_double_eq(barrier_curvature(d, range), 0);
    }
    // Near s = 1, with y = s - 1: b = -y^3 (1 - y/2 + ..), and all digits of y count.
    for (double y = -1e-3; y < -1e-15; y /= 16) {
        const double exact = (1 + y) - 1;
        ck_assert_double_eq_tol(barrier(1 + y, 1) / -(exact * exact * exact * (1 - exact / 2)), 1, 1e-6);
        ck_assert_double_eq_tol(barrier_slope(1 + y, 1) / (-3 * exact * exact * (1 - 2 * exact / 3)), 1,
                                1e-5);
        ck_assert_double_eq_tol(barrier_curvature(1 + y, 1) / (-6 * exact * (1 - exact)), 1, 1e-5);
    }
    // A weight f at rest on a plane: -range b'(s) = f range/(kappa w).
    static const double rest[3][2] = {{0.1, 0.828525732772}, {1, 0.532436043396}, {10, 0.122152064160}};
    for (int i = 0; i < 3; ++i)
        ck_assert_double_eq_tol(-barrier_slope(rest[i][1], 1) / rest[i][0], 1, 1e-10);
}
END_TEST

// An even mesh of triangles of 1 m^2: A_v = 6/3 m^2, A_e = 2/3 m^2, so a vertex stands for A_v/4 and a pair of edges for
// (A_e + A_e')/4. A triangle or an edge a million times larger or smaller on either side: the small side's own area counts.
START_TEST(weights_by_the_smaller_side)
{
    const double vertex = 2, edge = 2.0 / 3, triangle = 1;
    ck_assert_double_eq(area_weight_point_triangle(vertex, triangle), vertex / 4);
    ck_assert_double_eq(area_weight_edges(edge, edge), (edge + edge) / 4);
    ck_assert_double_eq(area_weight_point_triangle(vertex, 1e6 * triangle), vertex / 4);
    ck_assert_double_eq(area_weight_point_triangle(1e6 * vertex, triangle), triangle / 2);
    ck_assert_double_eq(area_weight_edges(1e6 * edge, edge), edge / 2);
    ck_assert_double_eq(area_weight_edges(edge, 1e6 * edge), edge / 2);
    ck_assert_double_eq(area_weight_edges(edge, 0), 0); // an edge without triangles
}
END_TEST

// ---------------------------------------------------------------- pairs
static PairBarrier current; ///< of the functions below

static void evaluate_energy(const double x[12], PairKind kind, double *values)
{
    values[0] = pair_barrier_energy(&current, x, kind);
}

static void evaluate_gradient(const double x[12], PairKind kind, double *values)
{
    ck_assert(pair_barrier_gradient(&current, x, kind, values));
}

/// Whether matrix + shift I is positive definite, by Cholesky's factorisation.
static bool is_positive(const double matrix[144], double shift)
{
    double factor[144];
    for (int row = 0; row < 12; ++row)
        for (int column = 0; column <= row; ++column) {
            double sum = matrix[12 * row + column] + (row == column ? shift : 0);
            for (int k = 0; k < column; ++k)
                sum -= factor[12 * row + k] * factor[12 * column + k];
            if (row == column && !(sum > 0))
                return false;
            factor[12 * row + column] = row == column ? sqrt(sum) : sum / factor[12 * column + column];
        }
    return true;
}

/// P is the nearest positive semidefinite matrix to H if and only if P and P - H are positive semidefinite and
/// tr(P (P - H)) = 0.
static void check_projection(const KnownPair *pair, Shape shape, const double projected[144],
                             const double hessian[144])
{
    const double size = largest(hessian, 144), tolerance = 1e-7 * size;
    double rest[144], trace = 0;
    for (int i = 0; i < 144; ++i) {
        rest[i] = projected[i] - hessian[i];
        trace += projected[i] * rest[i];
    }
    ck_assert_msg(is_positive(projected, 1e-13 * size), "type %d, shape %d: not positive", pair->active,
                  shape);
    ck_assert_msg(is_positive(rest, tolerance), "type %d, shape %d: H above its projection", pair->active,
                  shape);
    ck_assert_msg(fabs(trace) < tolerance * size, "type %d, shape %d: trace %g of %g", pair->active, shape,
                  trace, size * size);
}

/// Of pairs that are not nearly parallel: B'' g g^T, and of what couples the normal's turning with each free direction the nearest positive
/// semidefinite matrix, in part. From the bends c_k = w (x) t_k + d v_k (x) n of geometry/distance.h.
static void check_positive(const KnownPair *pair, Shape shape, const double positive[144])
{
    PairBarrierState state;
    double g[12], bends[2][12], n[3], expected[144];
    ck_assert(pair_barrier_state(&current, pair->x, pair->kind, &state));
    distance_gradient(&state.closest, g);
    distance_sq_bends(pair->x, pair->kind, &state.closest, bends);
    for (int axis = 0; axis < 3; ++axis)
        n[axis] = state.closest.r[axis] / state.distance;
    for (int i = 0; i < 144; ++i)
        expected[i] = state.curvature * g[i / 12] * g[i % 12];
    for (int k = 0; k < 2; ++k) {
        double normal[12], tangent[12], coupling[144];
        for (int i = 0; i < 12; ++i) {
            normal[i] = dot3(bends[k] + i / 3 * 3, n) * n[i % 3];
            tangent[i] = bends[k][i] - normal[i];
        }
        for (int i = 0; i < 144; ++i)
            coupling[i] = -state.slope / state.distance *
                          (normal[i / 12] * tangent[i % 12] + tangent[i / 12] * normal[i % 12]);
        symmetric_project(12, coupling);
        for (int i = 0; i < 144; ++i)
            expected[i] += PAIR_TURNING_PART * coupling[i];
    }
    assert_close("positive semidefinite Hessian", pair, shape, positive, expected, 144,
                 1e-9 * largest(expected, 144));
}

/// Energy, gradient, Hessian and positive semidefinite Hessian of `current` against each other.
static void check_pair(const KnownPair *pair, Shape shape, double length)
{
    double gradient[12], expected[144], difference[144], hessian[144], projected[144], again[12];
    evaluate_gradient(pair->x, pair->kind, gradient);
    differentiate(evaluate_energy, 1, pair->x, pair->kind, 8e-3 * length, expected);
    assert_close("energy", pair, shape, gradient, expected, 12, 1e-8 * largest(gradient, 12));
    differentiate(evaluate_gradient, 12, pair->x, pair->kind, 8e-3 * length, difference);
    for (int i = 0; i < 144; ++i)
        expected[i] = 0.5 * (difference[i] + difference[12 * (i % 12) + i / 12]);
    ck_assert(barrier_matrix(&current, pair->x, pair->kind, false, again, hessian));
    assert_close("Hessian", pair, shape, hessian, expected, 144, 1e-7 * largest(hessian, 144));
    ck_assert(barrier_matrix(&current, pair->x, pair->kind, true, again, projected));
    ck_assert_mem_eq(again, gradient, sizeof gradient);
    for (int i = 0; i < 144; ++i)
        ck_assert_double_eq(projected[i], projected[12 * (i % 12) + i / 12]);
    if (pair_is_parallel(&current, pair->x))
        check_projection(pair, shape, projected, expected);
    else
        check_positive(pair, shape, projected);

    double weights[4], r[3], push[3] = {0, 0, 0};
    const double force = pair_barrier_force(&current, pair->x, pair->kind, weights, r);
    ck_assert_double_gt(force, 0);
    normalize3(r);
    for (int i = 0; i < 3 * (int)pair->kind; ++i)
        push[i % 3] -= gradient[i];
    if (current.parallel_threshold == 0 || edges_cross_sq(pair->x) >= current.parallel_threshold)
        for (int i = 0; i < 3; ++i)
            ck_assert_double_eq_tol(push[i], force * r[i], 1e-12 * force);
}

START_TEST(pair_derivatives)
{
    RandomState random = {83 + (uint64_t)_i};
    for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
        if (shape == FAR)
            continue; // rounded coordinates leave nothing to see of small changes
        for (int i = 0; i < CASES; ++i) {
            const KnownPair pair = known_pair(&random, _i, (Shape)shape);
            const double gap = pair.distance * (i % 2 == 0 ? 1 : random_between(&random, 0.1, 0.9));
            current = (PairBarrier){.stiffness = random_between(&random, 0.5, 2),
                                    .range = gap / random_between(&random, 0.05, 0.95),
                                    .separation = pair.distance - gap};
            check_pair(&pair, (Shape)shape, fmin(pair.length, fmin(gap, current.range - gap)));
        }
    }
}
END_TEST

// Edges below the threshold of the mollifier: all 9 types, by a threshold above what the edges span.
START_TEST(mollified_derivatives)
{
    RandomState random = {97 + (uint64_t)_i};
    if (pair_types[_i].kind != PAIR_EDGE_EDGE)
        return;
    for (int i = 0; i < 4 * CASES; ++i) {
        const KnownPair pair = known_pair(&random, _i, PLAIN);
        const double gap = pair.distance * (i % 2 == 0 ? 1 : 0.5), m = random_between(&random, 0.2, 0.8);
        current = (PairBarrier){.stiffness = 1,
                                .range = gap / random_between(&random, 0.05, 0.95),
                                .separation = pair.distance - gap,
                                .parallel_threshold = edges_cross_sq(pair.x) / m};
        double u[3], v[3], n[3]; // c changes by a multiple of itself when an end moves by |u x v|/|u|
        subtract3(pair.x + 3, pair.x, u);
        subtract3(pair.x + 9, pair.x + 6, v);
        cross3(u, v, n);
        const double width = 0.2 * norm3(n) / fmax(norm3(u), norm3(v));
        check_pair(&pair, PLAIN, fmin(fmin(pair.length, width), fmin(gap, current.range - gap)));
    }
}
END_TEST

// Random and degenerate pairs, mollified or not: the Hessian is positive semidefinite, the force balances.
START_TEST(hessians_are_positive)
{
    RandomState random = {103};
    int active = 0, parallel = 0;
    for (int i = 0; i < 20000; ++i) {
        const PairKind kind = i % 2 == 0 ? PAIR_POINT_TRIANGLE : PAIR_EDGE_EDGE;
        double x[12], p[12], gradient[12], hessian[144], u[3], v[3], sums[3] = {0};
        pair_case(&random, kind, i / 2, x, p);
        const double d = sqrt(closest_points(x, kind).distance_sq);
        if (!(d > 1e-13 * largest(x, 12)))
            continue;
        subtract3(x + 3, x, u);
        subtract3(x + 9, x + 6, v);
        current = (PairBarrier){.stiffness = 1, .range = d / random_between(&random, 0.001, 0.999)};
        if (kind == PAIR_EDGE_EDGE && i / 2 / PAIR_CASE_COUNT % 2 == 0)
            current.parallel_threshold = mollifier_threshold(dot3(u, u), dot3(v, v));
        parallel += current.parallel_threshold > edges_cross_sq(x);
        ++active;
        ck_assert(barrier_matrix(&current, x, kind, true, gradient, hessian));
        const double size = largest(hessian, 144);
        ck_assert_msg(size < INFINITY && is_positive(hessian, 1e-13 * size + DBL_MIN), "%s, kind %d, size %g",
                      pair_case_names[i / 2 % PAIR_CASE_COUNT], kind, size);
        for (int k = 0; k < 12; ++k)
            sums[k % 3] += gradient[k];
        ck_assert_double_le(largest(sums, 3), 1e-14 * largest(gradient, 12));
    }
    ck_assert_int_gt(active, 15000);
    ck_assert_int_gt(parallel, 500);
}
END_TEST

// Eight pairs of nearly parallel edges of different sizes: each has the Hessian that it has alone in another lane, bit by bit, whatever
// the others are and whichever instruction set there is.
START_TEST(lanes_are_independent)
{
    RandomState random = {107};
    for (int i = 0; i < 400; ++i) {
        ParallelPairs pairs;
        double x[LANE_COUNT][12], together[LANE_COUNT][PARALLEL_BLOCKS][9],
            alone[LANE_COUNT][PARALLEL_BLOCKS][9], (*to[LANE_COUNT])[PARALLEL_BLOCKS][9],
            (*to_alone[LANE_COUNT])[PARALLEL_BLOCKS][9];
        PairBarrier barriers[LANE_COUNT];
        PairBarrierState states[LANE_COUNT];
        for (int lane = 0; lane < LANE_COUNT; ++lane) {
            const double size = pow(10, random_between(&random, -5, 2)),
                         angle = random_between(&random, 0, 0.03);
            for (int k = 0; k < 12; ++k)
                x[lane][k] =
                    size *
                    (k % 6 == 3 ? 1 : (k % 6 == 4 && k > 6 ? angle : 0.2 * random_between(&random, 0, 1)));
            const double d = sqrt(closest_points(x[lane], PAIR_EDGE_EDGE).distance_sq);
            barriers[lane] = (PairBarrier){.stiffness = pow(10, random_between(&random, -3, 3)),
                                           .range = d / random_between(&random, 0.05, 0.95),
                                           .parallel_threshold = edges_cross_sq(x[lane]) /
                                                                 random_between(&random, 0.001, 0.99)};
            ck_assert(pair_barrier_state(&barriers[lane], x[lane], PAIR_EDGE_EDGE, &states[lane]));
            ck_assert(states[lane].nearly_parallel);
            parallel_pairs_set(&barriers[lane], x[lane], &states[lane], lane, &pairs);
            to[lane] = &together[lane];
            to_alone[lane] = &alone[lane];
        }
        const bool project = i % 2 == 0;
        kernels_choose()->parallel_hessians(&pairs, project, to);
        for (int lane = 0; lane < LANE_COUNT; ++lane) {
            const int other = (lane + 1 + i % (LANE_COUNT - 1)) % LANE_COUNT;
            for (int l = 0; l < LANE_COUNT; ++l)
                parallel_pairs_clear(l, &pairs);
            parallel_pairs_set(&barriers[lane], x[lane], &states[lane], other, &pairs);
            parallel_hessians(&pairs, project, to_alone);
            ck_assert_mem_eq(alone[other], together[lane], sizeof together[lane]);
        }
    }
}
END_TEST

START_TEST(pair_limits)
{
    double x[12] = {0.2, 0.2, 0.5, 0, 0, 0, 1, 0, 0, 0, 1, 0}, values[144];
    current = (PairBarrier){.stiffness = 1, .range = 0.3, .separation = 0.2};
    ck_assert_double_eq(pair_barrier_energy(&current, x, PAIR_POINT_TRIANGLE), 0); // just beyond
    ck_assert(!pair_barrier_gradient(&current, x, PAIR_POINT_TRIANGLE, values));
    ck_assert(!barrier_matrix(&current, x, PAIR_POINT_TRIANGLE, true, values, values));
    ck_assert_double_eq(pair_barrier_force(&current, x, PAIR_POINT_TRIANGLE, values, values), 0);
    x[2] = 0.35;
    ck_assert_double_eq_tol(pair_barrier_energy(&current, x, PAIR_POINT_TRIANGLE), 0.17328679514, 1e-11);
    x[2] = 0.2;
    ck_assert_double_eq(pair_barrier_energy(&current, x, PAIR_POINT_TRIANGLE), INFINITY);
    x[2] = 0;
    ck_assert_double_eq(pair_barrier_energy(&current, x, PAIR_POINT_TRIANGLE), INFINITY);
    x[2] = NAN;
    ck_assert_double_eq(pair_barrier_energy(&current, x, PAIR_POINT_TRIANGLE), INFINITY);
}
END_TEST

// ---------------------------------------------------------------- planes
START_TEST(plane_derivatives)
{
    RandomState random = {113};
    for (int i = 0; i < 200; ++i) {
        const double gap = random_between(&random, 0.05, 1), separation = i % 2 == 0 ? 0 : 0.3;
        const PlaneBarrier plane = {
            .stiffness = 2, .range = gap / random_between(&random, 0.05, 0.95), .separation = separation};
        double x[9], normal[3], tangents[2][3], gradient[9], block[9];
        do
            random_vector(&random, 1, normal);
        while (norm3(normal) < 0.1);
        random_vector(&random, 1, x + 3);
        tangent_basis(normal, tangents);
        for (int axis = 0; axis < 3; ++axis) {
            x[6 + axis] = x[3 + axis] + normal[axis];
            x[axis] = x[3 + axis] + (gap + separation) * normal[axis] / norm3(normal) + tangents[0][axis];
        }
        ck_assert(plane_barrier_hessian(&plane, x, gradient, block));
        const double step = 1e-3 * fmin(gap, plane.range - gap), size = norm3(gradient);
        for (int k = 0; k < 3; ++k) {
            double ahead[9], behind[9], one[9], two[9];
            memcpy(ahead, x, sizeof x), memcpy(behind, x, sizeof x);
            ahead[k] += step, behind[k] -= step;
            const double slope =
                (plane_barrier_energy(&plane, ahead) - plane_barrier_energy(&plane, behind)) / (2 * step);
            ck_assert_double_eq_tol(gradient[k], slope, 1e-5 * size);
            ck_assert(plane_barrier_gradient(&plane, ahead, one) &&
                      plane_barrier_gradient(&plane, behind, two));
            for (int row = 0; row < 3; ++row)
                ck_assert_double_eq_tol(block[3 * row + k], (one[row] - two[row]) / (2 * step),
                                        1e-5 * largest(block, 9));
            // A plane that is carried along: c and the tip together.
            memcpy(ahead, x, sizeof x), memcpy(behind, x, sizeof x);
            ahead[3 + k] += step, ahead[6 + k] += step, behind[3 + k] -= step, behind[6 + k] -= step;
            const double carried =
                (plane_barrier_energy(&plane, ahead) - plane_barrier_energy(&plane, behind)) / (2 * step);
            ck_assert_double_eq_tol(gradient[3 + k] + gradient[6 + k], carried, 1e-5 * size);
            ck_assert_double_eq(gradient[3 + k], -gradient[k]);
        }
        double n[3];
        ck_assert_double_eq_tol(plane_barrier_force(&plane, x, n), size, 1e-12 * size);
        ck_assert_double_eq_tol(-dot3(n, gradient), size, 1e-12 * size);
    }
    const PlaneBarrier plane = {.stiffness = 1, .range = 0.1, .separation = 0.01};
    double x[9] = {0, 0, 0.01, 0, 0, 0, 0, 0, 1}, unused[9];
    ck_assert_double_eq(plane_barrier_energy(&plane, x), INFINITY);
    x[2] = 0.2;
    ck_assert_double_eq(plane_barrier_energy(&plane, x), 0);
    ck_assert(!plane_barrier_hessian(&plane, x, unused, unused));
    ck_assert_double_eq(plane_barrier_force(&plane, x, unused), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("contact_barrier");
    TCase *cases = tcase_create("contact_barrier");
    tcase_add_test(cases, barrier_numbers);
    tcase_add_test(cases, weights_by_the_smaller_side);
    tcase_add_loop_test(cases, pair_derivatives, 0, PAIR_TYPES);
    tcase_add_loop_test(cases, mollified_derivatives, 0, PAIR_TYPES);
    tcase_add_test(cases, hessians_are_positive);
    tcase_add_test(cases, lanes_are_independent);
    tcase_add_test(cases, pair_limits);
    tcase_add_test(cases, plane_derivatives);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}
