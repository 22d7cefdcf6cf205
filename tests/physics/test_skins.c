// Skins: what their vertices are sums of, and that bodies move under them as they do without. That forces on them are derivatives of
// the energy is seen in test_surface_contact.c.
#include "physics_fixture.h"
#include "skin_fixture.h"

#include "api/session.h"
#include "geometry/closest_points.h"
#include "model/tet_search.h"
#include "sim/verify.h"

#define CUBE BINARY_DIR "/skins_cube.obj"
#define WIDE BINARY_DIR "/skins_wide.obj"
#define OWN BINARY_DIR "/skins_own.obj"
#define SKIN(path, contact) ", \"skin\": {\"mesh\": \"" path "\", \"contact\": " contact "}"
#define MATERIAL                                                                                             \
    "\"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e5, "       \
    "\"poissons_ratio\": 0.3}}"
#define FLOOR                                                                                                \
    "\"obstacles\": [{\"name\": \"floor\", \"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0]}}]"

static double random_number(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53 - 0.5;
}

// ---------------------------------------------------------------- search

static VelaResult make_ball(VelaContext *context, Arena *arena, TetMesh *mesh)
{
    return mesh_make_ball(context, 0.5, 6, arena, mesh);
}

// The least weight of a point in a tetrahedron, by volumes.
static double least_weight(const TetMesh *mesh, int32_t t, const double point[3])
{
    double least = INFINITY, volumes[5];
    for (int replaced = 0; replaced < 5; ++replaced) {
        double edges[9];
        const double *corners[4];
        for (int a = 0; a < 4; ++a)
            corners[a] =
                a == replaced ? point : mesh->nodes + 3 * (size_t)mesh->tets[4 * (size_t)t + (size_t)a];
        for (int a = 0; a < 3; ++a)
            subtract3(corners[a + 1], corners[0], edges + 3 * a);
        double normal[3];
        cross3(edges + 3, edges + 6, normal);
        volumes[replaced] = dot3(edges, normal);
    }
    for (int a = 0; a < 4; ++a)
        least = fmin(least, volumes[a] / volumes[4]);
    return least;
}

