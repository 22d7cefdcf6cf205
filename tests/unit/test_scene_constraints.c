// Constraints in scenes: every key, defaults, the solver that they ask for, and what is wrong with them.
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

START_TEST(every_key_arrives)
{
    ASSERT_OK(reading.context,
              scene_read(reading.context, SOURCE_DIR "/tests/scenes/every_key_compliant.json", 0, NULL,
                         &reading.arena, &reading.scene));
    const SceneDef *scene = &reading.scene;
    const SolverDef *solver = &scene->solver;
    ck_assert_int_eq(solver->type, SOLVER_COMPLIANT);
    ck_assert_int_eq(scene->integrator, INTEGRATOR_IMPLICIT_EULER);
    ck_assert_int_eq(solver->geometric_stiffness, GEOMETRIC_STIFFNESS_EXACT);
    ck_assert_int_eq(solver->iterations, 5);
    ck_assert_int_eq(solver->linear_solve, CONSTRAINT_SOLVE_MINRES);
    ck_assert(solver->linear_solve_is_named);
    ck_assert(solver->linear_tolerance == 1e-6 && solver->linear_max_iterations == 300 && solver->strict);
    ck_assert(scene->bodies[0].in_constraint_form && scene->bodies[1].in_constraint_form);
    ck_assert(!scene->bodies[2].in_constraint_form && !scene->bodies[3].in_constraint_form);
    const FrictionPairDef *pairs = scene->contact.pairs;
    ck_assert(pairs[0].no_contact && !pairs[0].has_friction);
    ck_assert(!pairs[1].no_contact && pairs[1].friction == 0.4);
    ck_assert(pairs[2].no_contact && pairs[2].has_friction && pairs[2].friction == 0.1);
    ck_assert(scene->color_by == COLOR_BY_TENSION && scene->draw_joints);
    ck_assert_str_eq(reading.warnings, "");
}
END_TEST

START_TEST(every_constraint_arrives)
{
    ASSERT_OK(reading.context,
              scene_read(reading.context, SOURCE_DIR "/tests/scenes/every_key_compliant.json", 0, NULL,
                         &reading.arena, &reading.scene));
    const ConstraintDef *c = reading.scene.constraints;
    static const ConstraintType types[] = {CONSTRAINT_DISTANCE, CONSTRAINT_DISTANCE, CONSTRAINT_ATTACH,
                                           CONSTRAINT_BALL,     CONSTRAINT_HINGE,    CONSTRAINT_HINGE,
                                           CONSTRAINT_ANGLE,    CONSTRAINT_ANGLE};
    ck_assert_int_eq(reading.scene.constraint_count, 8);
    for (int i = 0; i < 8; ++i) {
        ck_assert_int_eq(c[i].type, types[i]);
        ck_assert_int_eq(c[i].end_count, i < 6 ? 2 : 3);
    }
    ck_assert_str_eq(c[0].name, "stay");
    ck_assert_str_eq(c[0].path, "constraints[0]");
    ck_assert(c[0].compliance == 1e-5 && c[0].has_length && c[0].length == 1.5 && c[0].side == SIDE_AT_MOST);
    ck_assert(c[0].ends[0].body == 0 && c[0].ends[0].is_node && c[0].ends[0].node == 4);
    ck_assert(c[0].ends[1].body == 1 && !c[0].ends[1].is_node);
    ck_vector(c[0].ends[1].point, 0.5, 0.5, 0.5);
    ck_assert_str_eq(c[0].ends[1].path, "constraints[0].between[1]");
    ck_assert_str_eq(c[1].name, "");
    ck_assert(c[1].compliance == 0 && !c[1].has_length && c[1].side == SIDE_AT_LEAST);
    ck_assert_int_eq(c[2].ends[0].body, -1);
    ck_vector(c[2].ends[0].point, 0, 2, 0);
    ck_assert_int_eq(c[2].ends[0].motion.keyframe_count, 2);
    ck_assert(c[3].ends[0].body == 3 && c[3].ends[1].body == -1);
    ck_vector(c[3].at, -0.5, 0, 0);
    ck_assert(c[4].ends[0].body == 3 && c[4].ends[1].body == 4);
    ck_vector(c[4].axis, 0, 0, 1);
    ck_assert(c[4].has_limits && c[4].limits_degrees[0] == -90 && c[4].limits_degrees[1] == 2.5);
    ck_assert(c[5].ends[0].body == -1 && !c[5].has_limits && c[5].compliance == 1e-3);
    ck_assert(c[6].has_angle && c[6].angle_degrees == 157.5 && c[6].side == SIDE_BOTH);
    ck_assert(!c[7].has_angle && c[7].ends[0].motion.spin && c[7].ends[2].body == 2);
}
END_TEST

