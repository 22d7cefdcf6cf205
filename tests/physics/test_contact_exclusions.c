// What barrier contact leaves out (model/exclusions.h): bodies, obstacles and surfaces by name that do not see each other, and what
// lies around the joints of two bodies.
#include "candidate_items.h"
#include "physics_fixture.h"

#include "model/contact_joints.h"
#include "sim/verify.h"

#define HEAD                                                                                                             \
    "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 10}, \"integrator\": {\"type\": "                         \
    "\"implicit_euler\"}, \"solver\": {\"type\": \"newton\", \"tolerance\": 1e-10}, \"materials\": {\"m\": {\"model\": " \
    "\"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3}, \"n\": "                     \
    "{\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3}}, "
#define CUBE(name, more)                                                                                     \
    "{\"name\": \"" name "\", \"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [2, 2, 2]}}, "  \
    "\"material\": \"m\"" more "}"
#define BARRIER(more)                                                                                        \
    "\"contact\": {\"model\": \"barrier\", \"distance\": 0.004, \"stiffness\": 1000" more "}"
#define UNSEEN(a, b) "{\"between\": [\"" a "\", \"" b "\"], \"contact\": false}"

// ---------------------------------------------------------------- by name

enum { FALL_STEPS = 12 };

/// Two cubes, one in the other's way and overlapping it, with or without a contact that leaves them out.
static void fall(bool with_contact, bool verified, double *places)
{
    Simulation simulation;
    Verification verification;
    simulation_make(test_context(), &simulation,
                    HEAD "\"bodies\": [" CUBE(
                        "a",
                        ", \"translate\": [0.02, 0.03, 0], \"velocity\": [0, -1, 0], "
                        "\"angular_velocity\": [3, 2, 1]") ", " CUBE("b", ", \"velocity\": [0, 1, 0]") "]%s}",
                    with_contact ? ", " BARRIER(", \"pairs\": [" UNSEEN("a", "b") "]") : "");
    if (verified)
        ASSERT_OK(simulation.context, verification_create(&simulation, &verification));
    for (int n = 0; n < FALL_STEPS; ++n) {
        step_once(&simulation);
        if (verified)
            ASSERT_OK(simulation.context, verification_check(&verification));
        if (with_contact)
            ck_assert(simulation.diagnosis.contact == 0 && isinf(simulation.diagnosis.min_distance));
    }
    ASSERT_OK(simulation.context, device_state_read(simulation.device, SLOT_POSITION, places));
    simulation_stop(&simulation);
}

START_TEST(what_does_not_see_each_other_passes_through)
{
    static double with[3 * 64], without[3 * 64];
    fall(true, true, with);
    fall(false, false, without);
    ck_assert_mem_eq(with, without, 3 * 54 * sizeof *with);
    ck_assert_double_lt(with[1], -0.1); // and they moved
}
END_TEST

/// Whether some surface triangles of two bodies intersect.
static bool overlap(Simulation *simulation, int32_t a, int32_t b)
{
    Verification verification;
    IntersectionPair pairs[512];
    int64_t count;
    ASSERT_OK(simulation->context, verification_create(simulation, &verification));
    (void)verification_check(&verification); // sets the places
    verification.set.may_meet = NULL;
    ASSERT_OK(simulation->context,
              intersections_find(simulation->context, &verification.set, 512, pairs, &count));
    ck_assert_int_le(count, 512);
    for (int64_t i = 0; i < count; ++i) {
        const int32_t *owners = verification.set.owners, one = owners[pairs[i].triangles[0]],
                      other = owners[pairs[i].triangles[1]];
        if ((one == a && other == b) || (one == b && other == a))
            return true;
    }
    return false;
}

