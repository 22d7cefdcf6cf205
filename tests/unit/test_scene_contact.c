// Contact and obstacles of right scenes: every key, defaults, the friction of a pair, warnings.
#include "scene/parse.h"
#include "scene_fixture.h"

static Reading reading;

static void start(void)
{
    reading_start(&reading);
}

static void stop(void)
{
    reading_end(&reading);
}

static void read_file(const char *path)
{
    ASSERT_OK(reading.context, scene_read(reading.context, path, 0, NULL, &reading.arena, &reading.scene));
}

static const char every_key[] = SOURCE_DIR "/tests/scenes/every_key.json";
static const char every_key_newton[] = SOURCE_DIR "/tests/scenes/every_key_newton.json";

START_TEST(every_key_of_barrier_contact_arrives)
{
    read_file(every_key_newton);
    const ContactDef *contact = &reading.scene.contact;
    ck_assert_int_eq(contact->model, CONTACT_BARRIER);
    ck_assert_double_eq(contact->distance, 1e-3);
    ck_assert_double_eq(contact->stiffness, 1e5);
    ck_assert(!contact->self);
    ck_assert_double_eq(contact->friction, 0.2);
    ck_assert_int_eq(contact->friction_model, FRICTION_SEMI_IMPLICIT);
    ck_assert_double_eq(contact->friction_speed, 0.01);
    ck_assert_int_eq(contact->friction_iterations, 3);
    ck_assert_int_eq(contact->pair_count, 3);
    ck_assert(contact->pairs[2].no_contact && !contact->pairs[2].has_friction);
    ck_assert_double_eq(contact->clearance, 0.0625);
    ck_assert_str_eq(contact->pairs[0].names[0], "steel");
    ck_assert_str_eq(contact->pairs[0].names[1], "steps");
    ck_assert_double_eq(contact->pairs[0].friction, 0.6);
    ck_assert_str_eq(contact->pairs[1].names[1], "rubber");
    ck_assert_double_eq(contact->pairs[1].friction, 1.0 / 3);
    ck_assert_str_eq(reading.warnings, "");
}
END_TEST

START_TEST(every_kind_of_obstacle_arrives)
{
    read_file(every_key);
    ck_assert_int_eq(reading.scene.obstacles[0].kind, OBSTACLE_PLANE);
    ck_assert_str_eq(reading.scene.obstacles[0].mesh, "");
    read_file(every_key_newton);
    ck_assert_int_eq(reading.scene.obstacle_count, 3);
    const ObstacleDef *ball = &reading.scene.obstacles[0], *steps = ball + 1, *bare = ball + 2;
    ck_assert_int_eq(ball->kind, OBSTACLE_SPHERE);
    ck_vector(ball->center, 0, -3, 0.25);
    ck_assert_double_eq(ball->radius, 0.75);
    ck_assert(ball->has_friction && ball->friction == 0 && ball->motion.spin);
    ck_vector(ball->look.color, 0.1, 0.2, 0.3);
    ck_assert_double_eq(ball->look.roughness, 0.25);
    ck_assert_int_eq(steps->kind, OBSTACLE_MESH);
    ck_assert_str_eq(steps->mesh, SOURCE_DIR "/tests/scenes/steps.obj");
    ck_assert_double_eq(steps->scale, 2);
    ck_vector(steps->rotate_axis, 0, 1, 0);
    ck_assert_double_eq(steps->rotate_degrees, 90);
    ck_vector(steps->translate, 1, 2, 3);
    ck_assert_int_eq(steps->motion.keyframe_count, 2);
    ck_assert(!steps->has_friction);
    ck_assert_double_eq(bare->scale, 1);
    ck_assert_double_eq(bare->rotate_degrees, 0);
    ck_vector(bare->translate, 0, 0, 0);
    ck_assert_str_eq(bare->name, "obstacle2");
    ck_assert_double_eq(bare->look.roughness, 0.8);
}
END_TEST