// The basic scene's box, with other bodies and settings beside it.
#define SCENE(bodies, settings)                                                                               \
    "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"materials\": {\"rubber\": {\"model\": "  \
    "\"stvk\", \"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3}, \"other\": {\"model\": " \
    "\"neo_hookean\", \"density\": 1000, \"kappa\": 1e5}}, \"bodies\": [" BOX("a") ", " BOX("b") bodies       \
        "]" settings "}"
#define BOX(name)                                                                                            \
    "{\"name\": \"" name "\", \"geometry\": {\"box\": {\"size\": [1, 1, 1], \"cells\": [1, 1, 1]}}, "        \
    "\"material\": \"rubber\"}"
#define AFFINE                                                                                                         \
    ", {\"name\": \"c\", \"type\": \"affine\", \"geometry\": {\"box\": {\"size\": [1, 1, 1], \"cells\": [1, 1, 1]}}, " \
    "\"material\": \"rubber\"}"
#define CONSTRAINTS(text) ", \"constraints\": [" text "]"
#define JOINT "{\"type\": \"ball\", \"between\": [\"a\", \"b\"], \"at\": [0, 0, 0]}"
#define SOFT_JOINT                                                                                           \
    "{\"type\": \"ball\", \"between\": [\"a\", \"b\"], \"at\": [0, 0, 0], \"compliance\": 1e-6}"