// c lies on the floor; a and b fall together through each other onto it.
START_TEST(one_pair_of_three_is_left_out)
{
    Simulation simulation;
    Verification verification;
    bool passed = false, touched = false;
    simulation_make(
        test_context(), &simulation,
        HEAD
        "\"bodies\": [" CUBE("a", ", \"translate\": [0.03, 0.12, 0], \"velocity\": [0, -1, 0]") ", " CUBE("b", ", \"translate\": [-0.03, 0.16, 0.01], \"velocity\": [0, -1.3, 0]") ", " CUBE(
            "c",
            ", \"translate\": [0, 0.004, 0]") "], \"obstacles\": [{\"name\": \"floor\", \"plane\": {\"point\": "
                                              "[0, -0.05, 0], \"normal\": [0, 1, 0]}}], " BARRIER(
                                                  ", \"pairs\": [" UNSEEN("b", "a") "]") "}");
    ASSERT_OK(simulation.context, verification_create(&simulation, &verification));
    for (int n = 0; n < 25; ++n) {
        step_once(&simulation);
        ASSERT_OK(simulation.context, verification_check(&verification));
        touched |= simulation.diagnosis.contact > 0;
        ck_assert(!overlap(&simulation, 0, 2) && !overlap(&simulation, 1, 2));
        passed |= overlap(&simulation, 0, 1);
    }
    ck_assert(passed && touched);
    simulation_stop(&simulation);
}
END_TEST

static const char *const obstacles[] = {
    "\"plane\": {\"point\": [0, -0.055, 0], \"normal\": [0.1, 1, 0]}",
    "\"sphere\": {\"center\": [0.01, -0.1, 0], \"radius\": 0.06}",
    "\"mesh\": \"" SOURCE_DIR
    "/tests/scenes/steps.obj\", \"scale\": 0.3, \"translate\": [-0.15, -0.15, -0.1]",
};

/// How far the lowest node is after some steps over an obstacle, of which the entry makes the body see nothing.
static double lowest(const char *obstacle, const char *entry)
{
    Simulation simulation;
    Verification verification;
    double low = INFINITY;
    simulation_make(
        test_context(), &simulation,
        HEAD "\"bodies\": [" CUBE(
            "a",
            ", \"translate\": [0, 0.02, 0], \"velocity\": [0, -1, 0]") "], "
                                                                       "\"obstacles\": [{\"name\": \"o\", %s}], " BARRIER(
                                                                           ", \"pairs\": [%s]") "}",
        obstacle, entry);
    ASSERT_OK(simulation.context, verification_create(&simulation, &verification));
    for (int n = 0; n < 12; ++n) {
        step_once(&simulation);
        ASSERT_OK(simulation.context, verification_check(&verification));
    }
    const double *x = slot_values(&simulation, SLOT_POSITION);
    for (int32_t i = 0; i < simulation.model.body_node_count; ++i)
        low = fmin(low, x[3 * (size_t)i + 1]);
    simulation_stop(&simulation);
    return low;
}

START_TEST(obstacles_are_left_out_too)
{
    const double free = -0.03 - 0.12 * 1.0 - 0.0001 * 0.5 * 12 * 13 * 9.81;
    ck_assert_double_eq_tol(lowest(obstacles[_i], UNSEEN("a", "o")), free, 1e-9);
    ck_assert_double_eq_tol(lowest(obstacles[_i], UNSEEN("o", "m")), free, 1e-9);
    ck_assert_double_gt(lowest(obstacles[_i], ""), free + 0.01);
}
END_TEST

/// Candidates of a motion of so many m along y, every vertex its own way, from the initial state; those between an owner and itself among
/// them.
static void count_candidates(const Model *model, double motion, int32_t *all, int32_t *own, Candidate **copy)
{
    CandidateList *list;
    VelaContext *context = test_context();
    const size_t vertices = (size_t)model->surface.map.vertex_count;
    double *x = malloc(3 * vertices * sizeof *x), *p = calloc(3 * vertices, sizeof *p);
    for (size_t v = 0; v < vertices; ++v)
        p[3 * v + 1] = motion * sin(7.0 * (double)v);
    surface_map_apply(&model->surface.map, model->initial_positions, x);
    ASSERT_OK(context, candidate_list_create(context, model, kernels_choose(), 2, &list));
    ASSERT_OK(context, candidate_list_sweep(list, x, p));
    const Candidate *items = candidate_list_items(list, all);
    *own = 0;
    for (int32_t i = 0; i < *all; ++i)
        *own += items[i].owners[0] == items[i].owners[1];
    if (copy) {
        *copy = malloc(((size_t)*all + 1) * sizeof **copy);
        memcpy(*copy, items, (size_t)*all * sizeof **copy);
    }
    candidate_list_destroy(list);
    vela_context_destroy(context);
    free(p);
    free(x);
}

