// Intersecting triangles of whole surfaces: against all pairs, and cases with a known answer.
#include "check_main.h"
#include "random_matrix.h"

#include "base/arena.h"
#include "geometry/triangle_intersection.h"
#include "sim/intersections.h"

enum { MOST = 4096, GRID = 12 };

typedef struct Soup {
    double positions[3 * 2048];
    int32_t triangles[3 * 2048], owners[2048];
    int32_t node_count, triangle_count;
} Soup;

static TriangleSet soup_set(const Soup *soup)
{
    return (TriangleSet){.vertex_count = soup->node_count,
                         .positions = soup->positions,
                         .triangle_count = soup->triangle_count,
                         .triangles = soup->triangles,
                         .owners = soup->owners};
}

static int32_t add_node(Soup *soup, double x, double y, double z)
{
    double *p = soup->positions + 3 * soup->node_count;
    p[0] = x, p[1] = y, p[2] = z;
    return soup->node_count++;
}

static void add_triangle(Soup *soup, int32_t owner, int32_t a, int32_t b, int32_t c)
{
    int32_t *t = soup->triangles + 3 * soup->triangle_count;
    t[0] = a, t[1] = b, t[2] = c;
    soup->owners[soup->triangle_count++] = owner;
}

/// A sheet of GRID x GRID squares over [0, 1]^2 that `place` moves.
static void add_sheet(Soup *soup, int32_t owner, void (*place)(double x[3]))
{
    const int32_t first = soup->node_count;
    for (int i = 0; i <= GRID; ++i)
        for (int j = 0; j <= GRID; ++j) {
            double x[3] = {(double)i / GRID, (double)j / GRID, 0};
            place(x);
            add_node(soup, x[0], x[1], x[2]);
        }
    for (int i = 0; i < GRID; ++i)
        for (int j = 0; j < GRID; ++j) {
            const int32_t a = first + i * (GRID + 1) + j, b = a + GRID + 1;
            add_triangle(soup, owner, a, b, b + 1);
            add_triangle(soup, owner, a, b + 1, a + 1);
        }
}

static int64_t count_pairs(VelaContext *context, const Soup *soup, int32_t most, IntersectionPair *pairs)
{
    const TriangleSet set = soup_set(soup);
    int64_t count;
    ASSERT_OK(context, intersections_find(context, &set, most, pairs, &count));
    return count;
}

/// Whether two triangles without, with one or with two common nodes intersect, each common node first.
static bool expected_pair(const Soup *soup, int a, int b)
{
    const int32_t *nodes[2] = {soup->triangles + 3 * a, soup->triangles + 3 * b};
    double corners[2][9];
    int shared = 0;
    for (int t = 0; t < 2; ++t) {
        int front = 0, back = 2;
        for (int i = 0; i < 3; ++i) {
            const int32_t node = nodes[t][i], *other = nodes[1 - t];
            const bool common = node == other[0] || node == other[1] || node == other[2];
            memcpy(corners[t] + 3 * (common ? front : back), soup->positions + 3 * node, 3 * sizeof(double));
            common ? ++front : --back;
        }
        shared = front;
    }
    if (shared == 0)
        return triangles_meet(corners[0], corners[1]);
    if (shared == 2 && memcmp(corners[0], corners[1], 3 * sizeof(double)) != 0)
        for (int k = 0; k < 3; ++k) { // the same end of the edge in front
            const double x = corners[1][k];
            corners[1][k] = corners[1][3 + k], corners[1][3 + k] = x;
        }
    if (shared == 3)
        return false;
    return shared == 1 ? triangles_meet_beyond_corner(corners[0], corners[1])
                       : triangles_meet_beyond_edge(corners[0], corners[1]);
}

