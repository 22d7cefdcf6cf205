// Constraints with compliance (theory.md section 10) on the CPU path: geometric stiffness against a chain's own closed form and bounds,
// compliance against stiffness, joints and their limits, inequalities, momenta, what depends on others, checkpoints.
#include "physics_fixture.h"

#include "model/constraints.h"

#include <stdarg.h>

static const char *const chain_scene =
    "{\"version\": 1, \"name\": \"chain\", \"time\": {\"step\": %g, \"duration\": 100}, \"gravity\": [0, -9.81, 0],"
    "\"integrator\": {\"type\": \"implicit_euler\"}, \"solver\": {\"type\": \"compliant\", \"geometric_stiffness\": %s},"
    "\"materials\": {\"m\": {\"model\": \"stvk\", \"density\": 1e-3, \"youngs_modulus\": 1e30, \"poissons_ratio\": 0.3}},"
    "\"bodies\": [{\"name\": \"rope\", \"type\": \"cable\", \"geometry\": {\"cable\": {%s}}, \"material\": \"m\","
    "  \"radius\": 0.02, \"formulation\": \"constraint\", \"pins\": [{\"select\": {\"nodes\": [0]}}],"
    "  \"point_masses\": [{\"select\": {\"nodes\": [1, 2, 3, 4, 5, 6, 7, 8, 9]}, \"mass\": 50},"
    "                     {\"select\": {\"nodes\": [10]}, \"mass\": %g}]}]}";

static const char *const straight = "\"from\": [0, 0, 0], \"to\": [10, 0, 0], \"segments\": 10";

/// Most numbers that a test reads of positions: points of the world are nodes too.
enum { NUMBERS_MOST = 1024 };

static void positions(Simulation *simulation, double *x)
{
    ck_assert_int_le(3 * simulation->model.node_count, NUMBERS_MOST);
    ASSERT_OK(simulation->context, device_state_read(simulation->device, SLOT_POSITION, x));
}

// Largest relative change of a segment's length of 1 m.
static double elongation(Simulation *simulation)
{
    double x[NUMBERS_MOST], largest = 0;
    positions(simulation, x);
    for (int s = 0; s < 10; ++s) {
        double edge[3];
        subtract3(x + 3 * (s + 1), x + 3 * s, edge);
        largest = fmax(largest, fabs(norm3(edge) - 1));
    }
    return largest;
}

static double worst_elongation(const char *stiffness, const char *geometry, double mass, double step,
                               double duration)
{
    VelaContext *context = test_context();
    Simulation simulation;
    double worst = 0;
    simulation_make(context, &simulation, chain_scene, step, stiffness, geometry, mass);
    for (int i = 0; i < duration / step && worst < 1; ++i) {
        step_once(&simulation);
        worst = fmax(worst, elongation(&simulation));
    }
    simulation_stop(&simulation);
    return worst;
}

// Transverse motion of a taut chain is explicit without geometric stiffness: with 1e5 kg at its end it is beyond what a step of 0.01 s
// allows, and what begins as 1e-10 m grows.
START_TEST(a_hanging_chain_carries_any_weight)
{
    char bent[512];
    int at = snprintf(bent, sizeof bent, "\"points\": [[0, 0, 0]");
    for (int i = 1; i <= 10; ++i)
        at += snprintf(bent + at, sizeof bent - (size_t)at, ", [%g, %d, 0]", i % 2 ? 1e-10 : 0, -i);
    snprintf(bent + at, sizeof bent - (size_t)at, "]");
    for (double mass = 50; mass < 2e9; mass *= 1e2)
        ck_assert_double_lt(worst_elongation("true", bent, mass, 0.01, 3), 1e-8);
    ck_assert_double_lt(worst_elongation("false", bent, 1e4, 0.01, 3), 1e-8);
    ck_assert_double_gt(worst_elongation("false", bent, 1e5, 0.01, 3), 0.5);
}
END_TEST