// Two thin plates whose sides are within d-hat of each other: each meets itself unless it is named twice, or its material is.
START_TEST(bodies_may_not_see_themselves)
{
    static const struct {
        const char *pairs;
        int32_t with_self; ///< plates that meet themselves
        bool each_other;
    } cases[] = {{"", 2, true},
                 {UNSEEN("p", "p"), 1, true},
                 {UNSEEN("p", "q"), 2, false},
                 {UNSEEN("m", "m"), 0, false},
                 {UNSEEN("p", "m"), 1, false}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        Simulation simulation;
        int32_t all, own;
        Candidate *items;
        simulation_make(
            test_context(), &simulation,
            HEAD
            "\"bodies\": [{\"name\": \"p\", \"geometry\": {\"box\": {\"size\": [0.1, 0.002, 0.1], \"cells\": "
            "[2, 1, 2]}}, \"material\": \"m\"}, {\"name\": \"q\", \"geometry\": {\"box\": {\"size\": [0.1, "
            "0.002, 0.1], \"cells\": [2, 1, 2]}}, \"material\": \"m\", \"translate\": [0, 0.005, "
            "0]}], " BARRIER(", \"pairs\": [%s]") "}",
            cases[c].pairs);
        int32_t with_self[2] = {0};
        count_candidates(&simulation.model, 0.003, &all, &own, &items);
        for (int32_t i = 0; i < all; ++i)
            if (items[i].owners[0] == items[i].owners[1])
                ++with_self[items[i].owners[0]];
        ck_assert_int_eq((with_self[0] > 0) + (with_self[1] > 0), cases[c].with_self);
        ck_assert(with_self[1] > 0 || cases[c].with_self == 0);
        ck_assert((all > own) == cases[c].each_other);
        free(items);
        simulation_stop(&simulation);
    }
}
END_TEST

// ---------------------------------------------------------------- joints

/// A model of a scene with joints that the test gives; nothing has started.
static void build_joined(Simulation *simulation, int32_t count, const ContactJoint *joints, const char *text)
{
    VelaContext *context = test_context();
    *simulation = (Simulation){.context = context, .arena = arena_make(context)};
    ASSERT_OK(context, scene_parse(context, BINARY_DIR "/scene.json", text, strlen(text), 0, NULL,
                                   &simulation->arena, &simulation->scene));
    ASSERT_OK(context, model_build(context, &simulation->scene, &simulation->arena, &simulation->model));
    ASSERT_OK(context,
              contact_joints_exclude(context, &simulation->arena, count, joints, &simulation->model));
}

/// Distance of a primitive from a point in the initial state, m.
static double distance_of(const Model *model, SurfacePart part, int32_t number, const double point[3])
{
    int32_t corners[3];
    double pair[12], x[3];
    model_contact_corners(&model->contact, part, number, corners);
    memcpy(pair, point, 3 * sizeof *pair);
    for (int c = 0; c < 3; ++c) {
        surface_map_vertex(&model->surface.map, corners[c], model->initial_positions, x);
        memcpy(pair + 3 * (c + 1), x, sizeof x);
    }
    return sqrt(closest_points(pair, PAIR_POINT_TRIANGLE).distance_sq);
}

/// The number of a triangle or edge by its vertices.
static int32_t number_of(const ModelContact *contact, SurfacePart part, const int32_t *vertices)
{
    int32_t i = 0;
    if (part == SURFACE_VERTEX)
        return vertices[0];
    while (part == SURFACE_EDGE && memcmp(contact->edges[i], vertices, 2 * sizeof *vertices) != 0)
        ++i;
    while (part == SURFACE_TRIANGLE && memcmp(contact->triangles[i], vertices, 3 * sizeof *vertices) != 0)
        ++i;
    return i;
}

