#define _POSIX_C_SOURCE 200809L // setenv
// Pairs in motion, eight at a time: closest points are those of one pair, bit by bit, whatever the instruction set; closest features that are
// told to last hold at points of the way, and are told of most motions that do not change them.
#include "check_main.h"
#include "instruction_set.h"
#include "random_matrix.h"

#include "geometry/mollifier.h"

#include <string.h>

enum { SAMPLES = 32 };

/// What is told of one pair.
typedef struct Told {
    bool meets, lasts;
    int active;
    double closer_sq, distance_sq, apart, least_cross_sq;
} Told;

static void set_lane(const double x[12], const double p[12], double reach, int lane, MovingPairs *pairs)
{
    for (int c = 0; c < 4; ++c)
        moving_pairs_set(x + 3 * c, p + 3 * c, c, lane, pairs);
    pairs->reach[lane] = reach;
}

static Told told_of(const MovingPairsTold *told, int lane)
{
    return (Told){told->meet[lane] != 0,     told->last[lane] != 0,   (int)told->active[lane],
                  told->closer_sq[lane],     told->distance_sq[lane], told->apart[lane],
                  told->least_cross_sq[lane]};
}

/// Eight pairs of a kind and what is told of them.
typedef struct Eight {
    PairKind kind;
    double x[LANE_COUNT][12], p[LANE_COUNT][12];
    Told told[LANE_COUNT];
} Eight;

// `reaches`: of every pair, m.
static void tell(const double reaches[LANE_COUNT], Eight *eight)
{
    MovingPairs pairs;
    MovingPairsTold told;
    for (int l = 0; l < LANE_COUNT; ++l)
        set_lane(eight->x[l], eight->p[l], reaches[l], l, &pairs);
    kernels_choose()->tell_pairs(&pairs, eight->kind, true, &told);
    for (int l = 0; l < LANE_COUNT; ++l)
        eight->told[l] = told_of(&told, l);
}

static const double everywhere[LANE_COUNT] = {INFINITY, INFINITY, INFINITY, INFINITY,
                                              INFINITY, INFINITY, INFINITY, INFINITY};

// Of one pair, in all lanes.
static bool lasts(const double x[12], const double p[12], PairKind kind)
{
    Eight eight = {.kind = kind};
    for (int l = 0; l < LANE_COUNT; ++l) {
        memcpy(eight.x[l], x, sizeof eight.x[l]);
        memcpy(eight.p[l], p, sizeof eight.p[l]);
    }
    tell(everywhere, &eight);
    for (int l = 1; l < LANE_COUNT; ++l)
        ck_assert_int_eq(eight.told[l].lasts, eight.told[0].lasts);
    return eight.told[0].lasts;
}

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

// Moves vertices to where features meet: onto others, onto their lines, beside their edges; or makes coordinates whole.
static void make_special(RandomState *random, int which, double x[12])
{
    double *vertex = x + 3 * (int)random_between(random, 0, 4);
    const double *other = x + 3 * (int)random_between(random, 0, 4),
                 *third = x + 3 * (int)random_between(random, 0, 4);
    const double part = random_between(random, -0.5, 1.5);
    if (which == 1)
        memcpy(vertex, other, 3 * sizeof *x);
    else if (which == 2)
        for (int k = 0; k < 3; ++k)
            vertex[k] = other[k] + part * (third[k] - other[k]);
    else if (which == 3)
        for (int i = 0; i < 12; ++i)
            x[i] = round(2 * x[i] / fabs(x[0]));
    else if (which == 4)
        for (int c = 0; c < 4; ++c)
            x[3 * c + 2] = 0;
}