// Random triangles, many with common nodes, of several sizes: the same pairs as all pairs one by one.
START_TEST(the_same_as_all_pairs)
{
    VelaContext *context = test_context();
    static Soup soup;
    static IntersectionPair pairs[MOST];
    RandomState random = {307};
    for (int round = 0; round < 12; ++round) {
        memset(&soup, 0, sizeof soup);
        const int nodes = round % 3 == 0 ? 60 : 400;
        const double size = round % 3 == 2 ? 0.05 : 0.3;
        for (int i = 0; i < nodes; ++i) {
            double x[3];
            for (int k = 0; k < 3; ++k) {
                x[k] = random_between(&random, -1, 1);
                if (round % 4 == 3)
                    x[k] = floor(4 * x[k]) / 4;
            }
            add_node(&soup, x[0], x[1], x[2]);
        }
        while (soup.triangle_count < 200) {
            const int32_t a = (int32_t)(random_bits(&random) % (uint64_t)nodes);
            int32_t other[2];
            for (int k = 0; k < 2; ++k)
                do {
                    double x[3];
                    for (int m = 0; m < 3; ++m)
                        x[m] = soup.positions[3 * a + m] + random_between(&random, -size, size);
                    other[k] = random_bits(&random) % 2 == 0
                                   ? (int32_t)(random_bits(&random) % (uint64_t)nodes)
                                   : add_node(&soup, x[0], x[1], x[2]);
                } while (other[k] == a || (k == 1 && other[1] == other[0]));
            add_triangle(&soup, (int32_t)(random_bits(&random) % 4) - 2, a, other[0], other[1]);
        }
        const int64_t found = count_pairs(context, &soup, MOST, pairs);
        int64_t expected = 0;
        for (int a = 0; a < soup.triangle_count; ++a)
            for (int b = a + 1; b < soup.triangle_count; ++b) {
                if ((soup.owners[a] < 0 && soup.owners[b] < 0) || !expected_pair(&soup, a, b))
                    continue;
                bool present = false;
                for (int64_t i = 0; i < found && !present; ++i)
                    present = pairs[i].triangles[0] == a && pairs[i].triangles[1] == b;
                ck_assert_msg(present, "round %d: triangles %d and %d not found", round, a, b);
                ++expected;
            }
        ck_assert_int_eq(found, expected);
        ck_assert_int_gt(found, 0);
        for (int64_t i = 1; i < found; ++i)
            ck_assert_int_le(pairs[i - 1].triangles[0], pairs[i].triangles[0]);
        IntersectionPair few[3];
        ck_assert_int_eq(count_pairs(context, &soup, 3, few), found);
        ck_assert_mem_eq(few, pairs, (size_t)(found < 3 ? found : 3) * sizeof *few);
    }
    vela_context_destroy(context);
}
END_TEST

static void flat(double x[3])
{
    (void)x;
}
static void tilted(double x[3])
{
    static const double axis[3] = {0.6, 0, 0.8};
    double R[9];
    matrix3_rotation(axis, 1, R);
    matrix3_apply(R, x, x);
}
static void above(double x[3])
{
    tilted(x);
    x[2] += 1e-12;
}
/// Folded at x = 1/2 onto itself.
static void folded(double x[3])
{
    x[0] = fabs(x[0] - 0.5);
}
/// Rolled up by more than a turn, on a spiral.
static void rolled(double x[3])
{
    const double angle = 8 * x[0], radius = 0.2 + 0.02 * angle;
    x[0] = radius * cos(angle), x[2] = radius * sin(angle);
}
/// Rolled up by more than a turn, on a circle.
static void overlapping(double x[3])
{
    const double angle = 8 * x[0];
    x[0] = cos(angle), x[2] = sin(angle);
}
static void across(double x[3])
{
    x[2] = x[0] - 0.5, x[0] = 0.31;
}

