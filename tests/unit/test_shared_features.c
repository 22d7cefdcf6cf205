// Pairs with the same closest features: what they are told by, that their energies are the same functions, and their sums against a
// search through all, for any number of threads.
#include "check_main.h"
#include "random_matrix.h"

#include "device/cpu/contact/shared_features.h"
#include "physics/contact/pair_barrier.h"

#include <string.h>

enum { VERTICES = 60, PAIRS = 3000 };

static bool is_same(const Feature *a, const Feature *b)
{
    return a->vertices[0] >= 0 && memcmp(a->vertices, b->vertices, sizeof a->vertices) == 0 &&
           a->range == b->range && a->separation == b->separation;
}

START_TEST(features_are_what_is_closest)
{
    const int32_t triangle[4] = {7, 3, 9, 4}, edges[4] = {7, 8, 9, 3}, turned[4] = {3, 9, 8, 7};
    const Feature by_triangle = shared_feature(triangle, (double[4]){1, -0.25, -0.75, 0}, 1, 0),
                  by_edges = shared_feature(edges, (double[4]){1, 0, -0.75, -0.25}, 1, 0),
                  other_way = shared_feature(turned, (double[4]){0.25, 0.75, 0, -1}, 1, 0),
                  end = shared_feature(edges, (double[4]){0, 1, -1, 0}, 1, 0),
                  start = shared_feature((int32_t[4]){9, 1, 5, 8}, (double[4]){1, 0, 0, -1}, 1, 0),
                  inside = shared_feature(edges, (double[4]){0.5, 0.5, -0.5, -0.5}, 1, 0);
    ck_assert(is_same(&by_triangle, &by_edges) && is_same(&by_triangle, &other_way));
    ck_assert_int_eq(by_triangle.vertices[0],
                     7); // few features have a vertex, thousands may have a large body's edge
    ck_assert(is_same(&end, &start) && !is_same(&end, &by_edges));
    ck_assert_int_eq(inside.vertices[0], -1);
    const Feature nearer = shared_feature(edges, (double[4]){1, 0, -0.75, -0.25}, 0.5, 0);
    ck_assert(!is_same(&nearer, &by_edges));
}
END_TEST

// A vertex near an edge, once with a triangle at that edge, once with an edge at that vertex.
START_TEST(they_have_the_same_energy)
{
    RandomState random = {5};
    for (int i = 0; i < 200; ++i) {
        double vertex[3], a[3], b[3], beyond[3], behind[3], triangle[12], edges[12], by_triangle[12],
            by_edges[12];
        const double height = random_between(&random, 0.1, 0.9), along = random_between(&random, 0.1, 0.9);
        memcpy(a, (double[3]){0, 0, 0}, sizeof a), memcpy(b, (double[3]){1, 0, 0}, sizeof b);
        memcpy(vertex, (double[3]){along, height, 0.2}, sizeof vertex);
        memcpy(beyond, (double[3]){random_between(&random, 0, 1), -1, -0.3}, sizeof beyond);
        memcpy(behind, (double[3]){random_between(&random, 0, 1), 3, 1.4}, sizeof behind);
        const double *const corners[2][4] = {{vertex, a, b, beyond}, {vertex, behind, a, b}};
        for (int c = 0; c < 4; ++c) {
            memcpy(triangle + 3 * c, corners[0][c], 3 * sizeof *triangle);
            memcpy(edges + 3 * c, corners[1][c], 3 * sizeof *edges);
        }
        const PairBarrier barrier = {.stiffness = 2, .range = 1.5};
        ck_assert(pair_barrier_gradient(&barrier, triangle, PAIR_POINT_TRIANGLE, by_triangle));
        ck_assert(pair_barrier_gradient(&barrier, edges, PAIR_EDGE_EDGE, by_edges));
        const ClosestPoints first = closest_points(triangle, PAIR_POINT_TRIANGLE),
                            second = closest_points(edges, PAIR_EDGE_EDGE);
        const Feature one = shared_feature((int32_t[4]){0, 1, 2, 3}, first.weights, 1, 0),
                      other = shared_feature((int32_t[4]){0, 4, 1, 2}, second.weights, 1, 0);
        ck_assert(is_same(&one, &other));
        ck_assert_double_eq_tol(pair_barrier_energy(&barrier, triangle, PAIR_POINT_TRIANGLE),
                                pair_barrier_energy(&barrier, edges, PAIR_EDGE_EDGE), 1e-14);
        static const int in_triangle[3] = {0, 1, 2}, in_edges[3] = {0, 2, 3};
        for (int c = 0; c < 3; ++c)
            for (int k = 0; k < 3; ++k)
                ck_assert_double_eq_tol(by_triangle[3 * in_triangle[c] + k], by_edges[3 * in_edges[c] + k],
                                        1e-13);
    }
}
END_TEST

static Feature random_feature(RandomState *random)
{
    const int kind = (int)random_between(random, 0, 4);
    int32_t vertices[4];
    for (int c = 0; c < 4; ++c)
        vertices[c] = 4 * (int32_t)random_between(random, 0, 3) + c; // few, so that many are the same
    const double weights[4][4] = {
        {1, -1, 0, 0}, {1, -0.5, -0.5, 0}, {0.5, 0.5, 0, -1}, {1, -0.2, -0.3, -0.5}};
    return shared_feature(vertices, weights[kind], random_between(random, 0, 1) < 0.5 ? 1 : 2, 0);
}

START_TEST(sums_are_those_of_a_search)
{
    VelaContext *context = test_context();
    RandomState random = {17};
    static double values[2][2 * PAIRS];
    static int32_t first[PAIRS];
    static Feature features[PAIRS];
    for (int count = 0; count <= PAIRS; count = 3 * count + 1) {
        double expected[PAIRS];
        for (int k = 0; k < count; ++k) {
            features[k] = random_feature(&random);
            values[0][2 * k] = values[1][2 * k] = expected[k] = random_between(&random, 0, 1);
            first[k] = k;
            for (int before = k - 1; before >= 0; --before)
                first[k] = is_same(&features[k], &features[before]) ? before : first[k];
            if (first[k] != k)
                expected[first[k]] += expected[k];
        }
        for (int threads = 1; threads <= 2; ++threads) {
            Arena arena = arena_make(context);
            SharedFeatures shared;
            ASSERT_OK(context, shared_features_create(&arena, VERTICES, threads, &shared));
            ASSERT_OK(context, shared_features_reserve(&arena, &shared, count));
            for (int k = 0; k < count; ++k)
                shared.features[k] = features[k]; // of none there is no array to copy into
            shared_features_find(&shared, count, values[threads - 1], 2);
            for (int k = 0; k < count; ++k) {
                ck_assert_int_eq(shared.first[k], first[k]);
                if (first[k] == k)
                    ck_assert(values[threads - 1][2 * k] == expected[k]);
            }
            arena_clear(&arena);
        }
    }
    vela_context_destroy(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("shared features");
    TCase *cases = tcase_create("shared features");
    tcase_add_test(cases, features_are_what_is_closest);
    tcase_add_test(cases, they_have_the_same_energy);
    tcase_add_test(cases, sums_are_those_of_a_search);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}