// The largest steps found over mass ratios 1, 10, 100 are 0.0125, 0.03 and 0.016 s without, and 0.05, 0.1 and more with it.
START_TEST(a_swinging_chain_takes_larger_steps)
{
    const double ratios[3] = {1, 10, 100}, small[3] = {0.01, 0.02, 0.0125}, large[3] = {0.04, 0.08, 0.08};
    for (int k = 0; k < 3; ++k) {
        ck_assert_double_lt(worst_elongation("false", straight, 50 * ratios[k], small[k], 5), 0.05);
        ck_assert_double_lt(worst_elongation("true", straight, 50 * ratios[k], large[k], 5), 0.05);
        ck_assert_double_gt(worst_elongation("false", straight, 50 * ratios[k], large[k], 5), 0.05);
    }
}
END_TEST

// ---------------------------------------------------------------- compliance and stiffness

static const char *const beam_scene =
    "{\"version\": 1, \"name\": \"beam\", \"time\": {\"step\": 0.01, \"duration\": 1}, \"gravity\": [0, -9.81, 0],"
    "\"integrator\": {\"type\": \"implicit_euler\"}, \"solver\": %s,"
    "\"materials\": {\"m\": {\"model\": \"stvk\", \"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3}},"
    "\"bodies\": [{\"name\": \"beam\", %s, \"material\": \"m\", \"formulation\": \"%s\","
    "  \"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.19, 1, 1]]}}]}]}";

static void step_beam(const char *solver, const char *body, const char *formulation, int steps, double *x)
{
    VelaContext *context = test_context();
    Simulation simulation;
    simulation_make(context, &simulation, beam_scene, solver, body, formulation);
    for (int i = 0; i < steps; ++i)
        step_once(&simulation);
    positions(&simulation, x);
    if (strcmp(formulation, "constraint") == 0 && steps > 0)
        ck_assert_double_gt(simulation.diagnosis.constraint, 1e-6);
    simulation_stop(&simulation);
}

START_TEST(compliance_is_stiffness)
{
    static const char *const bodies[] = {
        "\"type\": \"solid\", \"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [4, 1, 1]}}",
        "\"type\": \"shell\", \"thickness\": 0.01, \"bending\": \"none\", \"geometry\": {\"sheet\": {\"size\": [0.4, 0.2], "
        "\"cells\": [4, 2]}}",
        "\"type\": \"cable\", \"radius\": 0.01, \"geometry\": {\"cable\": {\"from\": [-0.2, 0, 0], \"to\": [0.2, 0, 0], "
        "\"segments\": 6}}"};
    for (int b = 0; b < 3; ++b) {
        double x[3][NUMBERS_MOST] = {{0}}, difference = 0, moved = 0;
        step_beam("{\"type\": \"newton\", \"tolerance\": 1e-10, \"linear\": {\"tolerance\": 1e-10}}",
                  bodies[b], "force", 20, x[0]);
        step_beam("{\"type\": \"compliant\", \"iterations\": 40}", bodies[b], "constraint", 20, x[1]);
        step_beam("{\"type\": \"compliant\", \"iterations\": 40}", bodies[b], "constraint", 0, x[2]);
        for (int i = 0; i < NUMBERS_MOST; ++i) {
            difference = fmax(difference, fabs(x[0][i] - x[1][i]));
            moved = fmax(moved, fabs(x[0][i] - x[2][i]));
        }
        ck_assert_double_gt(moved, 0.01);
        ck_assert_double_lt(difference, 1e-6 * 0.4);
    }
}
END_TEST

// ---------------------------------------------------------------- joints

