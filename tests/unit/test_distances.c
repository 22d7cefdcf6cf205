// Distances of pairs: closest features, closed forms and finite differences (theory.md section 8), mollifier, tangents.
#include "check_main.h"
#include "distance_hessians.h"
#include "known_pair.h"

#include "geometry/distance.h"
#include "geometry/mollifier.h"
#include "geometry/tangent.h"

enum { CASES = 40 };

// Every type is found, with its distance and weights, on plain and on degenerate pairs.
START_TEST(types_are_found)
{
    RandomState random = {11 + (uint64_t)_i};
    for (int shape = 0; shape < SHAPE_COUNT; ++shape)
        for (int i = 0; i < CASES; ++i) {
            const KnownPair pair = known_pair(&random, _i, (Shape)shape);
            const ClosestPoints closest = closest_points(pair.x, pair.kind);
            ck_assert_int_eq(closest.active, pair.active);
            const double rounding = shape == FAR ? 1e-12 : 1e-15;
            ck_assert_double_eq_tol(sqrt(closest.distance_sq), pair.distance, 8 * rounding);
            assert_close("weights", &pair, (Shape)shape, closest.weights, pair.weights, 4,
                         8 * rounding / (pair.length * pair.length));
            ck_assert_double_eq(dot3(closest.r, closest.r), closest.distance_sq);
            double r[3] = {0, 0, 0};
            for (int vertex = 0; vertex < 4; ++vertex)
                add_scaled3(r, closest.weights[vertex], pair.x + 3 * vertex, r);
            assert_close("r", &pair, (Shape)shape, r, closest.r, 3, 8 * rounding);
        }
}
END_TEST

/// Squared distance of the lines and planes of a type by the closed forms of theory.md.
static double closed_form(const KnownPair *pair)
{
    const double *active[4];
    int count = 0;
    for (int vertex = 0; vertex < 4; ++vertex)
        if ((pair->active >> vertex & 1) != 0)
            active[count++] = pair->x + 3 * vertex;
    double u[3], v[3], n[3];
    if (count == 2) { // |x0 - x1|^2
        subtract3(active[0], active[1], u);
        return dot3(u, u);
    }
    if (count == 3) { // |(x1 - x0) x (x2 - x0)|^2/|x2 - x1|^2 with x0 the vertex that stands alone
        const bool last_alone = pair->kind == PAIR_EDGE_EDGE && (pair->active & 3) == 3;
        const double *point = active[last_alone ? 2 : 0], *start = active[last_alone ? 0 : 1],
                     *end = active[last_alone ? 1 : 2];
        subtract3(start, point, u);
        subtract3(end, point, v);
        cross3(u, v, n);
        subtract3(end, start, u);
        return dot3(n, n) / dot3(u, u);
    }
    // ((x0 - x1).n)^2/|n|^2 for the face, ((x2 - x0).n)^2/|n|^2 for two edges
    const double *base = active[pair->kind];
    subtract3(active[pair->kind == PAIR_EDGE_EDGE ? 1 : 2], active[pair->kind == PAIR_EDGE_EDGE ? 0 : 1], u);
    subtract3(active[3], base, v);
    cross3(u, v, n);
    subtract3(active[0], base, u);
    return dot3(u, n) * dot3(u, n) / dot3(n, n);
}

START_TEST(closed_forms_agree)
{
    RandomState random = {23 + (uint64_t)_i};
    for (int i = 0; i < CASES; ++i) {
        const KnownPair pair = known_pair(&random, _i, PLAIN);
        ck_assert_double_eq_tol(closest_points(pair.x, pair.kind).distance_sq, closed_form(&pair), 1e-14);
    }
}
END_TEST

static void evaluate_distance_sq(const double x[12], PairKind kind, double *values)
{
    values[0] = closest_points(x, kind).distance_sq;
}

static void evaluate_distance(const double x[12], PairKind kind, double *values)
{
    values[0] = sqrt(closest_points(x, kind).distance_sq);
}

static void evaluate_distance_sq_gradient(const double x[12], PairKind kind, double *values)
{
    const ClosestPoints closest = closest_points(x, kind);
    distance_sq_gradient(&closest, values);
}

static void evaluate_distance_gradient(const double x[12], PairKind kind, double *values)
{
    const ClosestPoints closest = closest_points(x, kind);
    distance_gradient(&closest, values);
}

static void evaluate_distance_sq_hessian(const double x[12], PairKind kind, double *values)
{
    const ClosestPoints closest = closest_points(x, kind);
    distance_sq_hessian(x, kind, &closest, values);
}