// Against all tetrahedra inside and all triangles of the surface outside of a ball.
START_TEST(nearest_tetrahedron_is_found)
{
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    TetMesh mesh;
    TetSearch search;
    int32_t triangle_count, *triangles, inside = 0, outside = 0;
    ASSERT_OK(context, make_ball(context, &arena, &mesh));
    ASSERT_OK(context, mesh_surface(context, &mesh, &arena, &triangle_count, &triangles));
    ASSERT_OK(context, tet_search_create(context, &mesh, &arena, &search));
    uint64_t state = 7;
    for (int i = 0; i < 600; ++i) {
        double point[3], best = -INFINITY, nearest = INFINITY, sum[3] = {0}, weights = 0;
        for (int k = 0; k < 3; ++k)
            point[k] = 1.4 * random_number(&state);
        const TetPlace place = tet_search_find(&search, point, 0),
                       again = tet_search_find(&search, point, mesh.tet_count - 1);
        ck_assert_mem_eq(&place, &again, sizeof place);
        for (int a = 0; a < 4; ++a) {
            add_scaled3(sum, place.weights[a],
                        mesh.nodes + 3 * (size_t)mesh.tets[4 * (size_t)place.tet + (size_t)a], sum);
            weights += place.weights[a];
        }
        ck_assert_double_eq_tol(weights, 1, 1e-14);
        ck_assert_double_lt(largest_difference(sum, point, 3), 1e-14);
        for (int32_t t = 0; t < mesh.tet_count; ++t)
            best = fmax(best, least_weight(&mesh, t, point));
        for (int32_t t = 0; t < triangle_count; ++t) {
            double x[12];
            memcpy(x, point, sizeof point);
            for (int k = 0; k < 3; ++k)
                memcpy(x + 3 * (k + 1), mesh.nodes + 3 * (size_t)triangles[3 * (size_t)t + (size_t)k],
                       3 * sizeof *x);
            nearest = fmin(nearest, sqrt(closest_points(x, PAIR_POINT_TRIANGLE).distance_sq));
        }
        if (best >= 0) {
            ++inside;
            ck_assert_double_eq(place.distance, 0);
            ck_assert_double_eq_tol(least_weight(&mesh, place.tet, point), best, 1e-12);
        } else {
            ++outside;
            ck_assert_double_eq_tol(place.distance, nearest, 3e-12);
        }
    }
    printf("%d points inside, %d outside\n", inside, outside);
    ck_assert(inside > 100 && outside > 100);
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

// ---------------------------------------------------------------- weights

/// Copies of a turned, scaled body under a skin that sticks out of it.
static const char *const bodies[] = {
    "{\"name\": \"b\", \"geometry\": {\"ball\": {\"radius\": 0.5, \"resolution\": 4}}, \"material\": \"m\", "
    "\"scale\": 0.4, \"rotate\": {\"axis\": [1, 2, 3], \"degrees\": 50}, \"translate\": [1, 2, 0.5], "
    "\"array\": {\"count\": [2, 1, 2], \"spacing\": [0.7, 0, 0.9]}" SKIN(CUBE, "true") "}",
    "{\"name\": \"b\", \"type\": \"affine\", \"geometry\": {\"ball\": {\"radius\": 0.5, \"resolution\": 4}}, "
    "\"material\": \"m\", \"scale\": 0.4, \"rotate\": {\"axis\": [1, 2, 3], \"degrees\": 50}, "
    "\"translate\": [1, 2, 0.5], \"array\": {\"count\": [2, 1, 2], \"spacing\": [0.7, 0, 0.9]}" SKIN(
        CUBE, "true") "}"};

// At rest the skin is the file's surface, placed as the body is; where nodes move by an affine map, so do its vertices.
START_TEST(skin_follows_its_body)
{
    static const double axis[3] = {0.2672612419124244, 0.5345224838248488, 0.8017837257372732};
    static const double a[9] = {1.2, 0.3, -0.1, 0.2, 0.8, 0.4, -0.3, 0.1, 1.1}, t[3] = {0.3, -2, 5};
    Simulation simulation;
    write_cube_skin(CUBE, 0.36, 5);
    simulation_make(threads_context(1), &simulation,
                    "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, " MATERIAL
                    ", \"bodies\": [%s], \"solver\": {\"type\": \"newton\"}}",
                    bodies[_i]);
    VelaContext *context = simulation.context;
    const Model *model = &simulation.model;
    Arena *arena = &simulation.arena;
    const ModelBody *body = model->bodies;
    TriangleMesh file;
    ASSERT_OK(context, mesh_read_triangles(context, CUBE, arena, &file));
    ck_assert_int_eq(body->skin_vertex_count, 4 * file.node_count);
    ck_assert_int_eq(body->skin_triangle_count, 4 * file.triangle_count);
    double *rest, *moved, *nodes, rotation[9];
    ASSERT_OK(context, ARENA_ARRAY(arena, rest, 3 * (size_t)model->vertex_count));
    ASSERT_OK(context, ARENA_ARRAY(arena, moved, 3 * (size_t)model->vertex_count));
    ASSERT_OK(context, ARENA_ARRAY(arena, nodes, 3 * (size_t)model->node_count));
    matrix3_rotation(axis, 50 * 3.14159265358979323846 / 180, rotation);
    for (int32_t i = 0; i < model->node_count; ++i) {
        matrix3_apply(a, model->rest_positions + 3 * (size_t)i, nodes + 3 * (size_t)i);
        add_scaled3(nodes + 3 * (size_t)i, 1, t, nodes + 3 * (size_t)i);
    }
    model_vertices(model, model->rest_positions, rest);
    model_vertices(model, nodes, moved);
    double off[2] = {0, 0};
    for (int32_t v = 0; v < body->skin_vertex_count; ++v) {
        const int32_t vertex = body->vertex_count + v, copy = v / file.node_count;
        double expected[3], sum = 0, weights[SURFACE_NODES_MOST];
        int32_t of[SURFACE_NODES_MOST];
        const int count = model_vertex_nodes(body, vertex, of, weights);
        for (int k = 0; k < count; ++k) {
            sum += weights[k];
            ck_assert_int_eq(of[k] / (body->node_count / 4), copy);
        }
        ck_assert_double_eq_tol(sum, 1, 1e-14);
        for (int k = 0; k < 3; ++k)
            expected[k] = 0.4 * file.nodes[3 * (size_t)(v % file.node_count) + (size_t)k];
        matrix3_apply(rotation, expected, expected);
        add_scaled3(expected, 1, (const double[]){1 + 0.7 * (copy % 2), 2, 0.5 + 0.9 * (copy / 2)}, expected);
        off[0] = fmax(off[0], largest_difference(rest + 3 * (size_t)vertex, expected, 3));
        matrix3_apply(a, expected, expected);
        add_scaled3(expected, 1, t, expected);
        off[1] = fmax(off[1], largest_difference(moved + 3 * (size_t)vertex, expected, 3));
    }
    printf("%d vertices: off by %.1e m at rest, %.1e m moved\n", body->skin_vertex_count, off[0], off[1]);
    ck_assert_double_lt(off[0], 1e-12);
    ck_assert_double_lt(off[1], 1e-12);
    simulation_stop(&simulation);
}
END_TEST

// The skin is what frames draw; the body's nodes and tetrahedra are there as without it.
START_TEST(frames_draw_the_skin)
{
    Simulation simulation;
    FrameTopology topology;
    write_cube_skin(CUBE, 0.36, 5);
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, " MATERIAL
        ", \"bodies\": [{\"name\": \"box\", \"geometry\": {\"box\": {\"size\": [1, 1, 1], \"cells\": "
        "[1, 1, 1]}}, \"material\": \"m\"}, %s], \"solver\": {\"type\": \"newton\"}}",
        bodies[0]);
    const Model *model = &simulation.model;
    ASSERT_OK(simulation.context, session_topology(model, &simulation.arena, &topology));
    const FrameBody *box = topology.bodies, *ball = box + 1;
    ck_assert_int_eq(box->skin_vertex_count, 0);
    ck_assert_int_eq(box->triangle_count, 12);
    ck_assert_int_eq(ball->first_triangle, 12);
    ck_assert_int_eq(ball->triangle_count, 4 * 300);
    ck_assert_int_eq(ball->skin_vertex_count, 4 * 152);
    ck_assert_int_eq(ball->vertex_count, 4 * (125 + 152));
    ck_assert_int_eq(topology.triangle_count, 12 + 4 * 300);
    ck_assert_int_eq(topology.vertex_count, 8 + ball->vertex_count);
    const int32_t first = ball->first_vertex + ball->vertex_count - ball->skin_vertex_count;
    for (int32_t t = ball->first_triangle; t < topology.triangle_count; ++t) {
        const int32_t copy = (t - ball->first_triangle) / 300, tet = topology.triangle_elements[t];
        ck_assert_int_eq((tet - ball->first_tet) / (ball->tet_count / 4), copy);
        for (int k = 0; k < 3; ++k) {
            const int32_t vertex = topology.triangles[3 * (size_t)t + (size_t)k];
            ck_assert_int_eq((vertex - first) / 152, copy);
        }
    }
    for (int32_t i = 4 * ball->first_tet; i < 4 * topology.tet_count; ++i)
        ck_assert(topology.tets[i] >= ball->first_vertex && topology.tets[i] < first);
    simulation_stop(&simulation);
}
END_TEST