START_TEST(the_solver_follows_the_constraints)
{
    static const struct {
        const char *text;
        SolverType solver;
        IntegratorType integrator;
        int32_t iterations;
    } cases[] = {
        {SCENE("", ""), SOLVER_ADMM, INTEGRATOR_VARIATIONAL, 0},
        {SCENE("", CONSTRAINTS("")), SOLVER_ADMM, INTEGRATOR_VARIATIONAL, 0},
        {SCENE("", CONSTRAINTS(JOINT)), SOLVER_COMPLIANT, INTEGRATOR_IMPLICIT_EULER, 1},
        {SCENE(AFFINE, CONSTRAINTS(JOINT)), SOLVER_COMPLIANT, INTEGRATOR_IMPLICIT_EULER, 3},
        {SCENE(AFFINE, CONSTRAINTS(SOFT_JOINT)), SOLVER_NEWTON, INTEGRATOR_BDF2, 0},
        {SCENE("", CONSTRAINTS(SOFT_JOINT)), SOLVER_NEWTON, INTEGRATOR_BDF2, 0},
        {SCENE("", CONSTRAINTS(SOFT_JOINT ", " JOINT)), SOLVER_COMPLIANT, INTEGRATOR_IMPLICIT_EULER, 1},
        {SCENE("", CONSTRAINTS(SOFT_JOINT) ", \"solver\": {\"type\": \"compliant\"}"), SOLVER_COMPLIANT,
         INTEGRATOR_IMPLICIT_EULER, 1},
        {SCENE("", CONSTRAINTS(JOINT) ", \"solver\": {\"iterations\": 4}"), SOLVER_COMPLIANT,
         INTEGRATOR_IMPLICIT_EULER, 4},
        {SCENE("", CONSTRAINTS(SOFT_JOINT) ", \"integrator\": {\"type\": \"rk4\"}"), SOLVER_NEWTON,
         INTEGRATOR_RK4, 0},
        {SCENE("", ", \"solver\": {\"type\": \"compliant\"}"), SOLVER_COMPLIANT, INTEGRATOR_IMPLICIT_EULER,
         1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        ASSERT_OK(reading.context, reading_parse(&reading, cases[i].text));
        ck_assert_int_eq(reading.scene.solver.type, cases[i].solver);
        ck_assert_int_eq(reading.scene.integrator, cases[i].integrator);
        ck_assert_int_eq(reading.scene.solver.iterations, cases[i].iterations);
    }
    const SolverDef *solver = &reading.scene.solver;
    ck_assert_int_eq(solver->geometric_stiffness, GEOMETRIC_STIFFNESS_CLAMPED);
    ck_assert_int_eq(solver->linear_solve, CONSTRAINT_SOLVE_DIRECT);
    ck_assert(!solver->linear_solve_is_named);
    ck_assert(solver->linear_tolerance == 1e-8 && solver->linear_max_iterations == 2000 && !solver->strict);
    ck_assert_double_lt(reading.scene.contact.clearance, 0);
    ASSERT_OK(
        reading.context,
        reading_parse(&reading,
                      SCENE("", ", \"solver\": {\"type\": \"compliant\", \"geometric_stiffness\": false}")));
    ck_assert_int_eq(solver->geometric_stiffness, GEOMETRIC_STIFFNESS_NONE);
}
END_TEST

// A scene without constraints keeps its resolved text, and so its hash.
START_TEST(scenes_without_do_not_change)
{
    static const char *const words[] = {"constraints", "formulation", "clearance", "joints",
                                        "iterations\": 1,"};
    ASSERT_OK(reading.context, reading_parse(&reading, BASIC_SCENE));
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        ck_assert_ptr_null(strstr(reading.scene.resolved, words[i]));
}
END_TEST

START_TEST(who_may_touch)
{
    ASSERT_OK(
        reading.context,
        reading_parse(
            &reading,
            SCENE(
                ", {\"name\": \"d\", \"material\": \"other\", \"geometry\": {\"ball\": {\"radius\": 1, "
                "\"resolution\": 2}}}",
                ", \"obstacles\": [{\"name\": \"floor\", \"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0]}}], "
                "\"contact\": {\"model\": \"barrier\", \"distance\": 0.1, \"clearance\": 0.25, \"friction\": 0.5, "
                "\"pairs\": [{\"between\": [\"a\", \"b\"], \"contact\": false}, {\"between\": [\"rubber\", "
                "\"rubber\"], \"friction\": 0.125}, {\"between\": [\"other\", \"floor\"], \"contact\": false}]}")));
    const SceneDef *scene = &reading.scene;
    ck_assert_double_eq(scene->contact.clearance, 0.25);
    ck_assert(!scene_may_touch(scene, 0, 1, -1) && !scene_may_touch(scene, 1, 0, -1));
    ck_assert(scene_may_touch(scene, 0, 0, -1) && scene_may_touch(scene, 0, 2, -1));
    ck_assert(scene_may_touch(scene, 0, -1, 0) && !scene_may_touch(scene, 2, -1, 0));
    // An entry that says nothing of friction leaves it to the others, however well it fits.
    ck_assert_double_eq(scene_friction(scene, 0, 1, -1), 0.125);
    ck_assert_double_eq(scene_friction(scene, 2, -1, 0), 0.5);
}
END_TEST

#define ENDS(one, other) "\"between\": [" one ", " other "]"
#define NODE(name, node) "{\"body\": \"" name "\", \"node\": " node "}"
#define ONE(text) SCENE("", CONSTRAINTS("{" text "}"))
#define DISTANCE(text) ONE("\"type\": \"distance\", " ENDS(NODE("a", "0"), NODE("b", "0")) ", " text)
#define ATTACH(one, other) ONE("\"type\": \"attach\", " ENDS(one, other))
#define HINGE(text) ONE("\"type\": \"hinge\", \"between\": [\"a\", \"b\"], \"at\": [0, 0, 0], " text)
#define THREE(one, two, three) ONE("\"type\": \"angle\", \"between\": [" one ", " two ", " three "]")

static const struct {
    const char *text, *message;
} mistakes[] = {
    {SCENE("", ", \"constraints\": 3"), "constraints: found 3, expected a list of 0 to 100000 constraints"},
    {SCENE("", CONSTRAINTS("3")),
     "constraints[0]: found 3, expected an object with keys of: name, type, compliance"},
    {ONE(""), "constraints[0].type: missing, expected one of: distance, attach, ball, hinge, angle"},
    {ONE("\"type\": \"hing\""), "constraints[0].type: unknown type \"hing\"; did you mean \"hinge\"?"},
    {DISTANCE("\"lenght\": 1"), "constraints[0].lenght: unknown key \"lenght\"; did you mean \"length\"?"},
    {DISTANCE("\"compliance\": -1"), "constraints[0].compliance: found -1, expected a number of at least 0"},
    {DISTANCE("\"length\": 0"), "constraints[0].length: found 0, expected a number above 0"},
    {DISTANCE("\"side\": \"most\""), "constraints[0].side: unknown side \"most\""},
    {DISTANCE("\"at\": [0, 0, 0]"),
     "constraints[0].at: found with type \"distance\", expected only with \"ball\" or \"hinge\""},
    {DISTANCE("\"axis\": [0, 0, 0]"),
     "constraints[0].axis: found with type \"distance\", expected only with \"hinge\""},
    {DISTANCE("\"angle_degrees\": 3"),
     "constraints[0].angle_degrees: found with type \"distance\", expected only with"},
    {DISTANCE("\"name\": \"\""), "constraints[0].name: found \"\", expected a string that is not empty"},
    {HINGE("\"axis\": [0, 1, 0], \"side\": \"both\""),
     "constraints[0].side: found with type \"hinge\", expected only with \"distance\" or \"angle\""},
    {HINGE("\"length\": 1"),
     "constraints[0].length: found with type \"hinge\", expected only with \"distance\""},
    // ends
    {ONE("\"type\": \"distance\""), "constraints[0].between: missing, expected a list of 2 ends"},
    {THREE("3", "3", "3"),
     "constraints[0].between[0]: found 3, expected an object with keys of: body, nearest, node"},
    {ONE("\"type\": \"angle\", " ENDS(NODE("a", "0"), NODE("b", "0"))),
     "constraints[0].between: found a list of 2, expected a list of 3 ends"},
    {ATTACH("{}", NODE("b", "0")),
     "constraints[0].between[0]: found neither, expected exactly one of: body, point"},
    {ATTACH("{\"body\": \"a\", \"point\": [0, 0, 0]}", NODE("b", "0")),
     "constraints[0].between[0]: found both, expected exactly one of: body, point"},
    {ATTACH(NODE("b", "0"), "{\"body\": \"a\"}"),
     "constraints[0].between[1]: found neither, expected exactly one of: nearest, node"},
    {ATTACH(NODE("b", "0"), "{\"body\": \"a\", \"node\": 1, \"nearest\": [0, 0, 0]}"),
     "constraints[0].between[1]: found both, expected exactly one of: nearest, node"},
    {ATTACH(NODE("b", "0"), "{\"body\": \"a\", \"node\": 1, \"motion\": []}"),
     "constraints[0].between[1].motion: found with \"body\", expected only with \"point\""},
    {ATTACH(NODE("b", "0"), "{\"point\": [0, 0, 0], \"node\": 1}"),
     "constraints[0].between[1].node: found with \"point\", expected only with \"body\""},
    {ATTACH(NODE("b", "0"), "{\"point\": [0, 0, 0], \"nearest\": [0, 0, 0]}"),
     "constraints[0].between[1].nearest: found with \"point\", expected only with \"body\""},
    {ATTACH(NODE("b", "-1"), NODE("a", "0")),
     "constraints[0].between[0].node: found -1, expected a whole number from 0"},
    {ATTACH(NODE("zzz", "0"), NODE("a", "0")),
     "constraints[0].between[0].body: there is no body \"zzz\", expected the name of one, such as \"a\""},
    {ATTACH("{\"body\": \"a\", \"nearest\": [0, 0]}", NODE("a", "0")),
     "constraints[0].between[0].nearest: found a list of 2, expected a list of 3 numbers"},
    {ATTACH("{\"point\": [0, 0, 0]}", "{\"point\": [0, 0, 1]}"),
     "constraints[0].between: found points of the world only, expected at least one of a body"},
    {ATTACH(NODE("a", "3"), NODE("a", "3")),
     "constraints[0].between[1]: found the same point as in between[0]"},
    {ATTACH("{\"body\": \"a\", \"nearest\": [0, 0, 1]}", "{\"body\": \"a\", \"nearest\": [0, 0, 1]}"),
     "constraints[0].between[1]: found the same point as in between[0], expected another"},
    {THREE(NODE("a", "3"), NODE("a", "2"), NODE("a", "3")),
     "constraints[0].between[2]: found the same point as in between[0], expected another"},
    // joints
    {ONE("\"type\": \"ball\", \"between\": [\"a\", {}], \"at\": [0, 0, 0]"),
     "constraints[0].between[1]: found an object, expected a string"},
    {ONE("\"type\": \"ball\", \"between\": [\"a\"], \"at\": [0, 0, 0]"),
     "constraints[0].between: found a list of 1, expected a list of 2 names of bodies, or one and \"world\""},
    {ONE("\"type\": \"ball\", \"between\": [\"a\", \"wrld\"], \"at\": [0, 0, 0]"),
     "constraints[0].between[1]: there is no body \"wrld\"; did you mean \"world\"?"},
    {ONE("\"type\": \"ball\", \"between\": [\"a\", \"a\"], \"at\": [0, 0, 0]"),
     "constraints[0].between: found the same body twice, expected two bodies, or one and \"world\""},
    {ONE("\"type\": \"ball\", \"between\": [\"world\", \"world\"], \"at\": [0, 0, 0]"),
     "constraints[0].between: found \"world\" twice, expected two bodies, or one and \"world\""},
    {ONE("\"type\": \"ball\", \"between\": [\"a\", \"b\"]"), "constraints[0].at: missing"},
    {SCENE(", " BOX("world"),
           CONSTRAINTS("{\"type\": \"ball\", \"between\": [\"a\", \"world\"], \"at\": [0, 0, 0]}")),
     "constraints[0].between[1]: \"world\" is the name of bodies[2] and stands for the world as well"},
    {HINGE("\"compliance\": 0"), "constraints[0].axis: missing"},
    {HINGE("\"axis\": [0, 0, 0]"), "constraints[0].axis: found a direction of length 0"},
    {HINGE("\"axis\": [0, 0, 1], \"limits_degrees\": [1]"),
     "constraints[0].limits_degrees: found a list of 1, expected a list of 2 angles: [low, high]"},
    {HINGE("\"axis\": [0, 0, 1], \"limits_degrees\": [10, 10]"),
     "constraints[0].limits_degrees: found 10 up to 10, expected [low, high]"},
    {HINGE("\"axis\": [0, 0, 1], \"limits_degrees\": [-180, 10]"),
     "constraints[0].limits_degrees[0]: found -180, expected an angle above -180 and up to 180 degrees"},
    {HINGE("\"axis\": [0, 0, 1], \"limits_degrees\": [-10, 181]"),
     "constraints[0].limits_degrees[1]: found 181, expected an angle above -180 and up to 180 degrees"},
    {ONE("\"type\": \"angle\", \"angle_degrees\": 180, \"between\": [" NODE("a", "0") ", " NODE(
         "a", "1") ", " NODE("a", "2") "]"),
     "constraints[0].angle_degrees: found 180, expected an angle above 0 and below 180 degrees"},
    // names
    {SCENE("",
           CONSTRAINTS(
               "{\"name\": \"j\", \"type\": \"ball\", \"between\": [\"a\", \"b\"], \"at\": [0, 0, 0]}, " JOINT
               ", {\"name\": \"j\", \"type\": \"ball\", \"between\": [\"a\", \"b\"], \"at\": [0, 0, 1]}")),
     "constraints[2].name: the name \"j\" is that of constraints[0] already, expected another"},
    // what goes with which solver
    {SCENE("", CONSTRAINTS(JOINT) ", \"solver\": {\"type\": \"newton\"}"),
     "constraints[0].compliance: found none, so 0, with solver \"newton\", expected a compliance above 0, such as 1e-6, "
     "or \"solver\": {\"type\": \"compliant\"}"},
    {SCENE("", CONSTRAINTS(SOFT_JOINT) ", \"solver\": {\"type\": \"admm\"}"),
     "constraints[0]: constraints with solver \"admm\", expected \"solver\": {\"type\": \"compliant\"}, or"},
    {SCENE("", CONSTRAINTS(JOINT) ", \"solver\": {\"type\": \"admm\"}, \"integrator\": {\"type\": \"rk4\"}"),
     "constraints[0].compliance: found none, so 0, with the explicit integrator \"rk4\", expected"},
    {SCENE("", CONSTRAINTS(JOINT) ", \"integrator\": {\"type\": \"rk4\"}"),
     "integrator.type: found \"rk4\" with solver \"compliant\" (the default with constraints of compliance 0), expected"},
    {SCENE("", CONSTRAINTS(JOINT) ", \"contact\": {\"model\": \"barrier\", \"distance\": 0.1}"),
     "contact.model: found \"barrier\" with solver \"compliant\", expected \"solver\": {\"type\": \"newton\"} and a"},
    // bodies in constraint form
    {SCENE(
         ", {\"material\": \"rubber\", \"formulation\": \"constraint\", \"regions\": [{\"select\": \"all\", \"material\": "
         "\"rubber\"}, {\"select\": \"all\", \"material\": \"other\"}], \"geometry\": {\"ball\": {\"radius\": 1, "
         "\"resolution\": 2}}}",
         ""),
     "bodies[2].regions[1].material: \"other\" is neo_hookean, expected stvk with formulation \"constraint\""},
};

START_TEST(mistakes_are_named)
{
    expect_refusal(mistakes[_i].text, mistakes[_i].message);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("scene constraints");
    TCase *tests = tcase_create("constraints");
    tcase_add_checked_fixture(tests, start, stop);
    tcase_add_test(tests, every_key_arrives);
    tcase_add_test(tests, every_constraint_arrives);
    tcase_add_test(tests, the_solver_follows_the_constraints);
    tcase_add_test(tests, scenes_without_do_not_change);
    tcase_add_test(tests, who_may_touch);
    tcase_add_loop_test(tests, mistakes_are_named, 0, (int)(sizeof mistakes / sizeof *mistakes));
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