// What is told of eight pairs is what is told of each, and what closest_points finds, bit by bit; but for a triangle that is a segment, of
// which closest_points may see an end from the other side.
START_TEST(as_one_pair)
{
    static const char *const instructions[3] = {"baseline", "avx2", NULL};
    RandomState random = {71};
    int known = 0, kinds[2][16] = {{0}}, cases = 0;
    for (int i = 0; i < 4000; ++i) {
        const PairKind kind = i % 2 == 0 ? PAIR_POINT_TRIANGLE : PAIR_EDGE_EDGE;
        MovingPairs pairs;
        MovingPairsTold told[3];
        double x[LANE_COUNT][12], p[12];
        for (int l = 0; l < LANE_COUNT; ++l) {
            random_motion(&random, x[l], p);
            make_special(&random, i / 2 % 8, x[l]);
            if (i % 5 == 0 && l % 3 == 0)
                memcpy(x[l] + 9, x[l] + 6, 3 * sizeof **x);
            set_lane(x[l], p, INFINITY, l, &pairs);
        }
        memset(told, 0, sizeof told);
        for (int k = 0; k < 3; ++k)
            kernels_of(instructions[k])->tell_pairs(&pairs, kind, true, &told[k]);
        for (int k = 1; k < 3; ++k) {
            ck_assert_mem_eq(told[k].meet, told[0].meet, sizeof told->meet);
            ck_assert_mem_eq(told[k].closer_sq, told[0].closer_sq, sizeof told->closer_sq);
            ck_assert_mem_eq(told[k].active, told[0].active, sizeof told->active);
            ck_assert_mem_eq(told[k].last, told[0].last, sizeof told->last);
        }
        for (int k = 1; k < 3; ++k)
            for (int l = 0; l < LANE_COUNT; ++l)
                ck_assert(told[0].active[l] == 0 || told[k].apart[l] == told[0].apart[l]);
        for (int l = 0; l < LANE_COUNT; ++l) {
            const ClosestPoints closest = closest_points(x[l], kind);
            const bool segment =
                kind == PAIR_POINT_TRIANGLE && memcmp(x[l] + 9, x[l] + 6, 3 * sizeof **x) == 0;
            ++cases;
            for (int k = 0; k < 3 && told[0].active[l] != 0; ++k) {
                if (segment) {
                    ck_assert_double_eq_tol(sqrt(told[k].distance_sq[l]), sqrt(closest.distance_sq),
                                            1e-14 * (1 + sqrt(closest.distance_sq)));
                    continue;
                }
                ck_assert_msg(told[k].active[l] == closest.active &&
                                  told[k].distance_sq[l] == closest.distance_sq,
                              "case %d, lane %d: %d, %.17g, expected %d, %.17g", i, l, (int)told[k].active[l],
                              told[k].distance_sq[l], closest.active, closest.distance_sq);
                if (told[k].last[l] != 0)
                    ck_assert(told[k].least_cross_sq[l] == told[0].least_cross_sq[l] ||
                              kind == PAIR_POINT_TRIANGLE);
            }
            known += told[0].active[l] != 0;
            ++kinds[kind - 1][told[0].active[l]];
        }
    }
    printf("%d of %d known\n", known, cases);
    ck_assert_int_gt(known, 0.8 * cases);
    for (int active = 1; active < 16; ++active) {
        const bool one_each = (active & 1) != 0 && active != 1,
                   edges = (active & 3) != 0 && (active & 12) != 0;
        ck_assert_msg((kinds[0][active] > 100) == one_each, "%d: %d", active, kinds[0][active]);
        ck_assert_msg((kinds[1][active] > 100) == edges, "%d: %d", active, kinds[1][active]);
    }
}
END_TEST