static void evaluate_distance_hessian(const double x[12], PairKind kind, double *values)
{
    const ClosestPoints closest = closest_points(x, kind);
    distance_hessian(x, kind, &closest, values);
}

/// Function, gradient and Hessian against each other, to 1e-8 of the largest entry.
static void check_derivatives(const char *name, const KnownPair *pair, Shape shape, PairFunction value,
                              PairFunction gradient, PairFunction hessian)
{
    const double step = 8e-3 * pair->length;
    double found[144], expected[144];
    gradient(pair->x, pair->kind, found);
    differentiate(value, 1, pair->x, pair->kind, step, expected);
    assert_close(name, pair, shape, found, expected, 12, 1e-8 * largest(found, 12));
    hessian(pair->x, pair->kind, found);
    differentiate(gradient, 12, pair->x, pair->kind, step, expected);
    assert_close(name, pair, shape, found, expected, 144, 1e-8 * largest(found, 144));
    for (int row = 0; row < 12; ++row) {
        double sums[3] = {0, 0, 0};
        for (int column = 0; column < 12; ++column) {
            ck_assert_double_eq(found[12 * row + column], found[12 * column + row]);
            sums[column % 3] += found[12 * row + column]; // a common displacement changes nothing
        }
        ck_assert_double_lt(largest(sums, 3), 1e-11 * largest(found, 144));
    }
}

START_TEST(finite_differences)
{
    RandomState random = {37 + (uint64_t)_i};
    for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
        if (shape == FAR)
            continue; // rounded coordinates leave nothing to see of a change of 1e-8
        for (int i = 0; i < CASES; ++i) {
            const KnownPair pair = known_pair(&random, _i, (Shape)shape);
            check_derivatives("D", &pair, (Shape)shape, evaluate_distance_sq, evaluate_distance_sq_gradient,
                              evaluate_distance_sq_hessian);
            check_derivatives("d", &pair, (Shape)shape, evaluate_distance, evaluate_distance_gradient,
                              evaluate_distance_hessian);
        }
    }
}
END_TEST

// Across the border between two types, D and its gradient are continuous.
/// The nearest of a vertex of the one and an edge of the other.
static void rim_closest(const double x[12], PairKind kind, ClosestPoints *best)
{
    *best = (ClosestPoints){.distance_sq = INFINITY};
    for (int i = 0; i < 3 && kind == PAIR_POINT_TRIANGLE; ++i)
        closest_on_segment(x, kind, 0, 1 + i, 1 + (i + 1) % 3, best);
    for (int i = 0; i < 4 && kind == PAIR_EDGE_EDGE; ++i)
        closest_on_segment(x, kind, i, i < 2 ? 2 : 0, i < 2 ? 3 : 1, best);
}

static double rim_distance_sq(const double x[12], PairKind kind)
{
    ClosestPoints best;
    rim_closest(x, kind, &best);
    return best.distance_sq;
}

// What is taken for well inside without a look at the rim: nothing there is closer, whatever the pair's size, distance and thinness, to
// the very edge of what counts as inside and as not parallel.
START_TEST(nothing_on_the_rim_is_closer)
{
    RandomState random = {211};
    int inside[3] = {0};
    for (int i = 0; i < 400000; ++i) {
        const PairKind kind = i % 2 == 0 ? PAIR_POINT_TRIANGLE : PAIR_EDGE_EDGE;
        const double size = pow(10, random_between(&random, -4, 3)),
                     thin = pow(10, random_between(&random, -3, 0));
        const double apart = size * pow(10, random_between(&random, -6, 3));
        double R[9], x[12], flat[3];
        random_rotation(&random, R);
        for (int vertex = 0; vertex < 4; ++vertex) {
            flat[0] = size * random_between(&random, -1, 1);
            flat[1] = size * thin * random_between(&random, -1, 1);
            flat[2] = vertex < (int)kind ? apart : 0;
            matrix3_apply(R, flat, x + 3 * vertex);
        }
        ClosestPoints inner = {.distance_sq = INFINITY};
        if (!closest_inside(x, kind, &inner))
            continue;
        ++inside[kind];
        const ClosestPoints closest = closest_points(x, kind);
        ck_assert_int_eq(closest.active, PAIR_ALL_VERTICES);
        ck_assert_double_eq(closest.distance_sq, inner.distance_sq);
        const double rounding = 1e-14 * (inner.distance_sq + size * sqrt(inner.distance_sq));
        ck_assert_msg(rim_distance_sq(x, kind) >= inner.distance_sq - rounding,
                      "case %d: %.17g on the rim, %.17g", i, rim_distance_sq(x, kind), inner.distance_sq);
    }
    ck_assert_int_gt(inside[PAIR_POINT_TRIANGLE], 3000);
    ck_assert_int_gt(inside[PAIR_EDGE_EDGE], 10000);
}
END_TEST

