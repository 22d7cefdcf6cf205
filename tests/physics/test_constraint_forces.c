// Constraints with compliance as forces: newton finds what the solver of constraints finds, every integrator has its order with them.
#include "physics_fixture.h"

#include "model/constraints.h"
#include "sim/start.h"
#include "sim/verify.h"

static const char scene[] =
    "{\"version\": 1, \"time\": {\"step\": %.17g, \"duration\": 1}, \"gravity\": [0, -9.81, 0],"
    " \"integrator\": {%s}, \"solver\": {%s},"
    " \"materials\": {\"m\": {\"model\": \"stvk\", \"density\": 1000, \"youngs_modulus\": 2e5, \"poissons_ratio\": 0.3}},"
    " \"bodies\": ["
    "  {\"name\": \"a\", \"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [2, 1, 1]}}, \"material\": \"m\","
    "   \"translate\": [0.2, 0, 0], \"angular_velocity\": [0, 3, 1]},"
    "  {\"name\": \"b\", \"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [2, 1, 1]}}, \"material\": \"m\","
    "   \"translate\": [0.65, 0, 0], \"angular_velocity\": [1, 0, 2]},"
    "  {\"name\": \"rope\", \"type\": \"cable\", \"radius\": 0.01, \"bending_modulus\": 1e6, \"material\": \"m\","
    "   \"geometry\": {\"cable\": {\"from\": [0.9, 0.02, 0], \"to\": [1.2, 0, 0.1], \"segments\": 4}}}],"
    " \"constraints\": [%s]}";

#define HINGE                                                                                                \
    "{\"type\": \"hinge\", \"between\": [\"a\", \"b\"], \"at\": [0.425, 0, 0], \"axis\": [0, 0, 1], "        \
    "\"compliance\": 1e-3}"
#define BALL "{\"type\": \"ball\", \"between\": [\"world\", \"a\"], \"at\": [0, 0, 0], \"compliance\": 2e-3}"
#define ATTACH                                                                                               \
    "{\"type\": \"attach\", \"between\": [{\"body\": \"b\", \"nearest\": [0.85, 0.01, 0.02]}, {\"body\": "   \
    "\"rope\", \"node\": 0}], \"compliance\": 1e-2}"
#define DISTANCE                                                                                             \
    "{\"type\": \"distance\", \"between\": [{\"body\": \"rope\", \"node\": 4}, {\"point\": [1.2, 0.3, 0]}]," \
    " \"compliance\": 1e-3}"
#define ANGLE                                                                                                   \
    "{\"type\": \"angle\", \"between\": [{\"body\": \"rope\", \"node\": 4}, {\"body\": \"rope\", \"node\": 2}," \
    " {\"body\": \"a\", \"nearest\": [0.1, 0.05, 0]}], \"angle_degrees\": 150, \"compliance\": 0.5}"
#define SMOOTH BALL "," HINGE "," ATTACH "," DISTANCE "," ANGLE

static const char newton[] =
    "\"type\": \"newton\", \"tolerance\": 1e-11, \"linear\": {\"tolerance\": 1e-10}, \"strict\": true";

enum { NUMBERS_MOST = 3 * 80 };

static void run(const char *integrator, const char *solver, const char *constraints, double step, int steps,
                double values[2 * NUMBERS_MOST], Diagnosis *end)
{
    Simulation simulation;
    simulation_make(threads_context(1), &simulation, scene, step, integrator, solver, constraints);
    ck_assert_int_le(3 * simulation.model.node_count, NUMBERS_MOST);
    memset(values, 0, 2 * NUMBERS_MOST * sizeof *values);
    for (int n = 0; n < steps; ++n)
        step_once(&simulation);
    ASSERT_OK(simulation.context, device_state_read(simulation.device, SLOT_POSITION, values));
    ASSERT_OK(simulation.context, device_state_read(simulation.device, SLOT_VELOCITY, values + NUMBERS_MOST));
    *end = simulation.diagnosis;
    simulation_stop(&simulation);
}

