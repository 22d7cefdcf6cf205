// Collision detection of one pair where the answer is known; tests/geometry proves it for any pair.
#include "check_main.h"
#include "random_matrix.h"

#include "geometry/ccd.h"

#include <string.h>

/// A point above a triangle and an edge above another, at height 1; the first primitive moves by `motion`.
typedef struct Approach {
    double x[12], p[12];
} Approach;

static const PairKind kinds[2] = {PAIR_POINT_TRIANGLE, PAIR_EDGE_EDGE};

static Approach approach(PairKind kind, const double motion[3])
{
    static const double x[2][12] = {{0.25, 0.25, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0},
                                    {0.5, -1, 1, 0.5, 1, 1, 0, 0, 0, 1, 0, 0}};
    Approach result = {{0}, {0}};
    memcpy(result.x, x[kind - 1], sizeof result.x);
    for (int i = 0; i < 3 * (int)kind; ++i)
        result.p[i] = motion[i % 3];
    return result;
}

static double run(const Approach *a, PairKind kind, double separation)
{
    int turns;
    return ccd_pair(a->x, a->p, kind, separation, &turns);
}

START_TEST(head_on)
{
    const PairKind kind = kinds[_i];
    static const double speeds[] = {1e12, 1e6, 1e3, 2, 1.25};
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; ++i) {
        const Approach a = approach(kind, (const double[3]){0, 0, -speeds[i]});
        ck_assert_double_eq_tol(run(&a, kind, 0) * speeds[i], 0.9, 1e-12);
        // A separation of 0.4 leaves a gap of 0.6.
        ck_assert_double_eq_tol(run(&a, kind, 0.4) * speeds[i], 0.54, 1e-12);
    }
    const Approach near = approach(kind, (const double[3]){0, 0, -0.8}); // ends before the kept gap
    ck_assert_double_eq(run(&near, kind, 0), 1);
}
END_TEST

START_TEST(nothing_in_the_way)
{
    const PairKind kind = kinds[_i];
    const double motions[5][3] = {{0, 0, 0}, {0, 0, 1e6}, {1e9, -1e9, 0}, {5, 3, -0.85}, {-1e-300, 0, 0}};
    for (int i = 0; i < 5; ++i) {
        const Approach a = approach(kind, motions[i]);
        ck_assert_double_eq(run(&a, kind, 0), 1);
    }
    // All vertices together, as fast as they like.
    Approach together = approach(kind, (const double[3]){0, 0, 0});
    for (int i = 0; i < 12; ++i)
        together.p[i] = (i % 3 - 1) * 1e9;
    ck_assert_double_eq(run(&together, kind, 0), 1);
    // Past each other: the first primitive is beside the other one when it comes down to it.
    const Approach beside = approach(kind, (const double[3]){8, 0, -2});
    ck_assert_double_eq(run(&beside, kind, 0), 1);
}
END_TEST

START_TEST(no_room)
{
    const PairKind kind = kinds[_i];
    const Approach a = approach(kind, (const double[3]){0, 0, -2});
    ck_assert_double_eq(run(&a, kind, 1), 0);
    ck_assert_double_eq(run(&a, kind, 3), 0);
    Approach touching = a;
    for (int i = 0; i < (int)kind; ++i)
        touching.x[3 * i + 2] = 0;
    ck_assert_double_eq(run(&touching, kind, 0), 0);
    for (int i = 0; i < 12; ++i) {
        Approach broken = a;
        broken.x[i] = NAN;
        ck_assert_double_eq(run(&broken, kind, 0), 0);
        broken = a;
        broken.p[i] = INFINITY;
        ck_assert_double_eq(run(&broken, kind, 0), 0);
    }
}
END_TEST

// The same pair with its edge or triangle shrunk to a segment or to a point: between points the result is the same.
START_TEST(shrunk_primitives)
{
    const PairKind kind = kinds[_i];
    for (int shrink = 0; shrink < 3; ++shrink) {
        Approach a = approach(kind, (const double[3]){0, 0, -2});
        for (int i = 0; i < 12; ++i) {
            const bool second = i >= 3 * (int)kind;
            if (second && shrink != 1) // the second becomes the point below the first
                a.x[i] = i % 3 == 2 ? 0 : kind == PAIR_POINT_TRIANGLE ? 0.25 : i % 3 == 0 ? 0.5 : 0;
            if (!second && shrink != 0)
                a.x[i] = i % 3 == 2 ? 1 : kind == PAIR_POINT_TRIANGLE ? 0.25 : i % 3 == 0 ? 0.5 : 0;
        }
        ck_assert_double_eq_tol(run(&a, kind, 0), 0.45, 1e-12);
    }
}
END_TEST