static const char *const joints_scene =
    "{\"version\": 1, \"name\": \"joints\", \"time\": {\"step\": %g, \"duration\": 2}, \"gravity\": [0, %g, 0],"
    "\"integrator\": {\"type\": \"implicit_euler\"}, \"solver\": {\"type\": \"compliant\", \"iterations\": %d},"
    "\"materials\": {\"m\": {\"model\": \"arap\", \"density\": 1000, \"kappa\": 1e5}},"
    "\"bodies\": [{\"name\": \"a\", \"type\": \"affine\", \"geometry\": {\"box\": {\"size\": [0.5, 0.1, 0.2], \"cells\": [1, 1, 1]}}, \"material\": \"m\","
    "   \"translate\": [0.25, 0, 0]%s}, {\"name\": \"b\", \"type\": \"affine\", \"geometry\": {\"box\": {\"size\": [0.5, 0.1, 0.2], \"cells\": [1, 1, 1]}},"
    "   \"material\": \"m\", \"translate\": [0.75, 0, 0]}], \"constraints\": [%s]}";

static void make_joints(Simulation *simulation, double step, double gravity, int iterations,
                        const char *motion, const char *constraints)
{
    simulation_make(test_context(), simulation, joints_scene, step, gravity, iterations, motion, constraints);
}

START_TEST(joints_stay_together)
{
    Simulation simulation;
    make_joints(
        &simulation, 0.005, -9.81, 3, "",
        "{\"type\": \"hinge\", \"between\": [\"world\", \"a\"], \"at\": [0, 0, 0], \"axis\": [0, 0, 1]},"
        "{\"type\": \"ball\", \"between\": [\"a\", \"b\"], \"at\": [0.5, 0, 0]}");
    for (int i = 0; i < 400; ++i) {
        step_once(&simulation);
        ck_assert_double_lt(simulation.diagnosis.constraint_error, 1e-8);
    }
    simulation_stop(&simulation);
}
END_TEST

// A plate on a hinge falls onto its limit and stays there; 0.1 degrees is what the limits are to be kept within.
START_TEST(a_hinge_keeps_its_limits)
{
    Simulation simulation;
    double x[NUMBERS_MOST], lowest = 0;
    make_joints(
        &simulation, 0.01, -9.81, 3, "",
        "{\"type\": \"hinge\", \"between\": [\"world\", \"a\"], \"at\": [0, 0, 0], \"axis\": [0, 0, 1],"
        " \"limits_degrees\": [-35, 20]}, {\"type\": \"hinge\", \"between\": [\"a\", \"b\"], \"at\": [0.5, 0, 0],"
        " \"axis\": [0, 0, 1], \"limits_degrees\": [-170, 170]}");
    for (int i = 0; i < 200; ++i) {
        step_once(&simulation);
        positions(&simulation, x);
        // Where the centre of the first body is, its first node, tells how far it has turned.
        lowest = fmin(lowest, atan2(x[1], x[0]) * 180 / 3.14159265358979323846);
    }
    ck_assert_double_lt(lowest, -34.9); // it comes there
    ck_assert_double_gt(lowest, -35.1);
    simulation_stop(&simulation);
}
END_TEST

// No force from outside: momentum stays to rounding, whatever is joined.
START_TEST(a_free_articulated_body_keeps_its_momentum)
{
    Simulation simulation;
    make_joints(&simulation, 0.01, 0, 3, ", \"velocity\": [0, 1, 0], \"angular_velocity\": [1, 2, 3]",
                "{\"type\": \"ball\", \"between\": [\"a\", \"b\"], \"at\": [0.5, 0, 0]}");
    const Diagnosis start = simulation.diagnosis;
    for (int i = 0; i < 100; ++i)
        step_once(&simulation);
    for (int k = 0; k < 3; ++k)
        ck_assert_double_eq_tol(simulation.diagnosis.linear_momentum[k], start.linear_momentum[k],
                                1e-10 * norm3(start.linear_momentum));
    simulation_stop(&simulation);
}
END_TEST