/// Each kind of constraint alone and all of them, inequalities that are met and that are not.
static const struct {
    const char *name, *constraints;
    bool is_stored; ///< it has energy in the end
} kinds[] = {
    {"ball", BALL, true},
    {"hinge", BALL "," HINGE, true},
    {"attach", ATTACH, true},
    {"distance", DISTANCE, true},
    {"angle", ANGLE, true},
    {"limits, one of them reached",
     "{\"type\": \"hinge\", \"between\": [\"a\", \"b\"], \"at\": [0.425, 0, 0], \"axis\": [0, 0, 1], "
     "\"limits_degrees\": [-40, 2], \"compliance\": 1e-3}",
     true},
    {"at most",
     "{\"type\": \"distance\", \"side\": \"at_most\", \"length\": 0.31, \"between\": [{\"body\": \"rope\", "
     "\"node\": 4}, {\"point\": [1.2, 0.3, 0]}], \"compliance\": 1e-3}",
     true},
    {"at least, met",
     "{\"type\": \"distance\", \"side\": \"at_least\", \"length\": 0.2, \"between\": [{\"body\": \"rope\", "
     "\"node\": 4}, {\"point\": [1.2, 0.3, 0]}], \"compliance\": 1e-3}",
     false},
    {"an angle at most",
     "{\"type\": \"angle\", \"side\": \"at_most\", \"between\": [{\"body\": \"rope\", \"node\": 4}, "
     "{\"body\": \"rope\", \"node\": 2}, {\"body\": \"a\", \"nearest\": [0.1, 0.05, 0]}], "
     "\"angle_degrees\": 140, \"compliance\": 20}",
     true},
    {"all", SMOOTH, true},
};

/// The solver of constraints, with as many solves a step as it takes, finds the stage that newton finds.
START_TEST(newton_finds_what_the_solver_of_constraints_finds)
{
    static double forces[2 * NUMBERS_MOST], rows[2 * NUMBERS_MOST];
    Diagnosis of_forces, of_rows;
    run("\"type\": \"implicit_euler\"", newton, kinds[_i].constraints, 0.005, 20, forces, &of_forces);
    run("\"type\": \"implicit_euler\"", "\"type\": \"compliant\", \"iterations\": 40", kinds[_i].constraints,
        0.005, 20, rows, &of_rows);
    const double in_x = largest_difference(forces, rows, NUMBERS_MOST),
                 in_v = largest_difference(forces + NUMBERS_MOST, rows + NUMBERS_MOST, NUMBERS_MOST);
    printf("%s: %.1e m, %.1e m/s apart, energy %.9g J\n", kinds[_i].name, in_x, in_v, of_forces.constraint);
    ck_assert_double_le(in_x, 1e-11);
    ck_assert_double_le(in_v, 1e-9);
    ck_assert_double_eq_tol(of_forces.constraint, of_rows.constraint, 1e-9);
    ck_assert_double_eq_tol(of_forces.elastic, of_rows.elastic, 1e-9);
    ck_assert_int_eq(of_forces.constraint > 1e-7, kinds[_i].is_stored);
}
END_TEST

static const struct {
    const char *integrator;
    int steps, order;
} cases[] = {
    {"\"type\": \"implicit_euler\"", 800, 1},
    {"\"type\": \"a1\"", 800, 1},
    {"\"type\": \"a_search\"", 800, 1},
    {"\"type\": \"bdf2\"", 400, 2},
    {"\"type\": \"trapezoidal\"", 100, 2},
    {"\"type\": \"implicit_midpoint\"", 100, 2},
    {"\"type\": \"tr_bdf2\"", 400, 2},
    {"\"type\": \"sdirk2\"", 100, 2},
    {"\"type\": \"blending\"", 100, 2},
    {"\"type\": \"variational\"", 100, 2},
    {"\"type\": \"variational\", \"alpha\": 0", 800, 1},
    {"\"type\": \"rk4\"", 200, 4},
};

static const double DURATION = 0.05;

START_TEST(orders)
{
    static double exact[2 * NUMBERS_MOST], coarse[2 * NUMBERS_MOST], fine[2 * NUMBERS_MOST];
    static bool have_exact;
    const char *integrator = cases[_i].integrator;
    const int steps = cases[_i].steps;
    Diagnosis end;
    if (!have_exact)
        run("\"type\": \"rk4\"", newton, SMOOTH, DURATION / 2000, 2000, exact, &end);
    have_exact = true;
    run(integrator, newton, SMOOTH, DURATION / steps, steps, coarse, &end);
    run(integrator, newton, SMOOTH, DURATION / (2 * steps), 2 * steps, fine, &end);
    const double first = largest_difference(coarse, exact, NUMBERS_MOST),
                 second = largest_difference(fine, exact, NUMBERS_MOST), order = log2(first / second);
    printf("%s: error %.3g, with h/2 %.3g, order %.3f\n", integrator, first, second, order);
    ck_assert_msg(fabs(order - cases[_i].order) <= 0.15, "%s: order %.3f, expected %d", integrator, order,
                  cases[_i].order);
}
END_TEST

