// The energies at stiffness x 1, x 10 and x 100, dropped on a floor and stretched to three times their length: no
// failure, and what is infinite for inverted elements never inverts.
#include "physics_fixture.h"

static const double stiffnesses[3] = {1, 10, 100};

typedef struct Outcome {
    double smallest_det, longest; ///< over the run; height of the bar over its height at rest
    int iterations_most, substeps_most;
    double iterations_mean;
} Outcome;

static Outcome run_scene(Simulation *simulation, bool barrier)
{
    Outcome outcome = {.smallest_det = INFINITY};
    const int64_t steps = simulation->scene.step_count;
    for (int64_t step = 0; step < steps; ++step) {
        const StepReport report = step_once(simulation);
        ck_assert_int_eq(report.solver.stop, STOP_CONVERGED);
        ck_assert(!barrier || report.end.min_det_f > 0);
        const int iterations = report.solver.iterations;
        outcome.iterations_most = iterations > outcome.iterations_most ? iterations : outcome.iterations_most;
        outcome.substeps_most =
            report.substeps > outcome.substeps_most ? report.substeps : outcome.substeps_most;
        outcome.iterations_mean += (double)iterations / (double)steps;
        outcome.smallest_det = fmin(outcome.smallest_det, report.end.min_det_f);
    }
    return outcome;
}

static void print_outcome(const char *what, int model, double stiffness, const Outcome *outcome)
{
    printf("%s, %s x %g: %.1f iterations a step, at most %d; smallest det F %.3f; at most %d substeps\n",
           what, model_name(model), stiffness, outcome->iterations_mean, outcome->iterations_most,
           outcome->smallest_det, outcome->substeps_most);
}

START_TEST(dropped_on_a_floor)
{
    const int model = _i % ENERGY_MODEL_COUNT;
    const double stiffness = stiffnesses[_i / ENERGY_MODEL_COUNT];
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.005, \"duration\": 0.5},"
        " \"solver\": {\"type\": \"admm\", \"tolerance\": 1e-6, \"max_iterations\": 2000},"
        " \"materials\": {\"m\": {\"model\": \"%s\", \"density\": 1000, %s}},"
        " \"bodies\": [{\"name\": \"b\", \"type\": \"solid\", \"geometry\": {\"box\": {\"size\": [0.2, 0.2, "
        "0.2], \"cells\": [2, 2, 2]}}, \"material\": \"m\", \"translate\": [0, 0.2, 0], \"velocity\": [0, "
        "-1, 0], \"rotate\": {\"axis\": [1, 2, 3], \"degrees\": 40}}], \"contact\": {\"model\": \"penalty\", "
        "\"stiffness\": 2000}, \"obstacles\": [{\"name\": \"floor\", \"plane\": {\"point\": [0, 0, 0], "
        "\"normal\": [0, 1, 0]}}]}",
        model_name(model),
        stiffness_text(model, 4e3 * stiffness, model == ENERGY_NEO_HOOKEAN ? 8e3 : 8e3 * stiffness));
    const Outcome outcome = run_scene(&simulation, energy_is_barrier(model));
    print_outcome("drop", model, stiffness, &outcome);
    simulation_stop(&simulation);
}
END_TEST

/// A bar held at both ends; one is drawn out to three times the bar's length within 0.5 s and then held.
START_TEST(stretched_to_three_times)
{
    const int model = _i % ENERGY_MODEL_COUNT;
    const double stiffness = stiffnesses[_i / ENERGY_MODEL_COUNT];
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.005, \"duration\": 0.7},"
        " \"solver\": {\"type\": \"admm\", \"tolerance\": 1e-6, \"max_iterations\": 5000},"
        " \"materials\": {\"m\": {\"model\": \"%s\", \"density\": 1000, %s}},"
        " \"bodies\": [{\"name\": \"b\", \"type\": \"solid\", \"geometry\": {\"box\": {\"size\": "
        "[0.4, 0.1, 0.1], \"cells\": [4, 1, 1]}}, \"material\": \"m\", \"pins\": [{\"select\": "
        "{\"box\": [[-1, -1, -1], [-0.19, 1, 1]]}}, {\"select\": {\"box\": [[0.19, -1, -1], [1, "
        "1, 1]]}, \"motion\": [{\"time\": 0}, {\"time\": 0.5, \"translate\": [0.8, 0, 0]}]}]}]}",
        model_name(model),
        stiffness_text(model, 4e3 * stiffness, model == ENERGY_NEO_HOOKEAN ? 16e3 : 8e3 * stiffness));
    const Outcome outcome = run_scene(&simulation, energy_is_barrier(model));
    print_outcome("stretch", model, stiffness, &outcome);
    const double *x = slot_values(&simulation, SLOT_POSITION);
    double low = INFINITY, high = -INFINITY;
    for (int32_t i = 0; i < simulation.model.node_count; ++i)
        low = fmin(low, x[3 * i]), high = fmax(high, x[3 * i]);
    ck_assert_double_ge(high - low, 1.2 - 1e-12);
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("materials");
    TCase *cases = tcase_create("cases");
    tcase_add_loop_test(cases, dropped_on_a_floor, 0, 3 * ENERGY_MODEL_COUNT);
    tcase_add_loop_test(cases, stretched_to_three_times, 0, 3 * ENERGY_MODEL_COUNT);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}