// ---------------------------------------------------------------- motion

/// Two boxes, one on the other, falling askew.
static void drop(const char *contact, const char *solver, const char *skin, int steps, Simulation *simulation)
{
    simulation_make(
        threads_context(2), simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"integrator\": {\"type\": \"bdf2\"}, "
        "\"solver\": {\"type\": \"%s\"}, " MATERIAL ", \"bodies\": ["
        "{\"name\": \"lower\", \"geometry\": {\"box\": {\"size\": [0.2, 0.2, 0.2], \"cells\": [2, 2, 2]}}, "
        "\"material\": \"m\", \"translate\": [0, 0.105, 0]%s},"
        "{\"name\": \"upper\", \"geometry\": {\"box\": {\"size\": [0.2, 0.2, 0.2], \"cells\": [2, 2, 2]}}, "
        "\"material\": \"m\", \"rotate\": {\"axis\": [1, 0, 1], \"degrees\": 20}, "
        "\"translate\": [0.02, 0.37, 0.01], \"velocity\": [0, -1, 0]%s}]," FLOOR ", \"contact\": {%s}}",
        solver, skin, skin, contact);
    for (int step = 0; step < steps; ++step)
        step_once(simulation);
}

#define BARRIER "\"model\": \"barrier\", \"distance\": 0.004, \"friction\": 0.3"
#define PENALTY "\"model\": \"penalty\", \"stiffness\": 500"

static const struct {
    const char *contact, *solver, *skin;
    int steps;
} same[] = {
    {BARRIER, "newton", SKIN(OWN, "true"), 25},
    {BARRIER, "newton", SKIN(CUBE, "false"), 25},
    {PENALTY, "newton", SKIN(OWN, "true"), 40},
    {PENALTY, "admm", SKIN(CUBE, "false"), 40},
};