// Along the direction in which primitives are closest they stay as far apart as is told, which tells of most that stay away that they do.
START_TEST(ways_that_stay_apart)
{
    RandomState random = {79};
    int told = 0, away = 0;
    double off = 0;
    for (int i = 0; i < 1500; ++i) {
        Eight eight = {.kind = i % 2 == 0 ? PAIR_POINT_TRIANGLE : PAIR_EDGE_EDGE};
        for (int l = 0; l < LANE_COUNT; ++l) {
            random_motion(&random, eight.x[l], eight.p[l]);
            for (int k = 0; k < 3 && l % 2 == 0; ++k) // one primitive goes by itself
                for (int c = (int)eight.kind; c < 4; ++c)
                    eight.p[l][3 * c + k] -= 0.5 * norm3(eight.p[l]);
        }
        tell(everywhere, &eight);
        for (int l = 0; l < LANE_COUNT; ++l) {
            const double distance = sqrt(eight.told[l].distance_sq), end = eight.told[l].apart / distance;
            double least = INFINITY, at[12];
            if (eight.told[l].active == 0)
                continue;
            for (int s = 0; s <= SAMPLES; ++s) {
                const double part = (double)s / SAMPLES, bound = (1 - part) * distance + part * end;
                along(eight.x[l], eight.p[l], part, at);
                const double now = sqrt(closest_points(at, eight.kind).distance_sq);
                off = fmax(off, (bound - now) / (distance + norm3(eight.x[l]) + norm3(eight.p[l])));
                least = fmin(least, now);
            }
            told += fmin(distance, end) > 0.5 * distance;
            away += least > 0.5 * distance;
        }
    }
    printf("%d of %d that keep half of their distance; bounds off by %.1e\n", told, away, off);
    ck_assert_double_lt(off, 1e-14);
    ck_assert_int_gt(told, 0.8 * away);
    ck_assert_int_lt(told, away + 1);
}
END_TEST

// Pairs that are told not to meet are farther apart than that all along; those that are near at either end or between are told.
START_TEST(ways_that_meet)
{
    RandomState random = {73};
    int apart = 0, far = 0;
    for (int i = 0; i < 1500; ++i) {
        Eight eight = {.kind = i % 2 == 0 ? PAIR_POINT_TRIANGLE : PAIR_EDGE_EDGE};
        const PairKind kind = eight.kind;
        double reaches[LANE_COUNT], at[12];
        for (int l = 0; l < LANE_COUNT; ++l) {
            double *x = eight.x[l];
            random_motion(&random, x, eight.p[l]);
            for (int k = 0; k < 3; ++k)
                for (int c = (int)kind; c < 4; ++c)
                    x[3 * c + k] += l % 3 * 2 * fabs(x[k]);
            reaches[l] = 0.3 * norm3(x);
        }
        tell(reaches, &eight);
        for (int l = 0; l < LANE_COUNT; ++l) {
            const double *p = eight.p[l];
            double nearest = INFINITY, largest = 0;
            for (int s = 0; s <= SAMPLES; ++s) {
                along(eight.x[l], p, (double)s / SAMPLES, at);
                nearest = fmin(nearest, sqrt(closest_points(at, kind).distance_sq));
            }
            ck_assert_msg(eight.told[l].meets || nearest > reaches[l] * (1 - 1e-12),
                          "case %d, lane %d: %g, expected beyond %g", i, l, nearest, reaches[l]);
            apart += !eight.told[l].meets;
            far += nearest > reaches[l];
            for (int a = 0; a < (int)kind; ++a)
                for (int b = (int)kind; b < 4; ++b) {
                    double relative[3];
                    subtract3(p + 3 * a, p + 3 * b, relative);
                    largest = fmax(largest, dot3(relative, relative));
                }
            ck_assert(!eight.told[l].meets || eight.told[l].closer_sq == largest);
        }
    }
    printf("%d pairs stay apart, %d told\n", far, apart);
    ck_assert_int_gt(apart, 0.5 * far);
}
END_TEST

// Whether closest points of known features are those that are found, bit by bit. Assertions are slow, so there is one for all.
static bool is_same(const double x[12], PairKind kind, int active)
{
    const ClosestPoints found = closest_points(x, kind), known = closest_points_of(x, kind, active);
    bool same = known.active == found.active && known.distance_sq == found.distance_sq;
    for (int c = 0; c < 4; ++c)
        same = same && known.weights[c] == found.weights[c];
    for (int k = 0; k < 3; ++k)
        same = same && known.r[k] == found.r[k];
    return same;
}