// What implicit Euler takes of angular momentum is of its order, the first: constraints take nothing of it.
START_TEST(angular_momentum_is_lost_at_the_rate_of_the_integrator)
{
    double lost[3];
    for (int k = 0; k < 3; ++k) {
        Simulation simulation;
        const int steps = 40 << k;
        make_joints(&simulation, 0.4 / steps, 0, 6,
                    ", \"velocity\": [0, 1, 0], \"angular_velocity\": [1, 2, 3]",
                    "{\"type\": \"ball\", \"between\": [\"a\", \"b\"], \"at\": [0.5, 0, 0]}");
        const Diagnosis start = simulation.diagnosis;
        double change[3];
        for (int i = 0; i < steps; ++i)
            step_once(&simulation);
        subtract3(simulation.diagnosis.angular_momentum, start.angular_momentum, change);
        lost[k] = norm3(change) / norm3(start.angular_momentum);
        simulation_stop(&simulation);
    }
    printf("of the angular momentum lost: %.3g, %.3g, %.3g\n", lost[0], lost[1], lost[2]);
    ck_assert_double_eq_tol(2 * lost[2] - lost[1], 0,
                            0.02 * lost[1]); // nothing remains as the step goes to 0
    ck_assert_double_lt(lost[2], 0.05);
}
END_TEST

// ---------------------------------------------------------------- inequalities

static const char *const tether_scene =
    "{\"version\": 1, \"name\": \"tether\", \"time\": {\"step\": 0.005, \"duration\": 2}, \"gravity\": [0, -10, 0],"
    "\"integrator\": {\"type\": \"implicit_euler\"}, \"solver\": {\"type\": \"compliant\"},"
    "\"materials\": {\"m\": {\"model\": \"stvk\", \"density\": 1000, \"youngs_modulus\": 1e6, \"poissons_ratio\": 0.3}},"
    "\"bodies\": [{\"name\": \"stick\", \"type\": \"cable\", \"geometry\": {\"cable\": {\"from\": [0, -0.5, 0], \"to\": [0.1, -0.5, 0],"
    "  \"segments\": 1}}, \"material\": \"m\", \"radius\": 0.01}],"
    "\"constraints\": [%s]}";

// Two tethers let a stick fall freely until they are taut, then it hangs: they never push, and it never comes lower.
START_TEST(a_slack_tether_does_not_pull)
{
    Simulation simulation;
    double x[NUMBERS_MOST], multipliers[8];
    simulation_make(
        test_context(), &simulation, tether_scene,
        "{\"type\": \"distance\", \"between\": [{\"point\": [0, 0, 0]}, {\"body\": \"stick\", \"node\": 0}],"
        " \"length\": 1, \"side\": \"at_most\"},"
        "{\"type\": \"distance\", \"between\": [{\"point\": [0.1, 0, 0]}, {\"body\": \"stick\", \"node\": 1}],"
        " \"length\": 1, \"side\": \"at_most\"}");
    ck_assert_uint_eq(device_solver_state_size(simulation.device), 2);
    for (int i = 1; i <= 400; ++i) {
        step_once(&simulation);
        positions(&simulation, x);
        ASSERT_OK(simulation.context, device_solver_state_read(simulation.device, multipliers));
        for (int k = 0; k < 2; ++k) {
            ck_assert_double_le(multipliers[k], 0);
            ck_assert_double_gt(x[3 * k + 1], -1 - 1e-9);
        }
        const double fallen = 0.5 + 0.5 * 10 * 0.005 * 0.005 * i * (i + 1); // implicit Euler's own sum
        if (fallen < 0.99)
            ck_assert_double_eq_tol(x[1], -fallen, 1e-12);
    }
    ck_assert_double_eq_tol(x[1], -1, 1e-9);
    simulation_stop(&simulation);
}
END_TEST

// ---------------------------------------------------------------- what depends on others