#define NEWTON "\"solver\": {\"type\": \"newton\"}, "
START_TEST(defaults_of_barrier_contact)
{
    reading_settings(&reading, NEWTON "\"contact\": {\"model\": \"barrier\", \"distance\": 0.5}");
    const ContactDef *contact = &reading.scene.contact;
    ck_assert_double_eq(contact->stiffness, 0);
    ck_assert(contact->self);
    ck_assert_double_eq(contact->friction, 0);
    ck_assert_int_eq(contact->friction_model, FRICTION_LAGGED);
    ck_assert_double_eq(contact->friction_speed, 1e-3);
    ck_assert_int_eq(contact->friction_iterations, 1);
    ck_assert_int_eq(contact->pair_count, 0);
    // Integrators that solve nothing do without Newton's method.
    static const char *const explicit_ones[] = {"\"rk4\"", "\"variational\", \"alpha\": 0",
                                                "\"variational\", \"alpha\": 1"};
    for (int i = 0; i < 3; ++i) {
        char settings[200];
        snprintf(
            settings, sizeof settings,
            "\"integrator\": {\"type\": %s}, \"solver\": {\"type\": \"admm\"}, \"contact\": {\"model\": \"barrier\", \"distance\": 0.5}",
            explicit_ones[i]);
        reading_settings(&reading, settings);
        ck_assert_int_eq(reading.scene.solver.type, SOLVER_ADMM);
    }
    // Without a word about them, solver and integrator are those that suit stiff contact.
    reading_settings(&reading, "\"contact\": {\"model\": \"barrier\", \"distance\": 0.5}");
    ck_assert_int_eq(reading.scene.solver.type, SOLVER_NEWTON);
    ck_assert_int_eq(reading.scene.integrator, INTEGRATOR_BDF2);
    reading_settings(&reading, "\"name\": \"n\"");
    ck_assert_int_eq(reading.scene.solver.type, SOLVER_ADMM);
    ck_assert_int_eq(reading.scene.integrator, INTEGRATOR_VARIATIONAL);
}
END_TEST

static void read_friction_scene(const char *pairs)
{
    // Bodies 0 and 1 are of "rough", 2 is of "bare"; body 0 is called like the material of body 2.
    static const char scene[] =
        "{\"version\": 1, \"time\": {\"step\": 1, \"duration\": 1}, " NEWTON
        "\"materials\": {\"rough\": {\"model\": \"arap\", \"density\": 1, \"kappa\": 1, \"friction\": 0.5}, "
        "\"smooth\": {\"model\": \"arap\", \"density\": 1, \"kappa\": 1, \"friction\": 0.25}, "
        "\"bare\": {\"model\": \"arap\", \"density\": 1, \"kappa\": 1}}, \"bodies\": ["
        "{\"name\": \"bare\", \"material\": \"rough\", \"geometry\": {\"ball\": {\"radius\": 1, \"resolution\": 2}}}, "
        "{\"name\": \"second\", \"material\": \"rough\", \"geometry\": {\"ball\": {\"radius\": 1, \"resolution\": 2}}}, "
        "{\"name\": \"third\", \"material\": \"bare\", \"geometry\": {\"ball\": {\"radius\": 1, \"resolution\": 2}}}, "
        "{\"name\": \"fourth\", \"material\": \"smooth\", \"geometry\": {\"ball\": {\"radius\": 1, \"resolution\": 2}}}], "
        "\"obstacles\": [{\"name\": \"ice\", \"sphere\": {\"center\": [0, 0, 0], \"radius\": 1}, \"friction\": 0}, "
        "{\"name\": \"floor\", \"sphere\": {\"center\": [0, 0, 0], \"radius\": 1}}], "
        "\"contact\": {\"model\": \"barrier\", \"distance\": 1, \"friction\": 0.125, \"pairs\": [%s]}}";
    char text[4000];
    snprintf(text, sizeof text, scene, pairs);
    ASSERT_OK(reading.context, reading_parse(&reading, text));
}