static void keep_warning(void *user, VelaLogLevel level, const char *message)
{
    if (level <= VELA_LOG_WARNING)
        snprintf(user, 512, "%s", message);
}

/// Points that are to be one and are 0.05 m apart are told, with what they store; a length that pulls may be meant.
START_TEST(what_does_not_hold_at_the_start_is_told)
{
    for (int k = 0; k < 2; ++k) {
        char warning[512] = "";
        Simulation simulation;
        VelaContext *context;
        VelaContextDef def = vela_default_context_def();
        def.log = keep_warning, def.log_user = warning;
        ck_assert_int_eq(vela_context_create(&def, &context), VELA_OK);
        simulation_make(context, &simulation, scene, 0.005, "\"type\": \"bdf2\"", newton,
                        k == 0 ? ATTACH "," BALL
                               : BALL
                            ", {\"type\": \"distance\", \"length\": 0.1, \"between\": [{\"body\": \"rope\", "
                            "\"node\": 4}, {\"point\": [1.2, 0.3, 0]}], \"compliance\": 1e-3}");
        if (k == 0)
            ck_assert_msg(strstr(warning, "constraints[0] does not hold in the initial state, by 0.05") &&
                              strstr(warning, " J"),
                          "found \"%s\"", warning);
        else
            ck_assert_str_eq(warning, "");
        simulation_stop(&simulation);
    }
}
END_TEST

// Twelve limbs fall from the landing onto the stairs: no joint comes apart by 1e-5 m, no limit of a hinge is passed by 0.1 degrees, and nothing
// intersects. The first blows are within these steps.
START_TEST(a_ragdoll_falls_on_stairs)
{
    VelaContext *context = threads_context(1);
    Simulation simulation;
    Verification verification;
    double apart = 0, passed = 0, least = INFINITY;
    ASSERT_OK(context, simulation_load(context, SOURCE_DIR "/scenes/constraints/ragdoll_on_stairs.json", 0,
                                       NULL, &simulation));
    ASSERT_OK(context, simulation_start(&simulation, &(DeviceChoice){"cpu", NULL}));
    ASSERT_OK(context, verification_create(&simulation, &verification));
    const Model *model = &simulation.model;
    double *x = calloc(3 * (size_t)model->node_count, sizeof *x);
    for (int step = 0; step < 230; ++step) {
        step_once(&simulation);
        ASSERT_OK(context, device_state_read(simulation.device, SLOT_POSITION, x));
        for (int32_t c = 0; c < model->constraint_count; ++c) {
            const ModelConstraint *constraint = &model->constraints[c];
            const double error = model_constraint_error(constraint, x);
            if (constraint->kind == CONSTRAINT_KIND_TURN)
                passed = fmax(passed, error / constraint->arm);
            else
                apart = fmax(apart, error);
        }
        least = fmin(least, simulation.diagnosis.min_distance);
        if (step % 10 == 9)
            ASSERT_OK(context, verification_check(&verification));
    }
    printf("joints apart by %.2g m, limits passed by %.2g degrees, smallest distance %.2g m\n", apart,
           passed * 180 / 3.14159265358979323846, least);
    ck_assert_double_le(apart, 1e-5);
    ck_assert_double_le(passed, 0.1 * 3.14159265358979323846 / 180);
    ck_assert_double_gt(apart, 1e-8); // something pulled
    ck_assert_double_lt(least, 2e-3); // and hit
    ck_assert_double_gt(least, 0);
    free(x);
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("constraints as forces");
    TCase *tests = tcase_create("constraints as forces");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, newton_finds_what_the_solver_of_constraints_finds, 0,
                        (int)(sizeof kinds / sizeof *kinds));
    tcase_add_loop_test(tests, orders, 0, (int)(sizeof cases / sizeof *cases));
    tcase_add_test(tests, what_does_not_hold_at_the_start_is_told);
    tcase_add_test(tests, a_ragdoll_falls_on_stairs);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