// A constraint named twice holds as one does.
START_TEST(a_doubled_constraint_changes_nothing)
{
    static const char *const once =
        "{\"type\": \"distance\", \"between\": [{\"point\": [0, 0, 0]}, {\"body\": \"stick\", \"node\": 0}]}";
    double x[2][NUMBERS_MOST] = {{0}};
    for (int twice = 0; twice < 2; ++twice) {
        char both[512];
        Simulation simulation;
        snprintf(both, sizeof both, twice ? "%s, %s" : "%s", once, once);
        simulation_make(test_context(), &simulation, tether_scene, both);
        for (int i = 0; i < 100; ++i)
            step_once(&simulation);
        positions(&simulation, x[twice]);
        simulation_stop(&simulation);
    }
    for (int i = 0; i < 6; ++i)
        ck_assert_double_eq_tol(x[0][i], x[1][i], 1e-10);
}
END_TEST

START_TEST(constraints_that_conflict_are_refused)
{
    VelaContext *context = test_context();
    static char text[4096];
    Simulation simulation = {.context = context, .arena = arena_make(context)};
    const int length = snprintf(
        text, sizeof text, tether_scene,
        "{\"type\": \"attach\", \"name\": \"here\", \"between\": [{\"point\": [0, -0.5, 0]}, {\"body\": \"stick\", \"node\": 0}]},"
        "{\"type\": \"attach\", \"name\": \"there\", \"between\": [{\"point\": [0, -0.2, 0]}, {\"body\": \"stick\", \"node\": 0}]}");
    ASSERT_OK(context, scene_parse(context, BINARY_DIR "/scene.json", text, (size_t)length, 0, NULL,
                                   &simulation.arena, &simulation.scene));
    ASSERT_OK(context, model_build(context, &simulation.scene, &simulation.arena, &simulation.model));
    ck_assert_int_eq(simulation_start(&simulation, &(DeviceChoice){"cpu", NULL}), VELA_ERROR_INVALID_INPUT);
    ck_assert_ptr_nonnull(strstr(vela_context_message(context), "cannot be met"));
    ck_assert_ptr_nonnull(strstr(vela_context_message(context), "here"));
    simulation_stop(&simulation);
}
END_TEST

// ---------------------------------------------------------------- checkpoints

// Multipliers go with the state: what is read in the middle and written into a fresh simulation ends in the same bytes.
START_TEST(multipliers_are_part_of_the_state)
{
    Simulation simulation;
    double x[2][NUMBERS_MOST] = {{0}};
    double *state = NULL;
    for (int resumed = 0; resumed < 2; ++resumed) {
        simulation_make(test_context(), &simulation, chain_scene, 0.01, "true", straight, 500.0);
        if (resumed)
            ASSERT_OK(simulation.context, simulation_state_write(&simulation, state, 20));
        for (int i = resumed ? 20 : 0; i < 40; ++i) {
            if (i == 20 && !resumed) {
                state = malloc(simulation_state_size(&simulation) * sizeof *state);
                ck_assert_ptr_nonnull(state);
                ASSERT_OK(simulation.context, simulation_state_read(&simulation, state));
            }
            step_once(&simulation);
        }
        positions(&simulation, x[resumed]);
        simulation_stop(&simulation);
    }
    free(state);
    ck_assert_mem_eq(x[0], x[1], sizeof x[0]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("constraints");
    TCase *cases = tcase_create("constraints");
    tcase_add_test(cases, a_hanging_chain_carries_any_weight);
    tcase_add_test(cases, a_swinging_chain_takes_larger_steps);
    tcase_add_test(cases, compliance_is_stiffness);
    tcase_add_test(cases, joints_stay_together);
    tcase_add_test(cases, a_hinge_keeps_its_limits);
    tcase_add_test(cases, a_free_articulated_body_keeps_its_momentum);
    tcase_add_test(cases, angular_momentum_is_lost_at_the_rate_of_the_integrator);
    tcase_add_test(cases, a_slack_tether_does_not_pull);
    tcase_add_test(cases, a_doubled_constraint_changes_nothing);
    tcase_add_test(cases, constraints_that_conflict_are_refused);
    tcase_add_test(cases, multipliers_are_part_of_the_state);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}