// A skin that is the body's own surface, and one that takes no part in contact: the same bits as none.
START_TEST(moves_as_without)
{
    Simulation with, without;
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    TetMesh mesh;
    const double size[3] = {0.2, 0.2, 0.2};
    const int32_t cells[3] = {2, 2, 2};
    ASSERT_OK(context, mesh_make_box(context, size, cells, &arena, &mesh));
    write_own_skin(context, OWN, &mesh);
    write_cube_skin(CUBE, 0.1, 7);
    arena_clear(&arena);
    vela_context_destroy(context);
    drop(same[_i].contact, same[_i].solver, same[_i].skin, same[_i].steps, &with);
    drop(same[_i].contact, same[_i].solver, "", same[_i].steps, &without);
    const int32_t nodes = without.model.body_node_count;
    ck_assert_int_eq(with.model.surface.map.most, 1);
    const double *a = slot_values(&with, SLOT_POSITION), *b = slot_values(&without, SLOT_POSITION);
    ck_assert_double_gt(largest_difference(b, without.model.initial_positions, 3 * (size_t)nodes), 0.01);
    ck_assert_double_gt(without.diagnosis.contact, 0);
    ck_assert_mem_eq(a, b, 3 * (size_t)nodes * sizeof *a);
    simulation_stop(&with);
    simulation_stop(&without);
}
END_TEST

// Fine skins on boxes of eight nodes, solid and affine, fall on the floor and on each other; every state is verified.
START_TEST(skins_keep_apart)
{
    Simulation simulation;
    Verification verification;
    write_cube_skin(CUBE, 0.09, 5);
    write_cube_skin(WIDE, 0.105, 6);
    simulation_make(
        threads_context(2), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"integrator\": {\"type\": \"%s\"}, "
        "\"solver\": {\"type\": \"newton\"}, " MATERIAL ", \"bodies\": ["
        "{\"name\": \"lower\", \"geometry\": {\"box\": {\"size\": [0.2, 0.2, 0.2], \"cells\": [1, 1, 1]}}, "
        "\"material\": \"m\", \"translate\": [0, 0.11, 0]" SKIN(
            CUBE,
            "true") "},"
                    "{\"name\": \"upper\", \"geometry\": {\"box\": {\"size\": [0.2, 0.2, 0.2], \"cells\": [1, 1, 1]}}, "
                    "\"material\": \"m\", \"rotate\": {\"axis\": [1, 0, 1], \"degrees\": 30}, "
                    "\"translate\": [0.02, 0.38, 0.01], \"velocity\": [0, -1, 0]" SKIN(
                        WIDE,
                        "true") "},"
                                "{\"name\": \"stiff\", \"type\": \"affine\", \"geometry\": {\"box\": {\"size\": [0.2, 0.2, 0.2], "
                                "\"cells\": [1, 1, 1]}}, \"material\": \"m\", \"scale\": 0.6, \"rotate\": {\"axis\": [0, 1, 2], "
                                "\"degrees\": 40}, \"translate\": [0.2, 0.12, 0.01], \"velocity\": [-0.5, 0, 0]" SKIN(
                                    CUBE, "true") "}]," FLOOR ", \"contact\": {" BARRIER "}}",
        _i == 0 ? "bdf2" : "a_search");
    VelaContext *context = simulation.context;
    ck_assert_int_eq(simulation.model.surface.map.most, 4);
    ASSERT_OK(context, verification_create(&simulation, &verification));
    double gap = INFINITY;
    int iterations = 0;
    for (int step = 0; step < 60; ++step) {
        const StepReport report = step_once(&simulation);
        ASSERT_OK(context, verification_check(&verification));
        gap = fmin(gap, report.end.min_distance);
        iterations += report.solver.iterations;
    }
    printf("smallest gap %.3g m, %.1f iterations a step\n", gap, iterations / 60.0);
    ck_assert(gap > 0 && gap < 0.004);
    simulation_stop(&simulation);
}
END_TEST

// ---------------------------------------------------------------- messages

typedef struct Warnings {
    char text[2000];
} Warnings;

static void collect(void *user, VelaLogLevel level, const char *message)
{
    Warnings *warnings = user;
    if (level == VELA_LOG_WARNING)
        strncat(warnings->text, message, sizeof warnings->text - strlen(warnings->text) - 1);
}

/// Builds the model of a box with the keys of a body and of the scene added; the result, and the warnings.
static VelaResult build(const char *body, const char *scene, Warnings *warnings, char message[1000])
{
    VelaContextDef def = vela_default_context_def();
    VelaContext *context;
    SceneDef parsed;
    Model model;
    char text[3000];
    *warnings = (Warnings){0};
    def.log = collect;
    def.log_user = warnings;
    ck_assert_int_eq(vela_context_create(&def, &context), VELA_OK);
    Arena arena = arena_make(context);
    snprintf(text, sizeof text,
             "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, " MATERIAL
             ", \"bodies\": [{\"name\": \"body\", \"material\": \"m\", %s}]%s}",
             body, scene);
    VelaResult result =
        scene_parse(context, BINARY_DIR "/scene.json", text, strlen(text), 0, NULL, &arena, &parsed);
    if (result == VELA_OK)
        result = model_build(context, &parsed, &arena, &model);
    snprintf(message, 1000, "%s", vela_context_message(context));
    arena_clear(&arena);
    vela_context_destroy(context);
    return result;
}