START_TEST(friction_of_a_pair)
{
    enum { ICE, FLOOR };
    const SceneDef *s = &reading.scene;
    read_friction_scene("");
    ck_assert_double_eq(scene_friction(s, 0, -1, ICE), 0);       // the obstacle's own, although the least
    ck_assert_double_eq(scene_friction(s, 0, -1, FLOOR), 0.5);   // the material's
    ck_assert_double_eq(scene_friction(s, 2, -1, FLOOR), 0.125); // the contact's
    ck_assert_double_eq(scene_friction(s, 0, 3, -1), 0.5);       // the larger one
    ck_assert_double_eq(scene_friction(s, 3, 1, -1), 0.5);
    ck_assert_double_eq(scene_friction(s, 2, 3, -1), 0.25); // the only one
    ck_assert_double_eq(scene_friction(s, 3, 2, -1), 0.25);
    ck_assert_double_eq(scene_friction(s, 3, 3, -1), 0.25);
    ck_assert_double_eq(scene_friction(s, 2, 2, -1), 0.125);

    read_friction_scene("{\"between\": [\"second\", \"ice\"], \"friction\": 1}, "
                        "{\"between\": [\"rough\", \"ice\"], \"friction\": 2}, "
                        "{\"between\": [\"rough\", \"rough\"], \"friction\": 3}, "
                        "{\"between\": [\"bare\", \"smooth\"], \"friction\": 4}, "
                        "{\"between\": [\"fourth\", \"rough\"], \"friction\": 5}, "
                        "{\"between\": [\"third\", \"third\"], \"friction\": 0}");
    ck_assert_double_eq(scene_friction(s, 1, -1, ICE),
                        1); // its name before its material's, although listed first
    ck_assert_double_eq(scene_friction(s, 0, -1, ICE), 2);
    ck_assert_double_eq(scene_friction(s, 3, -1, ICE), 0); // named by no entry
    ck_assert_double_eq(scene_friction(s, 0, 1, -1), 3);
    ck_assert_double_eq(scene_friction(s, 1, 1, -1), 3);
    ck_assert_double_eq(scene_friction(s, 2, 3, -1), 4); // as a material ...
    ck_assert_double_eq(scene_friction(s, 3, 2, -1), 4);
    // ... and as a body: both entries fit as well, the last one holds.
    ck_assert_double_eq(scene_friction(s, 0, 3, -1), 5);
    ck_assert_double_eq(scene_friction(s, 1, 3, -1), 5);
    ck_assert_double_eq(scene_friction(s, 2, 2, -1), 0);
    ck_assert_double_eq(scene_friction(s, 1, 2, -1), 0.5);
}
END_TEST

#define PLANE "\"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0]}"
START_TEST(penalty_contact_takes_spheres_and_friction)
{
    char *text = edited_scene(
        "\"version\": 1,",
        "\"version\": 1, \"obstacles\": [{\"name\": \"floor\", " PLANE
        "}, {\"sphere\": {\"center\": [0, -2, 0], \"radius\": 0.5}, \"friction\": 0.7}], "
        "\"contact\": {\"model\": \"penalty\", \"stiffness\": 1, \"friction\": 0.3, \"friction_speed\": 0.02, "
        "\"friction_iterations\": 4, \"pairs\": [{\"between\": [\"body0\", \"floor\"], \"friction\": 0.1}]},");
    ASSERT_OK(reading.context, reading_parse(&reading, text));
    const SceneDef *scene = &reading.scene;
    ck_assert(scene->contact.model == CONTACT_PENALTY && scene->obstacles[1].kind == OBSTACLE_SPHERE);
    ck_assert(scene->contact.friction == 0.3 && scene->contact.friction_speed == 0.02);
    ck_assert(scene->contact.friction_iterations == 4 && scene->contact.pair_count == 1);
    ck_assert_double_eq(scene_friction(scene, 0, -1, 0), 0.1);
    ck_assert_double_eq(scene_friction(scene, 0, -1, 1), 0.7);
    free(text);
    text = edited_scene("\"version\": 1,",
                        "\"version\": 1, \"contact\": {\"model\": \"penalty\", \"stiffness\": 1},");
    ASSERT_OK(reading.context, reading_parse(&reading, text));
    ck_assert(reading.scene.contact.friction_speed == 1e-3 && reading.scene.contact.friction_iterations == 1);
    free(text);
}
END_TEST

START_TEST(obstacles_without_contact_are_reported)
{
    char *text = edited_scene("\"version\": 1,", "\"version\": 1, \"obstacles\": [{" PLANE "}],");
    ASSERT_OK(reading.context, reading_parse(&reading, text));
    ck_assert_ptr_nonnull(strstr(reading.warnings, "bodies pass through them: there is no \"contact\""));
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("scene contact");
    TCase *tests = tcase_create("contact");
    tcase_add_checked_fixture(tests, start, stop);
    tcase_add_test(tests, every_key_of_barrier_contact_arrives);
    tcase_add_test(tests, every_kind_of_obstacle_arrives);
    tcase_add_test(tests, defaults_of_barrier_contact);
    tcase_add_test(tests, friction_of_a_pair);
    tcase_add_test(tests, penalty_contact_takes_spheres_and_friction);
    tcase_add_test(tests, obstacles_without_contact_are_reported);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