// A pair of any size. `plain`: neither thin nor far apart; `on_grid`: ties are many.
static void random_pair(RandomState *random, PairKind kind, bool plain, bool on_grid, double x[12])
{
    const double size = pow(10, random_between(random, -4, 3)),
                 thin = plain ? 1 : pow(10, random_between(random, -5, 0)),
                 apart = size * pow(10, random_between(random, plain ? -2 : -6, plain ? 0 : 3));
    double R[9], flat[3];
    random_rotation(random, R);
    for (int vertex = 0; vertex < 4; ++vertex) {
        flat[0] = size * random_between(random, -1, 1);
        flat[1] = size * thin * random_between(random, -1, 1);
        flat[2] = vertex < (int)kind ? apart : size * thin * random_between(random, -1, 1);
        matrix3_apply(R, flat, x + 3 * vertex);
    }
    for (int i = 0; i < 12 && on_grid; ++i)
        x[i] = size * round(2 * x[i] / size);
}

static bool is_same(const ClosestPoints *a, const ClosestPoints *b)
{
    return a->active == b->active && memcmp(a->weights, b->weights, sizeof a->weights) == 0 &&
           memcmp(a->r, b->r, sizeof a->r) == 0 && a->distance_sq == b->distance_sq;
}

// What signs tell of the rim is what all points and segments tell, bit by bit; of plain pairs something is next to always told.
START_TEST(signs_tell_what_all_segments_tell)
{
    RandomState random = {223};
    int told[16] = {0}, untold = 0;
    for (int i = 0; i < 600000; ++i) {
        const PairKind kind = i % 2 == 0 ? PAIR_POINT_TRIANGLE : PAIR_EDGE_EDGE;
        double x[12];
        const bool plain = i % 20 < 10;
        random_pair(&random, kind, plain, i % 20 >= 18, x);
        ClosestPoints rim = {.distance_sq = INFINITY}, all = rim, inner = rim;
        const bool is_told = kind == PAIR_POINT_TRIANGLE ? closest_on_rim(x, &rim) : closest_at_end(x, &rim);
        const bool is_inside = closest_inside(x, kind, &inner);
        rim_closest(x, kind, &all);
        if (!is_told) {
            untold += plain && !is_inside && !(inner.distance_sq < all.distance_sq);
            continue;
        }
        ck_assert_msg(!is_inside && !(inner.distance_sq < all.distance_sq), "case %d: inside is closer", i);
        ck_assert_msg(is_same(&rim, &all), "case %d: %d, %.17g, expected %d, %.17g", i, rim.active,
                      rim.distance_sq, all.active, all.distance_sq);
        ++told[kind == PAIR_POINT_TRIANGLE ? rim.active >> 1 : rim.active];
    }
    // Of a triangle's point: vertices 1, 2, 4, edges 3, 5, 6. Of two edges: 5, 6, 9, 10 and 7, 11, 13, 14.
    for (int active = 1; active < 15; ++active)
        ck_assert_msg(told[active] > (active == 8 || active == 12 ? -1 : 1000), "%d: %d", active,
                      told[active]);
    ck_assert_int_lt(untold, 300);
}
END_TEST

START_TEST(ties)
{
    RandomState random = {51};
    int changes = 0;
    for (int i = 0; i < 20000; ++i) {
        const PairKind kind = i % 2 == 0 ? PAIR_POINT_TRIANGLE : PAIR_EDGE_EDGE;
        double x[2][12], middle[12], gradients[2][12];
        ClosestPoints closest[2];
        for (int k = 0; k < 12; ++k) {
            x[0][k] = random_between(&random, -1, 1);
            x[1][k] = x[0][k] + random_between(&random, -0.2, 0.2);
        }
        closest[0] = closest_points(x[0], kind);
        closest[1] = closest_points(x[1], kind);
        const FreeDirections all = free_directions(x[0], kind, PAIR_ALL_VERTICES);
        double n[3];
        cross3(all.r[0], all.r[1], n);
        // The gradient may jump where edges are parallel, and turns quickly where they nearly are.
        if (closest[0].active == closest[1].active || norm3(n) < 0.5)
            continue;
        for (int halving = 0; halving < 60; ++halving) { // to two neighbours with different types
            for (int k = 0; k < 12; ++k)
                middle[k] = 0.5 * (x[0][k] + x[1][k]);
            const int side = closest_points(middle, kind).active == closest[0].active ? 0 : 1;
            memcpy(x[side], middle, sizeof middle);
            closest[side] = closest_points(middle, kind);
        }
        ++changes;
        ck_assert_int_ne(closest[0].active, closest[1].active);
        ck_assert_double_eq_tol(closest[0].distance_sq, closest[1].distance_sq, 1e-14);
        distance_sq_gradient(&closest[0], gradients[0]);
        distance_sq_gradient(&closest[1], gradients[1]);
        // Rounding of D by u is a shift of the closest points by sqrt(u).
        for (int k = 0; k < 12; ++k)
            ck_assert_double_eq_tol(gradients[0][k], gradients[1][k], 1e-5);
    }
    ck_assert_int_gt(changes, 1000);
}
END_TEST

