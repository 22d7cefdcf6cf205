// Damping in ADMM (theory.md sections 6 and 7): the same motion as Newton's method finds, for every model, body and integrator; rest of dry
// friction; iterations over decades of stiffness and damping.
#include "physics_fixture.h"

static const char
    solid[] =
        "{\"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [3, 1, 1]}}, \"material\": \"m\", \"twist\": "
        "{\"axis\": [1, 0, 0], \"degrees\": 30}, \"angular_velocity\": [1, 2, 3], \"pins\": [{\"select\": {\"box\": "
        "[[-0.21, -1, -1], [-0.19, 1, 1]]}}]}",
    cloth[] =
        "{\"type\": \"shell\", \"thickness\": 0.004, \"bending\": \"quadratic\", \"geometry\": {\"sheet\": {\"size\": [0.3, "
        "0.2], \"cells\": [3, 2]}}, \"material\": \"m\", \"angular_velocity\": [1, 2, 3], \"pins\": [{\"select\": "
        "{\"nodes\": [0]}}]}",
    rope[] =
        "{\"type\": \"cable\", \"radius\": 0.02, \"geometry\": {\"cable\": {\"from\": [0, 0, 0], \"to\": [0.5, 0.1, 0], "
        "\"segments\": 5}}, \"material\": \"m\", \"bending_modulus\": 0, \"pins\": [{\"select\": {\"nodes\": [0]}}]}";

enum { VALUES = 200 };

typedef struct Outcome {
    double x[VALUES];
    double dissipated, total;
    int64_t iterations;
} Outcome;

static void run(const char *solver, const char *integrator, const char *damping, const char *body,
                double step, double stiffness, int steps, Outcome *outcome)
{
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": %.17g, \"duration\": 10}, \"integrator\": {\"type\": \"%s\"}, "
        "\"solver\": %s, \"materials\": {\"m\": {\"model\": \"stvk\", \"density\": 1000, "
        "\"youngs_modulus\": %g, \"poissons_ratio\": 0.3, \"damping\": [%s]}}, \"bodies\": [%s]}",
        step, integrator, solver, stiffness, damping, body);
    *outcome = (Outcome){0};
    ck_assert_int_le(3 * simulation.model.node_count, VALUES);
    for (int n = 0; n < steps; ++n) {
        outcome->iterations += step_once(&simulation).solver.iterations;
    }
    ASSERT_OK(simulation.context, device_state_read(simulation.device, SLOT_POSITION, outcome->x));
    outcome->dissipated = simulation.integrator.state.dissipated;
    outcome->total = diagnosis_total(&simulation.diagnosis);
    simulation_stop(&simulation);
}

static const char
    newton[] =
        "{\"type\": \"newton\", \"tolerance\": 1e-11, \"lag_iterations\": 50, \"linear\": {\"tolerance\": 1e-11}}",
    admm[] = "{\"type\": \"admm\", \"tolerance\": 1e-11, \"max_iterations\": 20000, \"lag_iterations\": 50}";

static const char *const models[] = {
    "{\"type\": \"strain_rate\", \"shear\": 300, \"bulk\": 150}",
    "{\"type\": \"rayleigh\", \"time\": 0.01, \"mass\": 0.5}",
    "{\"type\": \"principal_strain\", \"time\": 0.01}",
    "{\"type\": \"power_law\", \"coefficient\": 200, \"exponent\": 1.5}",
    "{\"type\": \"power_law\", \"coefficient\": 300, \"exponent\": 0.7}",
    "{\"type\": \"spline\", \"time\": 0.01, \"points\": [[0.8, 2], [1, 0.5], [1.3, 1]]}",
    // several on one material
    ("{\"type\": \"rayleigh\", \"time\": 0.002}, {\"type\": \"power_law\", \"coefficient\": 20, \"exponent\": 2}, {\"type\": "
     "\"power_law\", \"coefficient\": 50, \"exponent\": 1}, {\"type\": \"strain_rate\", \"shear\": 100}"),
};
enum { MODELS = sizeof models / sizeof *models, PRINCIPAL_STRAIN = 2, SPLINE = 5 };

static double apart(const Outcome *a, const Outcome *b)
{
    double most = 0;
    for (int i = 0; i < VALUES; ++i)
        most = fmax(most, fabs(a->x[i] - b->x[i]));
    return most;
}