// Parallel edges that fall flat on each other, apart along their line, and end to end.
START_TEST(parallel_edges)
{
    const double on_top[12] = {0, 0, 1, 1, 0, 1, 0.5, 0, 0, 2, 0, 0},
                 end_to_end[12] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 4, 0, 0};
    const double down[12] = {0, 0, -2, 0, 0, -2}, along[12] = {2, 0, 0, 2, 0, 0},
                 back[12] = {-2, 0, 0, -2, 0, 0};
    int turns;
    ck_assert_double_eq_tol(ccd_pair(on_top, down, PAIR_EDGE_EDGE, 0, &turns), 0.45, 1e-12);
    ck_assert_double_eq(ccd_pair(on_top, along, PAIR_EDGE_EDGE, 0, &turns), 1);
    ck_assert_double_eq_tol(ccd_pair(end_to_end, along, PAIR_EDGE_EDGE, 0, &turns), 0.45, 1e-12);
    ck_assert_double_eq(ccd_pair(end_to_end, back, PAIR_EDGE_EDGE, 0, &turns), 1);
}
END_TEST

// Where the pair stands and how large it is makes no difference, down to gaps of 1e-9.
START_TEST(place_and_size)
{
    const PairKind kind = kinds[_i];
    RandomState random = {5};
    for (int i = 0; i < 1000; ++i) {
        double R[9], shift[3];
        random_rotation(&random, R);
        const double size = pow(10, random_between(&random, -9, 6));
        for (int axis = 0; axis < 3; ++axis)
            shift[axis] = random_between(&random, -1e3, 1e3) * size;
        Approach a = approach(kind, (const double[3]){0.3, 0.1, -2});
        const double expected = run(&a, kind, 0);
        for (int vertex = 0; vertex < 4; ++vertex) {
            matrix3_apply(R, a.x + 3 * vertex, a.x + 3 * vertex);
            matrix3_apply(R, a.p + 3 * vertex, a.p + 3 * vertex);
        }
        for (int k = 0; k < 12; ++k) {
            a.x[k] = size * a.x[k] + shift[k % 3];
            a.p[k] *= size;
        }
        ck_assert_double_eq_tol(run(&a, kind, 0), expected, 1e-11);
    }
}
END_TEST

START_TEST(planes)
{
    const double up[3] = {0, 0, 1}, x[3] = {3, 4, 2}, down[3] = {1, 0, -4};
    ck_assert_double_eq_tol(ccd_plane(x, down, up, 0, 0), 0.45, 1e-12);
    ck_assert_double_eq_tol(ccd_plane(x, down, up, 1, 0.5), 0.1125, 1e-12);
    ck_assert_double_eq(ccd_plane(x, (const double[3]){9, 9, 0}, up, 0, 0), 1);
    ck_assert_double_eq(ccd_plane(x, (const double[3]){0, 0, 1}, up, 5, 0), 1); // below it, on the way out
    ck_assert_double_eq(ccd_plane(x, (const double[3]){0, 0, -1}, up, 0, 0), 1);
    ck_assert_double_eq(ccd_plane(x, down, up, 2, 0), 0);
    ck_assert_double_eq(ccd_plane(x, down, up, 1.5, 0.5), 0);
    ck_assert_double_eq(ccd_plane((const double[3]){NAN, 0, 1}, down, up, 0, 0), 0);
    ck_assert_double_eq(ccd_plane(x, (const double[3]){0, NAN, 1}, up, 0, 0), 0);

    // Any plane: a tenth of the gap is left, or nothing was in the way; the numbers below are far from any rounding.
    RandomState random = {8};
    for (int i = 0; i < 10000; ++i) {
        double normal[3], point[3], motion[3], end[3];
        for (int axis = 0; axis < 3; ++axis) {
            normal[axis] = random_between(&random, -1, 1);
            point[axis] = random_between(&random, -1e3, 1e3);
            motion[axis] = random_between(&random, -1, 1) * pow(10, random_between(&random, -3, 6));
        }
        normalize3(normal);
        const double gap = pow(10, random_between(&random, -6, 3)), offset = dot3(normal, point) - gap;
        const double t = ccd_plane(point, motion, normal, offset, 0);
        add_scaled3(point, t, motion, end);
        const double left = dot3(normal, end) - offset, rounding = 3e-14 * (1e3 + t * norm3(motion));
        ck_assert_double_gt(left, 0.1 * gap - rounding);
        if (t < 1)
            ck_assert_double_lt(left, 0.1 * gap + rounding);
        ck_assert_double_gt(t, 0);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ccd");
    TCase *cases = tcase_create("ccd");
    tcase_add_loop_test(cases, head_on, 0, 2);
    tcase_add_loop_test(cases, nothing_in_the_way, 0, 2);
    tcase_add_loop_test(cases, no_room, 0, 2);
    tcase_add_loop_test(cases, shrunk_primitives, 0, 2);
    tcase_add_test(cases, parallel_edges);
    tcase_add_loop_test(cases, place_and_size, 0, 2);
    tcase_add_test(cases, planes);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}
