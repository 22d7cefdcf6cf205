// What integrators conserve with converged Newton stages (theory.md section 2 "What is conserved", section 4): linear
// momentum all of them, angular momentum the variational family, the energy a_search and blending.
#include "physics_fixture.h"

enum { STEPS = 150 };
static const double H = 2e-3;

static const char free_bar[] =
    "{\"version\": 1, \"time\": {\"step\": %.17g, \"duration\": 100}, \"gravity\": [0, 0, 0],"
    " \"integrator\": {%s}, \"solver\": {\"type\": \"newton\", \"tolerance\": 1e-12},"
    " \"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"kappa\": 2e4, \"lambda\": "
    "4e4}},"
    " \"bodies\": [{\"type\": \"solid\", \"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [4, "
    "1, 1]}},"
    " \"material\": \"m\", \"translate\": [0.3, 0.1, -0.2], \"twist\": {\"axis\": [1, 0, 0], \"degrees\": "
    "30},"
    " \"velocity\": [0.5, -0.2, 0.3], \"angular_velocity\": [2, 4, 7]}]}";

static const struct {
    const char *integrator;
    bool keeps_angular_momentum;
} cases[] = {
    {"\"type\": \"implicit_euler\"", false},
    {"\"type\": \"bdf2\"", false},
    {"\"type\": \"trapezoidal\"", false},
    {"\"type\": \"implicit_midpoint\"", true},
    {"\"type\": \"tr_bdf2\"", false},
    {"\"type\": \"sdirk2\"", false},
    {"\"type\": \"variational\"", true},
    {"\"type\": \"variational\", \"alpha\": 0.3", true},
    {"\"type\": \"variational\", \"alpha\": 0.8", true},
    {"\"type\": \"variational\", \"alpha\": 0", true},
    {"\"type\": \"variational\", \"alpha\": 1", true},
    {"\"type\": \"a1\"", false},
    {"\"type\": \"a_search\"", false},
    {"\"type\": \"blending\"", false},
    {"\"type\": \"rk4\"", false},
};

START_TEST(momenta)
{
    Simulation simulation;
    simulation_make(threads_context(1), &simulation, free_bar, H, cases[_i].integrator);
    const Diagnosis start = simulation.diagnosis;
    const double *v = slot_values(&simulation, SLOT_VELOCITY);
    double size = 0, linear = 0, angular = 0;
    for (int32_t i = 0; i < simulation.model.node_count; ++i)
        size += simulation.model.masses[i] * norm3(v + 3 * i);
    int iterations = 0;
    for (int n = 0; n < STEPS; ++n) {
        const StepReport report = step_once(&simulation);
        ck_assert_int_lt(report.solver.stop, STOP_LINE_SEARCH);
        iterations += report.solver.iterations;
        double drift[3];
        subtract3(report.end.linear_momentum, start.linear_momentum, drift);
        linear = fmax(linear, norm3(drift) / size);
        subtract3(report.end.angular_momentum, start.angular_momentum, drift);
        angular = fmax(angular, norm3(drift) / norm3(start.angular_momentum));
    }
    printf("%s: drift of linear momentum %.2g of sum m|v|, of angular momentum %.2g of |L0|; %.1f iterations "
           "a step\n",
           cases[_i].integrator, linear, angular, (double)iterations / STEPS);
    ck_assert_double_le(linear, 1e-9);
    if (cases[_i].keeps_angular_momentum)
        ck_assert_double_le(angular, 1e-9);
    simulation_stop(&simulation);
}
END_TEST

// Kinetic energy, strain and gravity exchange in a swinging bar.
static const char swinging_bar[] =
    "{\"version\": 1, \"time\": {\"step\": %.17g, \"duration\": 100},"
    " \"integrator\": {%s}, \"solver\": {\"type\": \"newton\", \"tolerance\": 1e-6},"
    " \"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"kappa\": 2e4, \"lambda\": "
    "4e4}},"
    " \"bodies\": [{\"type\": \"solid\", \"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [4, "
    "1, 1]}},"
    " \"material\": \"m\", \"pins\": [{\"select\": {\"box\": [[-0.21, -1, -1], [-0.19, 1, 1]]}}]}]}";

START_TEST(a_search_is_on_its_target)
{
    static const double step = 0.02, decay = 0.8, ground = -1;
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation, swinging_bar, step,
        "\"type\": \"a_search\", \"decay_time\": 0.8, \"ground_energy\": -1, \"initial_energy\": 0.9");
    const double start = ground + 0.9 * (diagnosis_total(&simulation.diagnosis) - ground);
    int roots = 0;
    double worst = 0;
    for (int n = 0; n < STEPS; ++n) {
        const StepReport report = step_once(&simulation);
        const double expected = ground + exp(-(n + 1) * step / decay) * (start - ground);
        ck_assert_double_eq_tol(report.target, expected, 1e-12);
        ck_assert(report.alpha >= 0 && report.alpha <= 1.1);
        if (report.alpha_case == ALPHA_ROOT) {
            ++roots;
            worst = fmax(worst, fabs(diagnosis_total(&report.end) - report.target));
        }
    }
    const double scale = start - ground;
    printf("a_search: %d of %d steps on the target, within %.2g of %.3g J\n", roots, STEPS, worst / scale,
           scale);
    ck_assert_int_gt(roots, STEPS / 4);
    ck_assert_double_le(worst, 1e-10 * scale);
    simulation_stop(&simulation);
}
END_TEST

START_TEST(blending_keeps_the_energy)
{
    Simulation simulation;
    simulation_make(threads_context(1), &simulation, swinging_bar, 0.01, "\"type\": \"blending\"");
    const double start = diagnosis_total(&simulation.diagnosis);
    int between = 0;
    double worst = 0, scale = 0;
    for (int n = 0; n < STEPS; ++n) {
        const StepReport report = step_once(&simulation);
        scale = fmax(scale, report.end.kinetic);
        if (report.alpha > 0 && report.alpha < 1) {
            ++between;
            worst = fmax(worst, fabs(diagnosis_total(&report.end) - start));
        }
    }
    printf("blending: theta between 0 and 1 in %d of %d steps, energy within %.2g of the largest kinetic one "
           "there\n",
           between, STEPS, worst / scale);
    ck_assert_int_gt(between, 0);
    ck_assert_double_le(worst, 1e-10 * scale);
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("integrator conservation");
    TCase *tests = tcase_create("bar");
    tcase_add_loop_test(tests, momenta, 0, (int)(sizeof cases / sizeof *cases));
    tcase_add_test(tests, a_search_is_on_its_target);
    tcase_add_test(tests, blending_keeps_the_energy);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
