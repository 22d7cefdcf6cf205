// Closest features that stay the closest along a motion: what is told holds at points of the way, and is told of most motions that do
// not change them.
#include "check_main.h"
#include "random_matrix.h"

#include "geometry/lasting_features.h"
#include "geometry/mollifier.h"

enum { SAMPLES = 32 };

// A pair, and motions from a thousandth of its size to once its size, of which most is common to all vertices.
static void random_motion(RandomState *random, double x[12], double p[12])
{
    const double size = pow(10, random_between(random, -3, 2)),
                 length = size * pow(10, random_between(random, -3, 0));
    double common[3];
    for (int k = 0; k < 3; ++k)
        common[k] = 10 * length * random_between(random, -1, 1);
    for (int i = 0; i < 12; ++i) {
        x[i] = size * random_between(random, -1, 1);
        p[i] = common[i % 3] + length * random_between(random, -1, 1);
    }
}

static void along(const double x[12], const double p[12], double part, double at[12])
{
    for (int i = 0; i < 12; ++i)
        at[i] = x[i] + part * p[i];
}

START_TEST(what_is_told_holds)
{
    RandomState random = {61};
    int told[2][16] = {{0}}, kept = 0, all_told = 0;
    for (int i = 0; i < 60000; ++i) {
        const PairKind kind = i % 2 == 0 ? PAIR_POINT_TRIANGLE : PAIR_EDGE_EDGE;
        double x[12], p[12], at[12];
        random_motion(&random, x, p);
        const int active = closest_points(x, kind).active;
        const bool lasts = features_last(x, p, kind, active);
        bool holds = active != PAIR_ALL_VERTICES;
        for (int s = 0; s <= SAMPLES && (holds || lasts); ++s) {
            along(x, p, (double)s / SAMPLES, at);
            holds = holds && closest_points(at, kind).active == active;
            ck_assert_msg(!lasts || holds, "case %d, at %d/%d: %d, expected %d", i, s, SAMPLES,
                          closest_points(at, kind).active, active);
        }
        told[kind - 1][active] += lasts;
        kept += holds;
        all_told += lasts;
    }
    printf("%d lasting features, %d told\n", kept, all_told);
    ck_assert_int_gt(all_told, 0.95 * kept);
    // Of a vertex and a triangle: with a vertex 3, 5, 9, with an edge 7, 11, 13. Of two edges: 5, 6, 9, 10 and 7, 11, 13, 14.
    static const int types[2][16] = {
        {[3] = 1, [5] = 1, [9] = 1, [7] = 1, [11] = 1, [13] = 1},
        {[5] = 1, [6] = 1, [9] = 1, [10] = 1, [7] = 1, [11] = 1, [13] = 1, [14] = 1}};
    for (int kind = 0; kind < 2; ++kind)
        for (int active = 0; active < 16; ++active)
            ck_assert_msg((told[kind][active] > 100) == (types[kind][active] == 1) &&
                              (told[kind][active] == 0 || types[kind][active] == 1),
                          "%d, %d: %d", kind, active, told[kind][active]);
}
END_TEST

// A quadratic or quartic may have the right sign at both ends and the wrong one between.
START_TEST(a_change_between_the_ends_is_seen)
{
    // The vertex passes by the triangle's corner, beyond the edge from it in the middle of the way alone: the corner turns away and back.
    const double x[12] = {-1, 1, 0, 0, 0, 0, 4, -1, 0, 4, -4, 0},
                 p[12] = {2, 0, 0, 0, 0, 0, -8, 0, 0, -8, 0, 0};
    double middle[12], end[12];
    along(x, p, 0.5, middle);
    along(x, p, 1, end);
    ck_assert_int_eq(closest_points(x, PAIR_POINT_TRIANGLE).active, 3);
    ck_assert_int_eq(closest_points(end, PAIR_POINT_TRIANGLE).active, 3);
    ck_assert(!features_last(x, p, PAIR_POINT_TRIANGLE, 3));
    const double still[12] = {0};
    ck_assert(features_last(x, still, PAIR_POINT_TRIANGLE, 3));
    ck_assert(features_last(end, still, PAIR_POINT_TRIANGLE, 3));
}
END_TEST

// On the border between features nothing lasts; far bodies' common motion changes nothing.
START_TEST(borders_and_common_motions)
{
    const double above[12] = {0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, still[12] = {0};
    ck_assert(
        !features_last(above, still, PAIR_POINT_TRIANGLE, closest_points(above, PAIR_POINT_TRIANGLE).active));
    double x[12] = {-1, 1, -1, 0, 0, 0, 1, 0, 0, 0, 0, 1}, p[12];
    for (int i = 0; i < 12; ++i)
        p[i] = 1e3;
    ck_assert_int_eq(closest_points(x, PAIR_POINT_TRIANGLE).active, 3);
    ck_assert(features_last(x, p, PAIR_POINT_TRIANGLE, 3));
    p[0] += 0.9;
    ck_assert(features_last(x, p, PAIR_POINT_TRIANGLE, 3));
    p[0] += 1.2;
    ck_assert(!features_last(x, p, PAIR_POINT_TRIANGLE, 3));
}
END_TEST

// A vertex and a segment of a cable: the triangle whose last two vertices are one.
START_TEST(segments)
{
    const double inside[12] = {0.5, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0},
                 before[12] = {-0.5, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0},
                 behind[12] = {1.5, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0}, p[12] = {0.3};
    const double *const cases[3] = {inside, before, behind};
    for (int i = 0; i < 3; ++i)
        ck_assert(features_last(cases[i], p, PAIR_POINT_TRIANGLE,
                                closest_points(cases[i], PAIR_POINT_TRIANGLE).active));
    const double far[12] = {0.7};
    for (int i = 0; i < 2; ++i)
        ck_assert(!features_last(cases[i], far, PAIR_POINT_TRIANGLE,
                                 closest_points(cases[i], PAIR_POINT_TRIANGLE).active));
}
END_TEST

START_TEST(edges_that_stay_apart)
{
    RandomState random = {67};
    int told = 0, kept = 0;
    for (int i = 0; i < 20000; ++i) {
        double x[12], p[12], at[12];
        random_motion(&random, x, p);
        const double threshold = edges_cross_sq(x) * random_between(&random, 0, 1.2);
        const bool stay = edges_stay_apart(x, p, threshold);
        bool holds = true;
        for (int s = 0; s <= SAMPLES; ++s) {
            along(x, p, (double)s / SAMPLES, at);
            holds = holds && edges_cross_sq(at) > threshold;
        }
        ck_assert_msg(!stay || holds, "case %d", i);
        told += stay;
        kept += holds;
    }
    printf("%d pairs of edges stay apart, %d told\n", kept, told);
    ck_assert_int_gt(told, 0.9 * kept);
    ck_assert_int_gt(20000 - kept, 2000);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lasting features");
    TCase *cases = tcase_create("lasting features");
    tcase_add_test(cases, what_is_told_holds);
    tcase_add_test(cases, a_change_between_the_ends_is_seen);
    tcase_add_test(cases, borders_and_common_motions);
    tcase_add_test(cases, segments);
    tcase_add_test(cases, edges_that_stay_apart);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}