START_TEST(sheets)
{
    VelaContext *context = test_context();
    static Soup soup;
    IntersectionPair pair;
    static void (*const harmless[])(double x[3]) = {flat, tilted, rolled};
    static void (*const crossing[])(double x[3]) = {folded, overlapping};
    for (int i = 0; i < 3; ++i) {
        memset(&soup, 0, sizeof soup);
        add_sheet(&soup, 0, harmless[i]);
        ck_assert_int_eq(count_pairs(context, &soup, 1, &pair), 0);
    }
    for (int i = 0; i < 2; ++i) {
        memset(&soup, 0, sizeof soup);
        add_sheet(&soup, 0, crossing[i]);
        ck_assert_int_gt(count_pairs(context, &soup, 1, &pair), GRID);
        memset(&soup, 0, sizeof soup);
        add_sheet(&soup, -1, crossing[i]); // an obstacle may be what it likes
        ck_assert_int_eq(count_pairs(context, &soup, 1, &pair), 0);
    }
    // Two sheets a hair apart, one on the other, and one through the other; two obstacles.
    memset(&soup, 0, sizeof soup);
    add_sheet(&soup, 0, tilted);
    add_sheet(&soup, 1, above);
    ck_assert_int_eq(count_pairs(context, &soup, 1, &pair), 0);
    memset(&soup, 0, sizeof soup);
    add_sheet(&soup, 0, tilted);
    add_sheet(&soup, -1, tilted);
    ck_assert_int_gt(count_pairs(context, &soup, 1, &pair), 2 * GRID * GRID);
    memset(&soup, 0, sizeof soup);
    add_sheet(&soup, -1, flat);
    add_sheet(&soup, 5, across);
    ck_assert_int_gt(count_pairs(context, &soup, 1, &pair), GRID);
    ck_assert_int_lt(pair.triangles[0], 2 * GRID * GRID);
    ck_assert_int_ge(pair.triangles[1], 2 * GRID * GRID);
    for (int t = 0; t < soup.triangle_count; ++t)
        soup.owners[t] = -1 - abs(soup.owners[t]);
    ck_assert_int_eq(count_pairs(context, &soup, 1, &pair), 0);
    soup.triangle_count = 0;
    ck_assert_int_eq(count_pairs(context, &soup, 1, &pair), 0);
    vela_context_destroy(context);
}
END_TEST

// A ball beside a triangle's face, edge and corner, of a size just below and just above the known distance.
START_TEST(balls)
{
    static const double triangle[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const struct {
        double center[3], distance;
    } cases[] = {{{0.2, 0.3, 0.7}, 0.7}, {{0.2, 0.3, -0.7}, 0.7}, {{0.5, -3, 4}, 5},
                 {{-2, -3, 6}, 7},       {{4, 0, 4}, 5},          {{1, 1, 0}, 0.70710678118654757},
                 {{0.1, 0.1, 0}, 0},     {{0, 1, 0}, 0}};
    RandomState random = {311};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        for (int turns = 0; turns < 20; ++turns) {
            double R[9], t[9], center[3];
            random_rotation(&random, R);
            matrix3_apply(R, cases[i].center, center);
            for (int v = 0; v < 3; ++v)
                matrix3_apply(R, triangle + 3 * v, t + 3 * v);
            ck_assert(triangle_meets_ball(t, center, cases[i].distance));
            ck_assert(triangle_meets_ball(t, center, cases[i].distance + 0.1));
            ck_assert(!triangle_meets_ball(t, center, cases[i].distance - 1e-13));
        }
    const double segment[9] = {0, 0, 0, 1, 0, 0, 0.5, 0, 0}, point[9] = {1, 2, 2, 1, 2, 2, 1, 2, 2},
                 origin[3] = {0};
    const double beside[3] = {0.3, 0, 2};
    ck_assert(triangle_meets_ball(segment, beside, 2));
    ck_assert(!triangle_meets_ball(segment, beside, 1.999));
    ck_assert(triangle_meets_ball(point, origin, 3));
    ck_assert(!triangle_meets_ball(point, origin, 2.999));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("intersections");
    TCase *cases = tcase_create("intersections");
    tcase_add_test(cases, the_same_as_all_pairs);
    tcase_add_test(cases, sheets);
    tcase_add_test(cases, balls);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}