START_TEST(what_is_told_holds)
{
    RandomState random = {61};
    int told[2][16] = {{0}}, kept = 0, all_told = 0;
    for (int i = 0; i < 7500; ++i) {
        Eight eight = {.kind = i % 2 == 0 ? PAIR_POINT_TRIANGLE : PAIR_EDGE_EDGE};
        const PairKind kind = eight.kind;
        for (int l = 0; l < LANE_COUNT; ++l)
            random_motion(&random, eight.x[l], eight.p[l]);
        tell(everywhere, &eight);
        for (int l = 0; l < LANE_COUNT; ++l) {
            double at[12];
            const int active = closest_points(eight.x[l], kind).active;
            const bool last = eight.told[l].lasts;
            bool holds = active != PAIR_ALL_VERTICES;
            bool same = true;
            for (int s = 0; s <= SAMPLES && (holds || last); ++s) {
                along(eight.x[l], eight.p[l], (double)s / SAMPLES, at);
                holds = holds && closest_points(at, kind).active == active;
                same = same && (!last || is_same(at, kind, active));
            }
            ck_assert_msg(!last || holds, "case %d, lane %d: %d does not last", i, l, active);
            ck_assert_msg(same, "case %d, lane %d: other closest points of %d", i, l, active);
            told[kind - 1][active] += last;
            kept += holds;
            all_told += last;
        }
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
    ck_assert(!lasts(x, p, PAIR_POINT_TRIANGLE));
    const double still[12] = {0};
    ck_assert(lasts(x, still, PAIR_POINT_TRIANGLE));
    ck_assert(lasts(end, still, PAIR_POINT_TRIANGLE));
}
END_TEST

// On the border between features nothing lasts; far bodies' common motion changes nothing.
START_TEST(borders_and_common_motions)
{
    const double above[12] = {0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, still[12] = {0};
    ck_assert(!lasts(above, still, PAIR_POINT_TRIANGLE));
    double x[12] = {-1, 1, -1, 0, 0, 0, 1, 0, 0, 0, 0, 1}, p[12];
    for (int i = 0; i < 12; ++i)
        p[i] = 1e3;
    ck_assert_int_eq(closest_points(x, PAIR_POINT_TRIANGLE).active, 3);
    ck_assert(lasts(x, p, PAIR_POINT_TRIANGLE));
    p[0] += 0.9;
    ck_assert(lasts(x, p, PAIR_POINT_TRIANGLE));
    p[0] += 1.2;
    ck_assert(!lasts(x, p, PAIR_POINT_TRIANGLE));
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
        ck_assert(lasts(cases[i], p, PAIR_POINT_TRIANGLE));
    const double far[12] = {0.7};
    for (int i = 0; i < 2; ++i)
        ck_assert(!lasts(cases[i], far, PAIR_POINT_TRIANGLE));
}
END_TEST

START_TEST(edges_that_stay_apart)
{
    RandomState random = {67};
    int told = 0, kept = 0, cases = 0;
    for (int i = 0; i < 3500; ++i) {
        Eight eight = {.kind = PAIR_EDGE_EDGE};
        for (int l = 0; l < LANE_COUNT; ++l)
            random_motion(&random, eight.x[l], eight.p[l]);
        tell(everywhere, &eight);
        for (int l = 0; l < LANE_COUNT; ++l) {
            double at[12];
            const double threshold = edges_cross_sq(eight.x[l]) * random_between(&random, 0, 1.2);
            const bool stay = eight.told[l].least_cross_sq > threshold;
            bool holds = true;
            if (!eight.told[l].lasts)
                continue;
            for (int s = 0; s <= SAMPLES; ++s) {
                along(eight.x[l], eight.p[l], (double)s / SAMPLES, at);
                holds = holds && edges_cross_sq(at) > threshold;
            }
            ck_assert_msg(!stay || holds, "case %d, lane %d", i, l);
            told += stay;
            kept += holds;
            ++cases;
        }
    }
    printf("%d pairs of edges stay apart, %d told\n", kept, told);
    ck_assert_int_gt(told, 0.9 * kept);
    ck_assert_int_gt(cases - kept, 1000);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("moving pairs");
    TCase *cases = tcase_create("moving pairs");
    tcase_add_test(cases, as_one_pair);
    tcase_add_test(cases, ways_that_stay_apart);
    tcase_add_test(cases, ways_that_meet);
    tcase_add_test(cases, what_is_told_holds);
    tcase_add_test(cases, a_change_between_the_ends_is_seen);
    tcase_add_test(cases, borders_and_common_motions);
    tcase_add_test(cases, segments);
    tcase_add_test(cases, edges_that_stay_apart);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}
