// Long runs of free bodies: momenta to the solver's tolerance, energy within a band and without trend (theory.md section 2
// "What is conserved").
#include "physics_fixture.h"

enum { LONG_RUN = 2000 };

static const char bar[] =
    "{\"version\": 1, \"time\": {\"step\": %.17g, \"duration\": %.17g}, \"gravity\": [0, 0, 0],"
    " \"integrator\": {%s}, \"solver\": {\"type\": \"admm\", \"tolerance\": %g, \"max_iterations\": 2000, "
    "\"strict\": true}, \"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"kappa\": "
    "2e4, \"lambda\": 4e4}},"
    " \"bodies\": [{\"name\": \"bar\", \"type\": \"solid\", \"geometry\": {\"box\": {\"size\": [0.4, 0.1, "
    "0.1], \"cells\": [4, 1, 1]}}, \"material\": \"m\", \"translate\": [0.3, 0.1, -0.2], \"velocity\": [0.5, "
    "-0.2, 0.3], \"angular_velocity\": [2, 4, 7]}]}";

static void make_bar(Simulation *simulation, double step, double duration, const char *integrator,
                     double tolerance)
{
    simulation_make(threads_context(1), simulation, bar, step, duration, integrator, tolerance);
}

static double sum_momenta(Simulation *simulation)
{
    const double *v = slot_values(simulation, SLOT_VELOCITY);
    double sum = 0;
    for (int32_t i = 0; i < simulation->model.node_count; ++i)
        sum += simulation->model.masses[i] * norm3(v + 3 * i);
    return sum;
}

START_TEST(spinning_bar)
{
    Simulation simulation;
    make_bar(&simulation, 0.005, LONG_RUN * 0.005, "\"type\": \"variational\"", 1e-12);
    const Diagnosis start = simulation.diagnosis;
    const double size = sum_momenta(&simulation), spin = norm3(start.angular_momentum);
    static double energy[LONG_RUN];
    double linear = 0, angular = 0, low = INFINITY, high = -INFINITY;
    long iterations = 0;
    for (int step = 0; step < LONG_RUN; ++step) {
        const StepReport report = step_once(&simulation);
        ck_assert_int_eq(report.substeps, 1);
        iterations += report.solver.iterations;
        double drift[3];
        subtract3(report.end.linear_momentum, start.linear_momentum, drift);
        linear = fmax(linear, norm3(drift) / size);
        subtract3(report.end.angular_momentum, start.angular_momentum, drift);
        angular = fmax(angular, norm3(drift) / spin);
        energy[step] = diagnosis_total(&report.end);
        low = fmin(low, energy[step]), high = fmax(high, energy[step]);
    }
    const double band = high - low, trend = fabs(fitted_slope(energy, LONG_RUN)) * LONG_RUN;
    printf("spinning bar, %d steps: momenta drift %.2g of sum m|v| and %.2g of |L0|; energy %.4g J within "
           "%.3g J, trend over the run %.2g J; %.1f iterations a step\n",
           LONG_RUN, linear, angular, diagnosis_total(&start), band, trend, (double)iterations / LONG_RUN);
    ck_assert_double_le(linear, 1e-9);
    ck_assert_double_le(angular, 1e-6);
    ck_assert_double_le(band, 0.02 * diagnosis_total(&start));
    ck_assert_double_le(trend, 0.1 * band);
    simulation_stop(&simulation);
}
END_TEST

/// A ball dropped on a penalty floor that the integrator resolves: h^2 k/m = 0.1 at the lightest surface node.
START_TEST(bouncing_ball)
{
    static const double drop = 0.1, stiffness = 150;
    enum { STEPS_MOST = 20000, BOUNCES = 20 };
    static double energy[STEPS_MOST];
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 1.3e-3, \"duration\": 100},"
        " \"solver\": {\"type\": \"admm\", \"tolerance\": 1e-8, \"strict\": true},"
        " \"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"kappa\": 1e5, \"lambda\": "
        "1.5e5}},"
        " \"bodies\": [{\"name\": \"ball\", \"type\": \"solid\", \"geometry\": {\"ball\": {\"radius\": 0.05, "
        "\"resolution\": 3}}, \"material\": \"m\", \"translate\": [0, %g, 0]}],"
        " \"contact\": {\"model\": \"penalty\", \"stiffness\": %g},"
        " \"obstacles\": [{\"name\": \"floor\", \"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0]}}]}",
        drop + 0.05, stiffness);
    const Model *model = &simulation.model;
    double mass = 0, lightest = INFINITY;
    for (int32_t i = 0; i < model->node_count; ++i)
        mass += model->masses[i];
    for (int32_t s = 0; s < model_surface_vertices(model); ++s)
        lightest = fmin(lightest, model->masses[surface_map_node(&model->surface.map, s)]);
    const double h = simulation.scene.step, resolution = h * h * stiffness / lightest;
    const double start = diagnosis_total(&simulation.diagnosis), fall = mass * 9.81 * drop;
    int bounces = 0, steps = 0;
    double worst = 0, deepest = 0, last = simulation.diagnosis.linear_momentum[1];
    bool touched = false;
    for (; bounces < BOUNCES && steps < STEPS_MOST; ++steps) {
        const StepReport report = step_once(&simulation);
        energy[steps] = diagnosis_total(&report.end) - start;
        worst = fmax(worst, fabs(energy[steps]));
        deepest = fmin(deepest, report.end.min_distance);
        // A bounce: down and touching, then up and clear of the floor.
        touched |= report.end.contact > 0;
        if (touched && report.end.contact == 0 && report.end.linear_momentum[1] > 0 && last > 0) {
            ++bounces;
            touched = false;
        }
        last = report.end.linear_momentum[1];
    }
    const double trend = fitted_slope(energy, steps) * steps;
    printf("ball, h^2 k/m = %.3f: %d bounces in %d steps (%.2f s), %.1f mm deep; energy within %.3f %% of m "
           "g drop, trend over the run %.3f %%\n",
           resolution, bounces, steps, steps * h, -1e3 * deepest, 100 * worst / fall, 100 * trend / fall);
    ck_assert_double_le(resolution, 0.1);
    ck_assert_int_eq(bounces, BOUNCES);
    ck_assert_double_le(worst, 0.02 * fall);
    ck_assert_double_le(fabs(trend), 5e-4 * fall); // 20 bounces later nearly all of the height is left
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("conservation");
    TCase *runs = tcase_create("runs");
    tcase_add_test(runs, spinning_bar);
    tcase_add_test(runs, bouncing_ball);
    suite_add_tcase(suite, runs);
    return test_run(suite);
}