// Primitives that have shrunk to a segment or to a point.
START_TEST(degenerate_primitives)
{
    static const struct {
        PairKind kind;
        double x[12], distance_sq;
        int active;
    } cases[] = {
        {PAIR_POINT_TRIANGLE, {0, 0, 2, 1, 0, 0, 1, 0, 0, 1, 0, 0}, 5, 3},        // a point
        {PAIR_POINT_TRIANGLE, {0, 0, 2, -1, 0, 0, 2, 0, 0, 2, 0, 0}, 4, 7},       // a segment
        {PAIR_POINT_TRIANGLE, {0.5, 0, 2, -1, 0, 0, 2, 0, 0, 0, 0, 0}, 4, 7},     // three points on a line
        {PAIR_POINT_TRIANGLE, {0.25, 0.25, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0}, 0, 15}, // in the triangle
        {PAIR_POINT_TRIANGLE, {2, 2, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0}, 4.5, 13},     // in its plane
        {PAIR_POINT_TRIANGLE, {0.5, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0}, 0, 7},      // on an edge
        {PAIR_POINT_TRIANGLE, {0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0}, 0, 9},        // on a vertex
        {PAIR_EDGE_EDGE, {0, 0, 1, 0, 0, 1, 3, 4, 1, 3, 4, 1}, 25, 5},            // two points
        {PAIR_EDGE_EDGE, {0, 0, 1, 0, 0, 1, -1, 0, 0, 3, 0, 0}, 1, 13},           // a point and an edge
        {PAIR_EDGE_EDGE, {-1, 0, 0, 3, 0, 0, 0, 0, 1, 0, 0, 1}, 1, 7},            // an edge and a point
        {PAIR_EDGE_EDGE, {0, 0, 0, 1, 0, 0, 0.5, 2, 0, 2, 2, 0}, 4, 14},          // parallel, overlapping
        {PAIR_EDGE_EDGE, {0, 0, 0, 1, 0, 0, 4, 4, 0, 2, 0, 0}, 1, 10},            // in one plane
        {PAIR_EDGE_EDGE, {0, 0, 0, 1, 0, 0, 3, 0, 0, 2, 0, 0}, 1, 10},            // on one line
        {PAIR_EDGE_EDGE, {0, 0, 0, 4, 0, 0, 1, 0, 0, 2, 0, 0}, 0, 7},             // on one line, overlapping
        {PAIR_EDGE_EDGE, {-1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 2, 0}, 0, 15},          // crossing
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const ClosestPoints closest = closest_points(cases[i].x, cases[i].kind);
        ck_assert_msg(closest.active == cases[i].active, "case %zu: active %d, expected %d", i,
                      closest.active, cases[i].active);
        ck_assert_double_eq_tol(closest.distance_sq, cases[i].distance_sq, 1e-15);
    }
    // Nothing is found among numbers that are none.
    double x[12];
    for (int i = 0; i < 12; ++i)
        x[i] = NAN;
    ck_assert_double_eq(closest_points(x, PAIR_EDGE_EDGE).distance_sq, INFINITY);
    ck_assert_int_eq(closest_points(x, PAIR_POINT_TRIANGLE).active, 0);
}
END_TEST

// ---------------------------------------------------------------- mollifier
static double threshold; ///< of the functions below

static void evaluate_mollifier(const double x[12], PairKind kind, double *values)
{
    (void)kind;
    values[0] = mollifier(x, threshold);
}

static void evaluate_mollifier_gradient(const double x[12], PairKind kind, double *values)
{
    (void)kind;
    mollifier_gradient(x, threshold, values);
}