// What knows principal stretches is lagged in their axes. On the cloth these turn fast where an element's stretches become equal, from the sixth
// step on: what is lagged goes to and fro there until lag_iterations end it, whichever the solver.
START_TEST(the_same_as_newtons_method)
{
    const char *const bodies[] = {solid, cloth, rope};
    static const char *const integrators[] = {"tr_bdf2", "variational", "implicit_midpoint"};
    for (int k = 0; k < MODELS; ++k)
        for (int b = 0; b < 3; ++b) {
            const char *integrator = integrators[(k + b) % 3];
            Outcome expected, found;
            const int steps = b == 1 && (k == PRINCIPAL_STRAIN || k == SPLINE) ? 5 : 10;
            run(newton, integrator, models[k], bodies[b], 0.01, 1e5, steps, &expected);
            run(admm, integrator, models[k], bodies[b], 0.01, 1e5, steps, &found);
            printf(
                "model %d, body %d, %s: %.2e m apart, dissipated %.9g against %.9g J, %lld against %lld iterations\n",
                k, b, integrator, apart(&expected, &found), found.dissipated, expected.dissipated,
                (long long)found.iterations, (long long)expected.iterations);
            ck_assert_double_le(apart(&expected, &found), 1e-7);
            ck_assert_double_gt(expected.dissipated, 0);
            ck_assert_double_eq_tol(found.dissipated, expected.dissipated, 1e-6 * expected.dissipated);
        }
}
END_TEST

/// Dry friction within: at rest under gravity after a while, to the last digit, which Newton's method only creeps to.
START_TEST(dry_friction_rests)
{
    Outcome before, after;
    static const char dry[] = "{\"type\": \"power_law\", \"coefficient\": 3000, \"exponent\": 0}";
    run("{\"type\": \"admm\", \"tolerance\": 1e-12, \"max_iterations\": 5000}", "tr_bdf2", dry, solid, 0.01,
        1e5, 150, &before);
    run("{\"type\": \"admm\", \"tolerance\": 1e-12, \"max_iterations\": 5000}", "tr_bdf2", dry, solid, 0.01,
        1e5, 200, &after);
    const int64_t resting = after.iterations - before.iterations;
    printf("moved by %.2e m in half a second, %lld iterations in 150 steps, %lld in 50 at rest\n",
           apart(&before, &after), (long long)before.iterations, (long long)resting);
    ck_assert_double_le(apart(&before, &after), 1e-9);
    ck_assert_int_le(
        resting, 50 * 20); // a stage that is where it was ends at once, though rounding is above its bound
}
END_TEST

/// Weights need no hand: four decades of stiffness and of damping; and acceleration is never worse than none.
START_TEST(weights_fit)
{
    static const char solver[] =
        "{\"type\": \"admm\", \"tolerance\": 1e-7, \"max_iterations\": 5000, \"lag_iterations\": 1, \"acceleration\": \"%s\"}";
    for (int s = 3; s <= 7; s += 2)
        for (int d = -4; d <= 0; d += 2) {
            char damping[120], with[200], without[200];
            Outcome found, plain;
            snprintf(damping, sizeof damping, "{\"type\": \"principal_strain\", \"time\": %g}", pow(10, d));
            snprintf(with, sizeof with, solver, "anderson");
            snprintf(without, sizeof without, solver, "none");
            run(with, "tr_bdf2", damping, solid, 0.01, pow(10, s), 5, &found);
            run(without, "tr_bdf2", damping, solid, 0.01, pow(10, s), 5, &plain);
            printf("E 1e%d, time 1e%d s: %.1f iterations a stage, %.1f without acceleration\n", s, d,
                   (double)found.iterations / 10, (double)plain.iterations / 10);
            ck_assert_int_le(found.iterations, plain.iterations);
            ck_assert_int_le(found.iterations, 10 * 300);
        }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("alternating_damping");
    TCase *tests = tcase_create("alternating_damping");
    tcase_set_timeout(tests, 240);
    tcase_add_test(tests, the_same_as_newtons_method);
    tcase_add_test(tests, dry_friction_rests);
    tcase_add_test(tests, weights_fit);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
