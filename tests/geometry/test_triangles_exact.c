// Intersection of triangles against exact arithmetic (exact_triangles.h), degenerate pairs included.
// usage: test_triangles_exact [pairs of each kind, 40000]
#include "check_main.h"

#ifndef VELA_HAVE_GMP

int main(void)
{
    fprintf(stderr,
            "skipped: vela was built without GMP (libgmp-dev), which this test proves its results with\n");
    return 77;
}

#else

#include "exact_triangles.h"
#include "random_matrix.h"

#include "geometry/orientation.h"
#include "geometry/triangle_intersection.h"

static int pair_count = 40000;

enum { SHAPES = 12 };

/// Every kind of pair, p and q apart from each other in index only: general, on a small grid (with all coincidences and
/// triangles without an area), in one rounded plane, nearly touching, far from the origin, thin, tiny beside large.
static void random_pair(RandomState *random, int index, double p[9], double q[9])
{
    double *const both[2] = {p, q};
    const int shape = index % SHAPES;
    double R[9], shift[3];
    random_rotation(random, R);
    for (int k = 0; k < 3; ++k)
        shift[k] = random_between(random, -1, 1) * (shape == 7 ? 1e6 : 1);
    for (int i = 0; i < 18; ++i) {
        double *x = &both[i / 9][i % 9];
        *x = random_between(random, -1, 1);
        if (shape == 1 || shape == 2) // a grid of 5^3 or of 3^3
            *x = floor(*x * (shape == 1 ? 2.5 : 1.5) + 0.5);
        if (shape == 3 || shape == 4) // a grid of 5^2, turned below; 4: and exact
            *x = i % 3 == 2 ? 0.5 : floor(*x * 2.5 + 0.5);
        if (shape == 5) // in one plane up to rounding
            *x = i % 3 == 2 ? 0.25 : *x;
        if (shape == 6) // thin
            *x *= i % 3 == 2 ? 1e-14 : 1;
        if (shape == 9) // on one line
            *x = i % 3 > 0 ? x[-1] : *x;
    }
    for (int vertex = 0; vertex < 6 && shape >= 3 && shape != 4 && shape != 8 && shape != 9 && shape < 10;
         ++vertex) {
        double *x = both[vertex / 3] + 3 * (vertex % 3);
        matrix3_apply(R, x, x);
        add_scaled3(x, 1, shift, x);
    }
    if (shape == 8) // tiny, at a point or a corner of a large one
        for (int i = 0; i < 9; ++i)
            q[i] = p[i % 3] + 1e-9 * q[i] + (index / SHAPES % 2 == 0 ? 0.3 * (p[6 + i % 3] - p[i % 3]) : 0);
    if (shape == 10) { // a corner of q in p, up to rounding
        const double s = random_between(random, -0.2, 1), t = random_between(random, -0.2, 1);
        for (int k = 0; k < 3; ++k)
            q[6 + k] = p[k] + s * (p[3 + k] - p[k]) + t * (p[6 + k] - p[k]);
    }
    if (shape == 11) // an edge of q through one of p, up to rounding
        for (int k = 0; k < 3; ++k)
            q[3 + k] = p[k] + p[3 + k] - q[k];
}

static void fail_pair(const char *what, int index, bool found, const double p[9], const double q[9])
{
    fprintf(stderr, "%s, pair %d: found %d\n", what, index, found);
    for (int vertex = 0; vertex < 6; ++vertex) {
        const double *x = vertex < 3 ? p + 3 * vertex : q + 3 * (vertex - 3);
        fprintf(stderr, "  %a %a %a\n", x[0], x[1], x[2]);
    }
    ck_abort_msg("%s", what);
}

typedef bool (*PairTest)(const double p[9], const double q[9]);
typedef bool (*ExactTest)(ExactVectors *e, const double p[9], const double q[9]);

/// `shared` corners of q are those of p.
static void check_pairs(const char *what, int shared, PairTest test, ExactTest exact)
{
    RandomState random = {211 + (uint64_t)shared};
    ExactVectors e;
    exact_start(&e);
    int meet = 0;
    for (int i = 0; i < pair_count; ++i) {
        double p[9], q[9];
        random_pair(&random, i, p, q);
        memcpy(q, p, 3 * (size_t)shared * sizeof *q);
        const bool found = test(p, q);
        if (found != exact(&e, p, q) || found != test(q, p))
            fail_pair(what, i, found, p, q);
        meet += found;
    }
    exact_end(&e);
    ck_assert_int_gt(meet, pair_count / 20);
    ck_assert_int_lt(meet, pair_count - pair_count / 20);
}

START_TEST(any_triangles)
{
    check_pairs("triangles_meet", 0, triangles_meet, exact_triangles_meet);
}
END_TEST

START_TEST(triangles_with_a_common_corner)
{
    check_pairs("triangles_meet_beyond_corner", 1, triangles_meet_beyond_corner, exact_meet_beyond_corner);
}
END_TEST

START_TEST(triangles_with_a_common_edge)
{
    check_pairs("triangles_meet_beyond_edge", 2, triangles_meet_beyond_edge, exact_meet_beyond_edge);
}
END_TEST

// Signs of points in a rounded plane and on a rounded line, and of neighbours of them.
START_TEST(orientations)
{
    RandomState random = {223};
    ExactVectors e;
    exact_start(&e);
    int zeros = 0;
    for (int i = 0; i < pair_count; ++i) {
        double p[9], q[9];
        random_pair(&random, i, p, q);
        if (i % 4 == 3)
            q[i % 3] = nextafter(q[i % 3], 2);
        exact_set(&e, p, q);
        e.count = 0;
        for (int corner = 0; corner < 3; ++corner)
            exact_append(&e, false, &e.corner[0][3 * corner], &e.corner[1][0]);
        exact_cross(e.v[1], e.v[2], e.cross[1][2]);
        const int sign = exact_dot_sign(&e, e.v[0], e.cross[1][2]);
        zeros += sign == 0;
        ck_assert_int_eq(orientation3(p, p + 3, p + 6, q), sign);
        ck_assert_int_eq(orientation3(p + 3, p, p + 6, q), -sign);
        exact_cross(e.v[0], e.v[1], e.cross[0][1]);
        ck_assert_int_eq(orientation2(p, p + 3, q), mpz_sgn(e.cross[0][1][2]));
        // p_0 as a normal.
        e.count = 0;
        exact_append(&e, false, &e.corner[1][0], &e.corner[0][3]);
        ck_assert_int_eq(side_of_plane(p, p + 3, q), exact_dot_sign(&e, e.corner[0], e.v[0]));
    }
    ck_assert_int_gt(zeros, pair_count / 20);
    exact_end(&e);
}
END_TEST

int main(int argc, char **argv)
{
    if (argc > 1)
        pair_count = atoi(argv[1]);
    Suite *suite = suite_create("triangles_exact");
    TCase *cases = tcase_create("triangles_exact");
    tcase_add_test(cases, any_triangles);
    tcase_add_test(cases, triangles_with_a_common_corner);
    tcase_add_test(cases, triangles_with_a_common_edge);
    tcase_add_test(cases, orientations);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}

#endif
