// Surface vertices as weighted sums of nodes (model/surface_map.h), and how a model of solids fills the map.
#include "model/describe.h"
#include "physics/physics_fixture.h"

#include "model/surface_map.h"

enum { NODES = 9, VERTICES = 40 };

static double random_number(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53;
}

// Vertices of one to four nodes, the first four of them nodes themselves.
static void make_map(Arena *arena, const uint8_t *node_is_free, SurfaceMap *map)
{
    uint64_t state = 3;
    ASSERT_OK(arena->context, surface_map_create(arena, VERTICES, 4 * VERTICES, map));
    for (int v = 0; v < VERTICES; ++v) {
        const int count = v < 4 ? 1 : 1 + v % 4;
        int32_t nodes[4];
        double weights[4], sum = 0;
        for (int i = 0; i < count; ++i) {
            nodes[i] = (v + 2 * i) % NODES;
            sum += weights[i] = count == 1 ? 1 : random_number(&state) - 0.2;
        }
        for (int i = 0; i < count; ++i)
            weights[i] /= sum;
        surface_map_add(map, count, nodes, weights, node_is_free);
    }
}

START_TEST(vertices_are_weighted_sums)
{
    static const uint8_t node_is_free[NODES] = {1, 0, 1, 1, 0, 1, 0, 1, 0};
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    SurfaceMap map;
    make_map(&arena, node_is_free, &map);
    ck_assert_int_eq(map.vertex_count, VERTICES);
    ck_assert_int_eq(map.most, 4);
    uint64_t state = 5;
    double x[3 * NODES], out[3 * VERTICES];
    for (int i = 0; i < 3 * NODES; ++i)
        x[i] = random_number(&state) - 0.5;
    x[0] = -0.0;
    surface_map_apply(&map, x, out);
    ck_assert(signbit(out[0])); // the very bits of a node
    for (int v = 0; v < VERTICES; ++v) {
        double sum[3] = {0}, weights = 0;
        bool is_free = false;
        for (int32_t i = map.starts[v]; i < map.starts[v + 1]; ++i) {
            add_scaled3(sum, map.weights[i], x + 3 * map.nodes[i], sum);
            weights += map.weights[i];
            is_free |= node_is_free[map.nodes[i]];
        }
        ck_assert_double_eq_tol(weights, 1, 1e-14);
        ck_assert_int_eq(map.is_free[v], is_free);
        for (int k = 0; k < 3; ++k)
            ck_assert_double_eq_tol(out[3 * v + k], sum[k], 1e-15);
        const int32_t node = surface_map_node(&map, v);
        ck_assert_int_eq(node >= 0, map.starts[v + 1] - map.starts[v] == 1);
        ck_assert(node < 0 || memcmp(out + 3 * v, x + 3 * node, sizeof sum) == 0);
    }
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

// g . apply(x) = pull_back(g) . x, whatever g and x.
START_TEST(pull_back_is_the_transpose)
{
    static const uint8_t node_is_free[NODES] = {0};
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    SurfaceMap map;
    make_map(&arena, node_is_free, &map);
    uint64_t state = 11;
    for (int trial = 0; trial < 20; ++trial) {
        double x[3 * NODES], g[3 * VERTICES], y[3 * VERTICES], pulled[3 * NODES] = {0}, left = 0, right = 0;
        for (int i = 0; i < 3 * NODES; ++i)
            x[i] = random_number(&state) - 0.5;
        for (int i = 0; i < 3 * VERTICES; ++i)
            g[i] = random_number(&state) - 0.5;
        surface_map_apply(&map, x, y);
        for (int v = 0; v < VERTICES; ++v)
            surface_map_pull_back(&map, v, g + 3 * v, pulled);
        for (int i = 0; i < 3 * VERTICES; ++i)
            left += g[i] * y[i];
        for (int i = 0; i < 3 * NODES; ++i)
            right += pulled[i] * x[i];
        ck_assert_double_eq_tol(left, right, 1e-13);
    }
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

START_TEST(weights_of_zero_are_left_out)
{
    static const uint8_t node_is_free[NODES] = {0, 0, 0, 1};
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    SurfaceMap map;
    ASSERT_OK(context, surface_map_create(&arena, 2, 8, &map));
    surface_map_add(&map, 4, (int32_t[]){1, 5, 3, 2}, (double[]){0, 1, 0, 0}, node_is_free);
    ck_assert_int_eq(surface_map_node(&map, 0), 5);
    ck_assert_int_eq(map.is_free[0], 0); // node 3 moves freely, and has no part in it
    ck_assert_int_eq(map.most, 1);
    surface_map_add(&map, 4, (int32_t[]){1, 5, 3, 2}, (double[]){0.5, 0, 0.25, 0.25}, node_is_free);
    ck_assert_int_eq(surface_map_node(&map, 1), -1);
    ck_assert_int_eq(map.starts[2] - map.starts[1], 3);
    ck_assert_int_eq(map.is_free[1], 1);
    ck_assert_int_eq(map.most, 3);
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

// Two copies of a box with a node inside, a sphere, a plane and a box with a pin: bodies first, nodes in order, triangles as the
// model's; obstacles behind, under barrier contact only.
START_TEST(solids_and_obstacles)
{
    static const char *const contacts[] = {"\"barrier\", \"distance\": 1e-3",
                                           "\"penalty\", \"stiffness\": 1e4"};
    static const char *const sphere =
        "{\"name\": \"ball\", \"sphere\": {\"center\": [0, 5, 0], \"radius\": 0.2}}, ";
    Simulation simulation;
    simulation_make(
        test_context(), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"integrator\": {\"type\": \"bdf2\"},"
        " \"solver\": {\"type\": \"newton\"}, \"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000,"
        " \"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3}}, \"bodies\": [{\"name\": \"a\", \"geometry\": {\"box\": "
        "{\"size\": [1, 1, 1], \"cells\": [2, 2, 2]}}, \"material\": \"m\", \"array\": {\"count\": [2, 1, 1], "
        "\"spacing\": [2, 0, 0]}}, {\"name\": \"b\", \"geometry\": {\"box\": {\"size\": [1, 1, 1], \"cells\": "
        "[1, 1, 1]}}, \"material\": \"m\", \"translate\": [0, 3, 0], \"pins\": [{\"select\": "
        "{\"nearest\": [0.5, 3.5, 0.5]}}]}], \"obstacles\": [%s{\"name\": \"floor\", \"plane\": {\"point\": [0, -2, 0], \"normal\": [0, 1, 0]}}],"
        " \"contact\": {\"model\": %s}}",
        _i == 0 ? sphere : "", contacts[_i]);
    const Model *model = &simulation.model;
    const ModelSurface *surface = &model->surface;
    const int32_t bodies = surface->first_vertices[2], obstacles = _i == 0 ? 3 : 0;
    ck_assert_int_eq(surface->first_vertices[1], 52);
    ck_assert_int_eq(bodies, 60);
    ck_assert_int_eq(surface->map.vertex_count, bodies + obstacles);
    ck_assert_int_eq(surface->map.most, 1);
    int pinned = 0;
    for (int32_t v = 0; v < surface->map.vertex_count; ++v) {
        const int32_t node = surface_map_node(&surface->map, v);
        ck_assert_int_eq(node, v < bodies ? surface_map_node(&model->surface.map, v)
                                          : model->body_node_count + v - bodies);
        ck_assert_int_eq(surface->map.is_free[v], model->node_is_free[node]);
        pinned += v < bodies && !surface->map.is_free[v];
    }
    ck_assert_int_eq(pinned, 1);
    ck_assert_int_eq(surface->triangle_count, model->triangle_count);
    for (int32_t t = 0; t < surface->triangle_count; ++t)
        for (int k = 0; k < 3; ++k)
            ck_assert_int_eq(surface_map_node(&surface->map, surface->triangles[t][k]),
                             model->triangles[3 * t + k]);
    for (int32_t o = 0; o < model->contact.owner_count; ++o) {
        static const int32_t first[] = {0, 26, 52, 60, 61}, count[] = {26, 26, 8, 1, 0};
        ck_assert_int_eq(model->contact.owners[o].first_vertex, first[o]);
        ck_assert_int_eq(model->contact.owners[o].vertex_count, count[o]);
    }
    static const char *const names[] = {"a, node 27", "b, node 0", "obstacle ball", "obstacle floor"};
    const int32_t named[] = {26, 52, 60, 62};
    for (int i = 0; i < 4 && obstacles > 0; ++i) {
        char text[96];
        model_describe_vertex(model, named[i], text, sizeof text);
        ck_assert_str_eq(text, names[i]);
    }
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("surface map");
    TCase *tests = tcase_create("map");
    tcase_add_test(tests, vertices_are_weighted_sums);
    tcase_add_test(tests, pull_back_is_the_transpose);
    tcase_add_test(tests, weights_of_zero_are_left_out);
    tcase_add_loop_test(tests, solids_and_obstacles, 0, 2);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
