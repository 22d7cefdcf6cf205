#define _POSIX_C_SOURCE 200809L // setenv
// What must not change a result: threads, instruction sets; what changes it within the tolerance only: acceleration,
// adapted penalties. And what a step reports when it is hard: substeps, failure under `strict`.
#include "physics_fixture.h"

enum { STEPS = 3 };

static const char big_box[] =
    "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1},"
    " \"solver\": {\"type\": \"%s\"}, \"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, "
    "\"kappa\": 2e4, \"lambda\": 3e4},"
    " \"n\": {\"model\": \"symmetric_dirichlet\", \"density\": 800, \"kappa\": 1e4}},"
    " \"bodies\": [{\"name\": \"a\", \"type\": \"solid\", \"geometry\": {\"box\": {\"size\": [0.4, 0.4, "
    "0.3], \"cells\": "
    "[8, 8, 6]}}, \"material\": \"m\", \"translate\": [0, 0.2, 0], \"velocity\": [0, -2, 0], "
    "\"angular_velocity\": [1, 3, "
    "2]}, {\"name\": \"b\", \"type\": \"solid\", \"geometry\": {\"ball\": {\"radius\": 0.1, \"resolution\": "
    "3}}, "
    "\"material\": \"n\", \"translate\": [1, 0.1, 0], \"velocity\": [0, -1, 0]}],"
    " \"contact\": {\"model\": \"penalty\", \"stiffness\": 300}, \"obstacles\": [{\"name\": \"floor\", "
    "\"plane\": "
    "{\"point\": [0, 0, 0], \"normal\": [0.1, 1, 0]}}]}";

/// The whole state (positions, velocities, what the solver carries) after a few steps; freed by the caller.
static double *state_after(const char *solver, int32_t threads, const char *instructions, size_t *count)
{
    if (instructions)
        ck_assert_int_eq(setenv("VELA_ISA", instructions, 1), 0);
    Simulation simulation;
    simulation_make(threads_context(threads), &simulation, big_box, solver);
    ck_assert_int_eq(unsetenv("VELA_ISA"), 0);
    ck_assert_int_gt(simulation.model.groups[ELEMENT_TET].count, 2000); // enough for threads to be used
    for (int step = 0; step < STEPS; ++step)
        step_once(&simulation);
    *count = simulation_state_size(&simulation);
    double *state = malloc(*count * sizeof *state);
    ck_assert_ptr_nonnull(state);
    ASSERT_OK(simulation.context, simulation_state_read(&simulation, state));
    DeviceInfo info;
    device_information(simulation.device, &info);
    printf("%s, %d thread(s), VELA_ISA %s: %s\n", solver, threads, instructions ? instructions : "not set",
           info.name);
    simulation_stop(&simulation);
    return state;
}

START_TEST(same_bytes)
{
    static const struct {
        int32_t threads;
        const char *instructions;
    } cases[] = {{2, NULL}, {3, NULL}, {1, "baseline"}, {1, "avx2"}, {2, "avx512"}};
    size_t count;
    const char *const solver = _i == 0 ? "admm" : "newton";
    double *expected = state_after(solver, 1, NULL, &count);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        double *found = state_after(solver, cases[i].threads, cases[i].instructions, &count);
        ck_assert_msg(memcmp(found, expected, count * sizeof *found) == 0, "case %zu: off by %g", i,
                      largest_difference(found, expected, count));
        free(found);
    }
    free(expected);
}
END_TEST

START_TEST(solver_variants_agree)
{
    static const char *const variants[] = {"",
                                           ", \"acceleration\": \"none\"",
                                           ", \"adapt_penalty\": true",
                                           ", \"depth\": 2",
                                           ", \"penalty\": 3",
                                           ", \"penalty\": 50",
                                           ", \"penalty\": 50, \"adapt_penalty\": true"};
    static double expected[300];
    int last_iterations = 0;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; ++i) {
        Simulation simulation;
        simulation_make(
            threads_context(1), &simulation,
            "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1},"
            " \"solver\": {\"type\": \"admm\", \"tolerance\": 1e-11, \"max_iterations\": 3000, \"strict\": "
            "true%s},"
            " \"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"kappa\": 2e4, "
            "\"lambda\": "
            "8e4}}, \"bodies\": [{\"name\": \"b\", \"type\": \"solid\", \"geometry\": {\"box\": {\"size\": "
            "[0.3, 0.2, "
            "0.2], \"cells\": [3, 2, 2]}}, \"material\": \"m\", \"translate\": [0, 0.15, 0], \"velocity\": "
            "[1, -2, 0], "
            "\"angular_velocity\": [2, 4, 1]}], \"contact\": {\"model\": \"penalty\", \"stiffness\": 1000}, "
            "\"obstacles\": [{\"name\": \"floor\", \"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, "
            "0]}}]}",
            variants[i]);
        const size_t count = 3 * (size_t)simulation.model.node_count;
        ck_assert_uint_le(count, sizeof expected / sizeof *expected);
        int iterations = 0;
        for (int step = 0; step < 15; ++step)
            iterations += step_once(&simulation).solver.iterations;
        const double *x = slot_values(&simulation, SLOT_POSITION);
        if (i == 0)
            memcpy(expected, x, count * sizeof *x);
        const double difference = largest_difference(x, expected, count);
        printf("solver%s: %.1f iterations a step, %.2g m from the usual one\n", variants[i],
               iterations / 15.0, difference);
        ck_assert_double_le(difference, 1e-8);
        // The last two: a rho that is far too large, and the same being adapted, which must help.
        if (i + 1 == sizeof variants / sizeof *variants)
            ck_assert_int_lt(2 * iterations, last_iterations);
        last_iterations = iterations;
        simulation_stop(&simulation);
    }
}
END_TEST