/// Whether a joint's zones have a candidate, by the definition.
static bool is_at_joint(const Model *model, const Candidate *candidate, const ContactJoint *joint,
                        double clearance)
{
    static const SurfacePart parts[][2] = {[CANDIDATE_POINT_TRIANGLE] = {SURFACE_VERTEX, SURFACE_TRIANGLE},
                                           [CANDIDATE_EDGE_EDGE] = {SURFACE_EDGE, SURFACE_EDGE},
                                           [CANDIDATE_POINT_EDGE] = {SURFACE_VERTEX, SURFACE_EDGE}};
    if (candidate->owners[0] == candidate->owners[1] || candidate->kind == CANDIDATE_POINT_PLANE)
        return false;
    for (int p = 0; p < 2; ++p) {
        const SurfacePart part = parts[candidate->kind][p];
        const int32_t *vertices = candidate->vertices + (p == 0 ? 0 : (int)candidate_pair(candidate));
        const int side = candidate->owners[p] == joint->owners[0] ? 0 : 1;
        if (candidate->owners[p] != joint->owners[side] ||
            distance_of(model, part, number_of(&model->contact, part, vertices), joint->points[side]) >
                clearance)
            return false;
    }
    return true;
}

#define TOUCHING(contact)                                                                                    \
    HEAD "\"gravity\": [0, 0, 0], \"bodies\": [" CUBE("a", ", \"translate\": [0, 0.01, 0]") ", " CUBE(       \
        "b", ", \"translate\": [0.1, 0, 0]") "], " contact "}"

// Two cubes with a part of a face in common: joined there with room for all of it, they start and rest; what is beyond sees the other.
START_TEST(a_joint_leaves_room_around_it)
{
    static const ContactJoint joint = {{0, 1}, {{0.05, 0.005, 0}, {0.05, 0.005, 0}}};
    Simulation simulation;
    Verification verification;
    int32_t all, own;
    build_joined(&simulation, 1, &joint, TOUCHING(BARRIER(", \"clearance\": 0.08")));
    ASSERT_OK(simulation.context, simulation_start(&simulation, &(DeviceChoice){"cpu", NULL}));
    ASSERT_OK(simulation.context, verification_create(&simulation, &verification));
    count_candidates(&simulation.model, 0, &all, &own, NULL);
    ck_assert_int_eq(all, own);
    for (int n = 0; n < 5; ++n) {
        step_once(&simulation);
        ASSERT_OK(simulation.context, verification_check(&verification));
        ck_assert(simulation.diagnosis.contact == 0);
    }
    const double *x = slot_values(&simulation, SLOT_POSITION);
    ck_assert_double_le(
        largest_difference(x, simulation.model.initial_positions, 3 * (size_t)simulation.model.node_count),
        1e-15);
    simulation_stop(&simulation);
}
END_TEST

// The usual clearance is twice d-hat (and what the two keep apart), too little for this face.
START_TEST(beyond_it_bodies_see_each_other)
{
    static const ContactJoint joint = {{0, 1}, {{0.05, 0.005, 0}, {0.05, 0.005, 0}}};
    for (int thick = 0; thick < 2; ++thick) {
        Simulation joined, apart;
        int32_t all, own, all_apart, own_apart, left_out = 0;
        Candidate *items, *others;
        const double clearance = thick ? 2 * 0.004 + 0.01 : 2 * 0.004;
        const char *text =
            thick ? HEAD
                "\"bodies\": [" CUBE("a", ", \"contact_thickness\": 0.012") ", " CUBE(
                    "b",
                    ", \"contact_thickness\": 0.008, \"translate\": [0.1, 0.02, 0.03]") "], " BARRIER("") "}"
                  : TOUCHING(BARRIER(""));
        build_joined(&joined, 1, &joint, text);
        build_joined(&apart, 0, NULL, text);
        count_candidates(&joined.model, 0.02, &all, &own, &items);
        count_candidates(&apart.model, 0.02, &all_apart, &own_apart, &others);
        ck_assert_int_eq(own, own_apart);
        for (int32_t i = 0, kept = 0; i < all_apart; ++i) {
            if (is_at_joint(&apart.model, &others[i], &joint, clearance)) {
                ++left_out;
                continue;
            }
            ck_assert_int_lt(kept, all);
            ck_assert_mem_eq(others[i].vertices, items[kept++].vertices, sizeof others[i].vertices);
        }
        printf("clearance %g: %d of %d pairs left out\n", clearance, left_out, all_apart);
        ck_assert_int_eq(all, all_apart - left_out);
        ck_assert_int_gt(left_out, 5);
        ck_assert_int_gt(all, own);
        if (!thick) {
            ck_assert_int_eq(simulation_start(&joined, &(DeviceChoice){"cpu", NULL}),
                             VELA_ERROR_INVALID_INPUT);
            ck_assert_ptr_nonnull(strstr(vela_context_message(joined.context), "cannot start"));
        }
        free(items);
        free(others);
        simulation_stop(&joined);
        simulation_stop(&apart);
    }
}
END_TEST