static void evaluate_mollifier_hessian(const double x[12], PairKind kind, double *values)
{
    (void)kind;
    mollifier_hessian(x, threshold, values);
}

START_TEST(mollifier_derivatives)
{
    RandomState random = {61};
    for (int i = 0; i < 200; ++i) {
        KnownPair pair = known_pair(&random, PAIR_TYPES - 1, PLAIN);
        double u[3], v[3];
        subtract3(pair.x + 3, pair.x, u);
        subtract3(pair.x + 9, pair.x + 6, v);
        // Anywhere between parallel and the threshold; nearly parallel edges at the threshold they have at rest.
        threshold = edges_cross_sq(pair.x) / random_between(&random, 0.1, 0.9);
        if (i % 2 == 0) {
            threshold = mollifier_threshold(dot3(u, u), dot3(v, v));
            const double tilt = random_between(&random, 0.003, 0.025);
            for (int axis = 0; axis < 3; ++axis)
                pair.x[9 + axis] = pair.x[6 + axis] + 1.3 * u[axis] + tilt * v[axis];
            pair.length = 5e-3;
        }
        check_derivatives("e", &pair, PLAIN, evaluate_mollifier, evaluate_mollifier_gradient,
                          evaluate_mollifier_hessian);
    }
}
END_TEST

START_TEST(mollifier_values)
{
    double x[12] = {0, 0, 0, 2, 0, 0, 0, 0, 1, 3, 0, 1}, gradient[12], hessian[144];
    const double at_rest = mollifier_threshold(4, 9);
    ck_assert_double_eq_tol(at_rest, 0.036, 1e-17);
    ck_assert_double_eq(mollifier(x, at_rest), 0); // parallel
    mollifier_gradient(x, at_rest, gradient);
    ck_assert_double_eq(largest(gradient, 12), 0);
    x[10] = sqrt(0.5 * at_rest) / 2; // c = 4 x[10]^2
    ck_assert_double_eq_tol(mollifier(x, at_rest), 0.75, 1e-15);
    x[10] = 1;
    ck_assert_double_eq(mollifier(x, at_rest), 1);
    mollifier_gradient(x, at_rest, gradient);
    mollifier_hessian(x, at_rest, hessian);
    ck_assert_double_eq(largest(gradient, 12), 0);
    ck_assert_double_eq(largest(hessian, 144), 0);
}
END_TEST

// ---------------------------------------------------------------- tangents
START_TEST(tangents_span_the_plane)
{
    static const double special[][3] = {{1, 0, 0},           {0, -1, 0},          {0, 0, 1},
                                        {1, 1, 0},           {0, 1, -1},          {1, 1, 1},
                                        {-1, -1, -1},        {1e-200, 0, 2e-200}, {1e200, 1e200, 0},
                                        {1, 1e-300, 1e-300}, {-0.0, 1e-9, 0.0}};
    const int special_count = (int)(sizeof special / sizeof *special);
    RandomState random = {71};
    for (int i = 0; i < 1000 + special_count; ++i) {
        double normal[3], tangents[2][3];
        for (int axis = 0; axis < 3; ++axis)
            normal[axis] = i < special_count ? special[i][axis] : random_between(&random, -1, 1);
        tangent_basis(normal, tangents);
        const double scale = largest(normal, 3);
        for (int axis = 0; axis < 3; ++axis)
            normal[axis] /= scale;
        ck_assert_double_eq_tol(dot3(tangents[0], tangents[0]), 1, 1e-15);
        ck_assert_double_eq_tol(dot3(tangents[1], tangents[1]), 1, 1e-15);
        ck_assert_double_eq_tol(dot3(tangents[0], tangents[1]), 0, 1e-15);
        ck_assert_double_eq_tol(dot3(tangents[0], normal), 0, 1e-15);
        ck_assert_double_eq_tol(dot3(tangents[1], normal), 0, 1e-15);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("distances");
    TCase *cases = tcase_create("distances");
    tcase_add_loop_test(cases, types_are_found, 0, PAIR_TYPES);
    tcase_add_loop_test(cases, closed_forms_agree, 0, PAIR_TYPES);
    tcase_add_loop_test(cases, finite_differences, 0, PAIR_TYPES);
    tcase_add_test(cases, nothing_on_the_rim_is_closer);
    tcase_add_test(cases, signs_tell_what_all_segments_tell);
    tcase_add_test(cases, ties);
    tcase_add_test(cases, degenerate_primitives);
    tcase_add_test(cases, mollifier_derivatives);
    tcase_add_test(cases, mollifier_values);
    tcase_add_test(cases, tangents_span_the_plane);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}