/// One tet on a held base whose top is thrown at the base: the midpoint of a long step is fine, its end inverted.
static void make_thrown(Simulation *simulation, const char *material, double step, const char *solver)
{
    const char *const path = BINARY_DIR "/thrown_tetrahedron.mesh";
    FILE *file = fopen(path, "w");
    ck_assert(
        file != NULL &&
        fputs("MeshVersionFormatted 2\nDimension 3\nVertices 4\n0 0 0 0\n0 0 1 0\n1 0 0 0\n0.3 1 0.3 0\n"
              "Tetrahedra 1\n1 2 3 4 0\nEnd\n",
              file) >= 0 &&
        fclose(file) == 0);
    simulation_make(
        threads_context(1), simulation,
        "{\"version\": 1, \"time\": {\"step\": %g, \"duration\": 10}, \"gravity\": [0, 0, 0], \"solver\": "
        "{\"type\": "
        "\"admm\", \"tolerance\": 1e-9%s}, \"materials\": {\"m\": {%s, \"density\": "
        "1000, "
        "\"kappa\": 100}}, \"bodies\": [{\"name\": \"b\", \"type\": \"solid\", \"geometry\": {\"mesh\": "
        "\"%s\"}, "
        "\"material\": \"m\", \"velocity\": [0, -3, 0], \"pins\": [{\"select\": {\"nodes\": [0, 1, 2]}}]}]}",
        step, solver, material, path);
}

static const char *const barrier_material = "\"model\": \"neo_hookean\"";

START_TEST(substeps_are_taken_and_reported)
{
    Simulation simulation;
    make_thrown(&simulation, barrier_material, 0.5, "");
    int most = 0;
    for (int step = 0; step < 10; ++step) {
        const StepReport report = step_once(&simulation);
        most = report.substeps > most ? report.substeps : most;
        ck_assert_double_gt(report.end.min_det_f, 0);
        ck_assert_double_eq_tol(simulation_time(&simulation), 0.5 * (step + 1), 1e-12);
    }
    printf("thrown at its base with h = 0.5 s: at most %d substeps, no inversion\n", most);
    ck_assert_int_gt(most, 1);
    simulation_stop(&simulation);
    make_thrown(&simulation, barrier_material, 0.01, "");
    for (int step = 0; step < 10; ++step)
        ck_assert_int_eq(step_once(&simulation).substeps, 1);
    simulation_stop(&simulation);
}
END_TEST

/// arap does not stop the thrown corner: it goes through the base, or the run ends where the scene forbids that.
START_TEST(inversion_is_prevented_on_demand)
{
    Simulation simulation;
    StepReport report;
    make_thrown(&simulation, "\"model\": \"arap\"", 0.5, "");
    report = step_once(&simulation);
    ck_assert_double_lt(report.end.min_det_f, 0);
    ck_assert_int_eq(report.substeps, 1);
    simulation_stop(&simulation);
    make_thrown(&simulation, "\"model\": \"arap\", \"prevent_inversion\": true", 0.5, "");
    ck_assert_int_eq(simulation_step(&simulation, &report), VELA_ERROR_NOT_CONVERGED);
    const char *message = vela_context_message(simulation.context);
    ck_assert_msg(strstr(message, "tetrahedron 0 of body \"b\" is inverted"), "message: %s", message);
    simulation_stop(&simulation);
}
END_TEST

START_TEST(strict_fails_with_a_message)
{
    Simulation simulation;
    StepReport report;
    make_thrown(&simulation, barrier_material, 0.05, ", \"max_iterations\": 2");
    ASSERT_OK(simulation.context, simulation_step(&simulation, &report));
    ck_assert_int_eq(report.solver.stop, STOP_MAX_ITERATIONS);
    ck_assert_int_eq(report.solver.iterations, 2);
    simulation_stop(&simulation);
    make_thrown(&simulation, barrier_material, 0.05, ", \"max_iterations\": 2, \"strict\": true");
    ck_assert_int_eq(simulation_step(&simulation, &report), VELA_ERROR_NOT_CONVERGED);
    const char *message = vela_context_message(simulation.context);
    ck_assert_msg(strstr(message, "step 1") && strstr(message, "max_iterations (2)"), "message: %s", message);
    ck_assert_int_eq(simulation.step, 0);
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("reproducibility");
    TCase *cases = tcase_create("cases");
    tcase_add_loop_test(cases, same_bytes, 0, 2);
    tcase_add_test(cases, solver_variants_agree);
    tcase_add_test(cases, substeps_are_taken_and_reported);
    tcase_add_test(cases, inversion_is_prevented_on_demand);
    tcase_add_test(cases, strict_fails_with_a_message);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}