// A peg in a block, all of the peg within the joint's room: it is not said to lie inside, beside the joint it is.
START_TEST(what_is_held_may_lie_inside)
{
    static const ContactJoint joint = {{0, 1}, {{0, 0, 0}, {0.01, 0, 0}}};
    static const char text[] = HEAD "\"bodies\": [" CUBE(
        "block",
        "") ", {\"name\": \"peg\", \"geometry\": {\"box\": {\"size\": [0.02, 0.02, "
            "0.02], \"cells\": [1, 1, 1]}}, \"material\": \"m\"}], " BARRIER(", \"clearance\": 0.06") "}";
    for (int joined = 0; joined < 2; ++joined) {
        Simulation simulation;
        build_joined(&simulation, joined, &joint, text);
        const VelaResult result = simulation_start(&simulation, &(DeviceChoice){"cpu", NULL});
        ck_assert_int_eq(result, joined ? VELA_OK : VELA_ERROR_INVALID_INPUT);
        if (!joined)
            ck_assert_ptr_nonnull(strstr(vela_context_message(simulation.context), "lies inside"));
        simulation_stop(&simulation);
    }
}
END_TEST

// A rope that begins on a cube's face, within one large triangle: with the usual clearance it starts, hangs on without a force between
// the two, and is verified.
START_TEST(a_rope_may_begin_on_a_face)
{
    static const ContactJoint joint = {{0, 1}, {{0.01, 0.05, 0.02}, {0.01, 0.05, 0.02}}};
    static const char text[] = HEAD "\"gravity\": [0, 0, 0], \"bodies\": [" CUBE(
        "a",
        "") ", {\"name\": \"rope\", \"type\": \"cable\", \"radius\": 0.003, \"material\": \"m\", \"geometry\": "
            "{\"cable\": {\"from\": [0.01, 0.05, 0.02], \"to\": [0.02, 0.25, 0.02], \"segments\": "
            "40}}}], " BARRIER("") "}";
    for (int joined = 0; joined < 2; ++joined) {
        Simulation simulation;
        Verification verification;
        build_joined(&simulation, joined, &joint, text);
        const VelaResult result = simulation_start(&simulation, &(DeviceChoice){"cpu", NULL});
        ck_assert_int_eq(result, joined ? VELA_OK : VELA_ERROR_INVALID_INPUT);
        if (joined) {
            ASSERT_OK(simulation.context, verification_create(&simulation, &verification));
            for (int n = 0; n < 3; ++n) {
                step_once(&simulation);
                ASSERT_OK(simulation.context, verification_check(&verification));
                ck_assert(simulation.diagnosis.contact == 0);
            }
        } else
            ck_assert_ptr_nonnull(strstr(vela_context_message(simulation.context), "intersect"));
        simulation_stop(&simulation);
    }
}
END_TEST

// ---------------------------------------------------------------- joints of a scene

