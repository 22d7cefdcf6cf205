// How Vulkan's coarse space shares the rows of the matrix among workgroups, on the host alone: every row in one cluster of one stripe of one
// chunk of its group, whatever the number of chunks; small bodies whole.
#include "physics_fixture.h"

#include "device/vulkan/linear/coarse_stripes.h"

#define BOX(cells, array)                                                                                    \
    "{\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": " cells "}}, \"material\": \"m\"" array \
    "}"
#define ARRAY(count) ", \"array\": {\"count\": " count ", \"spacing\": [0.3, 0.3, 0.3]}"

static const struct {
    const char *bodies;
    int body; ///< nodes of a small one that is a cluster; 0: there are none
} cases[] = {
    {BOX("[14, 14, 14]", ""), 0},
    {BOX("[1, 1, 1]", ARRAY("[11, 10, 9]")), 8},
    {BOX("[2, 2, 2]", ARRAY("[6, 5, 5]")), 27},
    // Too large to be one, and not to be told from others by its number of nodes.
    {BOX("[3, 3, 3]", ARRAY("[4, 4, 3]")), 0},
    {BOX("[4, 4, 4]",
         "") ", {\"type\": \"affine\", \"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], "
             "\"cells\": [1, 1, 1]}}, \"material\": \"m\", \"translate\": [1, 0, 0]" ARRAY("[9, 5, 1]") "}",
     0},
};
enum { CASES = sizeof cases / sizeof *cases };

static void make(Simulation *simulation, const char *bodies)
{
    simulation_make(threads_context(1), simulation,
                    "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, "
                    "\"integrator\": {\"type\": \"implicit_euler\"}, \"solver\": {\"type\": \"newton\"}, "
                    "\"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, "
                    "\"youngs_modulus\": 1e6, \"poissons_ratio\": 0.4}}, \"bodies\": [%s]}",
                    bodies);
}

static uint32_t place_of(uint32_t word)
{
    return word & ~CLUSTER_IS_SOLVED;
}

/// The clusters of a stripe, in a group from its first place to before its end. Returns how many are whole bodies.
static int check_stripe(const Model *model, const uint32_t *stripe, const uint32_t *clusters,
                        const uint32_t *cluster_of, int32_t first, int32_t end, int body)
{
    int whole = 0;
    ck_assert_uint_le(stripe[STRIPE_END] - stripe[STRIPE_FIRST], GROUP_COARSE);
    ck_assert_uint_le(stripe[STRIPE_END_CLUSTER] - stripe[STRIPE_FIRST_CLUSTER], STRIPE_CLUSTERS_MOST);
    ck_assert_uint_eq(place_of(clusters[stripe[STRIPE_FIRST_CLUSTER]]), stripe[STRIPE_FIRST]);
    ck_assert_uint_eq(place_of(clusters[stripe[STRIPE_END_CLUSTER]]), stripe[STRIPE_END]);
    for (uint32_t c = stripe[STRIPE_FIRST_CLUSTER]; c < stripe[STRIPE_END_CLUSTER]; ++c) {
        const uint32_t from = place_of(clusters[c]), to = place_of(clusters[c + 1]);
        ck_assert(from < to && from >= (uint32_t)first && to <= (uint32_t)end);
        ck_assert_uint_le(to - from, CLUSTER_ROWS_MOST);
        if (from < (uint32_t)model->order.coupled_count)
            ck_assert(from % 4 == 0 && clusters[c] == from);
        else
            ck_assert_int_eq(clusters[c] != from, end - first >= CLUSTERED_GROUP_LEAST);
        for (uint32_t place = from; place < to; ++place)
            ck_assert_uint_eq(cluster_of[model->order.nodes[place]], c);
        if (body > 0 && from % (uint32_t)body == 0 && to == from + (uint32_t)body)
            ++whole;
        else if (body > 0) // what bounds of groups leave of one
            ck_assert(from / (uint32_t)body == (uint32_t)(first / body) ||
                      (to - 1) / (uint32_t)body == (uint32_t)((end - 1) / body));
    }
    return whole;
}

START_TEST(all_rows_are_in_stripes)
{
    Simulation simulation;
    make(&simulation, cases[_i].bodies);
    const Model *model = &simulation.model;
    const NodeOrder *order = &model->order;
    const uint32_t chunk_limits[] = {1, 2, 3, 64};
    Arena arena = arena_make(simulation.context);
    for (size_t l = 0; l < sizeof chunk_limits / sizeof *chunk_limits; ++l) {
        CoarseCounts counts = {.group_count = (uint32_t)order->group_count};
        uint32_t *table, *cluster_of;
        coarse_stripes_count(model, chunk_limits[l], &counts);
        ck_assert_uint_le(counts.chunks_per_group, chunk_limits[l]);
        ASSERT_OK(simulation.context, ARENA_ARRAY(&arena, table, coarse_stripes_words(model, &counts)));
        ASSERT_OK(simulation.context, ARENA_ARRAY(&arena, cluster_of, model->node_count));
        coarse_stripes_fill(model, &counts, table, cluster_of);
        const uint32_t stripes = counts.group_count * counts.chunks_per_group * counts.stripes_per_chunk;
        const uint32_t *clusters = table + STRIPE_WORDS * (size_t)stripes;
        const uint32_t per_group = counts.chunks_per_group * counts.stripes_per_chunk;
        int whole = 0;
        uint32_t cluster = 0;
        for (int32_t group = 0; group < order->group_count; ++group) {
            const int32_t first = order->group_starts[group], end = order->group_starts[group + 1];
            const uint32_t *stripe =
                table + STRIPE_WORDS * (size_t)per_group * (size_t)order->group_turns[group];
            uint32_t place = (uint32_t)first;
            for (uint32_t s = 0; s < per_group; ++s, stripe += STRIPE_WORDS) {
                ck_assert_uint_eq(stripe[STRIPE_FIRST], place);
                ck_assert_uint_eq(stripe[STRIPE_FIRST_CLUSTER], cluster);
                whole += check_stripe(model, stripe, clusters, cluster_of, first, end, cases[_i].body);
                place = stripe[STRIPE_END];
                cluster = stripe[STRIPE_END_CLUSTER];
            }
            ck_assert_uint_eq(place, (uint32_t)end);
        }
        ck_assert_uint_eq(cluster, counts.cluster_count);
        printf("%d groups of %u chunks of %u stripes, %u clusters, %d whole bodies\n", order->group_count,
               counts.chunks_per_group, counts.stripes_per_chunk, counts.cluster_count, whole);
        if (cases[_i].body > 0)
            ck_assert_int_gt(whole, order->free_count / cases[_i].body - order->group_count);
    }
    arena_clear(&arena);
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stripes of the coarse space");
    TCase *tests = tcase_create("stripes");
    tcase_add_loop_test(tests, all_rows_are_in_stripes, 0, CASES);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