#define BOX "\"geometry\": {\"box\": {\"size\": [0.2, 0.2, 0.2], \"cells\": [1, 1, 1]}}"

static const struct {
    const char *body, *scene, *expected;
} refusals[] = {
    {BOX SKIN("missing.obj", "true"), "", "bodies[0].skin.mesh: found \"missing.obj\", expected a mesh file"},
    {BOX ", \"skin\": {\"contact\": true}", "", "bodies[0].skin.mesh: missing"},
    {BOX ", \"skin\": \"" CUBE "\"", "", "bodies[0].skin: found"},
    {BOX ", \"skin\": {\"mesh\": \"" CUBE "\", \"smooth\": 1}", "", "unknown key \"smooth\""},
    {BOX SKIN(CUBE, "1"), "", "bodies[0].skin.contact: found 1, expected true or false"},
    {BOX SKIN(SOURCE_DIR "/tests/scenes/two_tets.mesh", "true"), "",
     "bodies[0]: skin: " SOURCE_DIR
     "/tests/scenes/two_tets.mesh: found a tetrahedral mesh, expected a surface"},
    {"\"type\": \"cable\", \"radius\": 0.01, \"geometry\": {\"cable\": {\"from\": [0, 0, 0], \"to\": [1, 0, 0], "
     "\"segments\": 3}}" SKIN(CUBE, "false"),
     "", "bodies[0].skin: found with type \"cable\", expected only with \"solid\" or \"affine\""},
    {"\"type\": \"shell\", \"thickness\": 0.01, \"geometry\": {\"sheet\": {\"size\": [1, 1], \"cells\": [2, 2]}}" SKIN(
         CUBE, "false"),
     "", "bodies[0].skin: found with type \"shell\", expected only with \"solid\" or \"affine\""},
    {BOX SKIN(CUBE, "true"),
     ", \"solver\": {\"type\": \"admm\"}, \"contact\": {\"model\": \"penalty\", \"stiffness\": 10}",
     "bodies[0].skin.contact: found true with solver \"admm\" and penalty contact"},
};

START_TEST(bad_skins_are_refused)
{
    Warnings warnings;
    char message[1000];
    write_cube_skin(CUBE, 0.09, 3);
    ck_assert_int_eq(build(refusals[_i].body, refusals[_i].scene, &warnings, message),
                     VELA_ERROR_INVALID_INPUT);
    ck_assert_msg(strstr(message, refusals[_i].expected), "'%s' lacks '%s'", message, refusals[_i].expected);
}
END_TEST

// A vertex may be a tenth of the body's size away from it without a word.
START_TEST(far_skins_are_named)
{
    Warnings warnings;
    char message[1000];
    static const char *const types[] = {BOX SKIN(WIDE, "false"),
                                        "\"type\": \"affine\", " BOX SKIN(WIDE, "false")};
    for (int type = 0; type < 2; ++type) {
        write_cube_skin(WIDE, 0.1 + 0.019 / sqrt(3), 3);
        ck_assert_int_eq(build(types[type], "", &warnings, message), VELA_OK);
        ck_assert_str_eq(warnings.text, "");
        write_cube_skin(WIDE, 0.1 + 0.021 / sqrt(3),
                        3); // its corners are beyond, its edges and faces are not
        ck_assert_int_eq(build(types[type], "", &warnings, message), VELA_OK);
        ck_assert_msg(strstr(warnings.text, "body \"body\": 8 of the 56 vertices of its skin") != NULL, "%s",
                      warnings.text);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("skins");
    TCase *tests = tcase_create("cases");
    tcase_add_test(tests, nearest_tetrahedron_is_found);
    tcase_add_loop_test(tests, skin_follows_its_body, 0, 2);
    tcase_add_test(tests, frames_draw_the_skin);
    tcase_add_loop_test(tests, moves_as_without, 0, sizeof same / sizeof *same);
    tcase_add_loop_test(tests, skins_keep_apart, 0, 2);
    tcase_add_loop_test(tests, bad_skins_are_refused, 0, sizeof refusals / sizeof *refusals);
    tcase_add_test(tests, far_skins_are_named);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