START_TEST(joints_of_a_scene)
{
    Simulation simulation;
    simulation_make(
        test_context(), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 10}, \"solver\": {\"type\": \"compliant\"}, "
        "\"gravity\": [0, 0, 0], \"materials\": {\"m\": {\"model\": \"stvk\", \"density\": 1000, \"youngs_modulus\": "
        "1e5, \"poissons_ratio\": 0.3}}, \"bodies\": [{\"name\": \"pair\", \"type\": \"affine\", \"geometry\": "
        "{\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}}, \"material\": \"m\", \"array\": {\"count\": "
        "[3, 1, 1], \"spacing\": [0.2, 0, 0]}}, " CUBE(
            "cube",
            ", \"translate\": [0, 0.2, 0]") ", {\"name\": "
                                            "\"rope\", \"type\": \"cable\", \"radius\": 0.01, \"material\": \"m\", \"geometry\": {\"cable\": {\"from\": "
                                            "[0, 0.25, 0], \"to\": [0, 1, 0], \"segments\": 5}}}], \"constraints\": ["
                                            "{\"type\": \"attach\", \"between\": [{\"body\": \"pair\", \"node\": 7}, {\"body\": \"pair\", \"nearest\": [0.15, 0.01, 0]}]}, "
                                            "{\"type\": \"hinge\", \"between\": [\"cube\", \"pair\"], \"at\": [0.01, 0.1, 0], \"axis\": [0, 0, 1]}, "
                                            "{\"type\": \"attach\", \"between\": [{\"body\": \"rope\", \"node\": 0}, {\"body\": \"cube\", \"nearest\": "
                                            "[0, 0.25, 0]}]}, "
                                            "{\"type\": \"ball\", \"between\": [\"cube\", \"world\"], \"at\": [0, 0.2, 0.05]}, "
                                            "{\"type\": \"attach\", \"between\": [{\"body\": \"rope\", \"nearest\": [0, 0.35, 0]}, {\"body\": \"rope\", "
                                            "\"nearest\": [0, 0.9, 0]}]}, "
                                            "{\"type\": \"attach\", \"between\": [{\"body\": \"rope\", \"node\": 5}, {\"point\": [0, 1, 0]}]}, "
                                            "{\"type\": \"distance\", \"between\": [{\"body\": \"rope\", \"node\": 5}, {\"body\": \"cube\", \"node\": "
                                            "0}]}]}");
    static const ContactJoint expected[] = {{{0, 1}, {{0.05, 0.05, 0.05}, {0.15, 0.01, 0}}},
                                            {{3, 0}, {{0.01, 0.1, 0}, {0.01, 0.1, 0}}},
                                            {{4, 3}, {{0, 0.25, 0}, {0, 0.25, 0}}},
                                            {{4, 4}, {{0, 0.35, 0}, {0, 0.9, 0}}}};
    ContactJoint *joints;
    int32_t count;
    ASSERT_OK(simulation.context, contact_joints_find(&simulation.model, &simulation.arena, &count, &joints));
    ck_assert_int_eq(count, 4);
    for (int j = 0; j < count; ++j)
        for (int side = 0; side < 2; ++side) {
            ck_assert_int_eq(joints[j].owners[side], expected[j].owners[side]);
            for (int k = 0; k < 3; ++k)
                ck_assert_double_eq_tol(joints[j].points[side][k], expected[j].points[side][k], 1e-15);
        }
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("contact exclusions");
    TCase *tests = tcase_create("exclusions");
    tcase_add_test(tests, what_does_not_see_each_other_passes_through);
    tcase_add_test(tests, one_pair_of_three_is_left_out);
    tcase_add_loop_test(tests, obstacles_are_left_out_too, 0, sizeof obstacles / sizeof *obstacles);
    tcase_add_test(tests, bodies_may_not_see_themselves);
    tcase_add_test(tests, a_joint_leaves_room_around_it);
    tcase_add_test(tests, beyond_it_bodies_see_each_other);
    tcase_add_test(tests, what_is_held_may_lie_inside);
    tcase_add_test(tests, a_rope_may_begin_on_a_face);
    tcase_add_test(tests, joints_of_a_scene);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
