// The damping of the variational integrators themselves ([GVI], theory.md section 7): the pace of one mode, whatever the step; momenta;
// and that a step's stage is the least of what it says.
#include "physics_fixture.h"

static void make_bar(Simulation *simulation, const char *alpha, double step, const char *time,
                     const char *pins)
{
    simulation_make(
        threads_context(1), simulation,
        "{\"version\": 1, \"time\": {\"step\": %.17g, \"duration\": 10}, \"gravity\": [0, 0, 0], \"integrator\": {\"type\": "
        "\"variational\", \"alpha\": %s}, \"solver\": {\"type\": \"newton\", \"tolerance\": 1e-10, \"linear\": "
        "{\"tolerance\": 1e-10}}, \"materials\": {\"m\": {\"model\": \"stvk\", \"density\": 1000, "
        "\"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3, \"damping\": [{\"type\": \"variational\", \"time\": %s}]}}, "
        "\"bodies\": [{\"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [3, 1, 1]}}, \"material\": \"m\", "
        "\"angular_velocity\": [0, 0, 4], \"velocity_gradient\": [[1, 0, 0], [0.5, 0, 0], [0, 0, 0]], \"pins\": [%s]}]}",
        step, alpha, time, pins);
}

/// A weight on a spring: the envelope of its swings is e^(-k_D omega^2 t/2), for every alpha and step.
START_TEST(one_mode_decays_at_its_pace)
{
    static const char *const alphas[] = {"0.5", "0.4", "0", "1"};
    const double radius = 0.02, length = 0.5, volume = acos(-1) * radius * radius * length,
                 mass = 500 * volume, omega = sqrt(1e5 * volume / (length * length) / mass), time = 0.002;
    for (size_t k = 0; k < sizeof alphas / sizeof *alphas; ++k)
        for (int halvings = 0; halvings < 3; ++halvings) {
            Simulation simulation;
            const double step = ldexp(2e-3, -halvings);
            simulation_make(
                threads_context(1), &simulation,
                "{\"version\": 1, \"time\": {\"step\": %.17g, \"duration\": 10}, \"gravity\": [0, 0, 0], \"integrator\": "
                "{\"type\": \"variational\", \"alpha\": %s}, \"solver\": {\"type\": \"newton\", \"tolerance\": 1e-9}, "
                "\"materials\": {\"m\": {\"model\": \"arap\", \"density\": 1000, \"youngs_modulus\": 1e5, "
                "\"poissons_ratio\": 0, \"damping\": [{\"type\": \"variational\", \"time\": %g}]}}, \"bodies\": [{\"type\": "
                "\"cable\", \"bending_modulus\": 0, \"radius\": %g, \"geometry\": {\"cable\": {\"from\": [0, 0, 0], "
                "\"to\": [%g, 0, 0], \"segments\": 1}}, \"material\": \"m\", \"pins\": [{\"select\": {\"nodes\": [0]}}], "
                "\"velocity_gradient\": [[0.5, 0, 0], [0, 0, 0], [0, 0, 0]]}]}",
                step, alphas[k], time, radius, length);
            const double start = diagnosis_total(&simulation.diagnosis);
            const int steps = (int)lround(1 / step);
            for (int n = 0; n < steps; ++n)
                step_once(&simulation);
            const double left = sqrt(diagnosis_total(&simulation.diagnosis) / start),
                         expected = exp(-0.5 * time * omega * omega);
            const double lost = start - diagnosis_total(&simulation.diagnosis) -
                                simulation.integrator.state.damped[DAMPING_VARIATIONAL];
            printf(
                "alpha %s, step %g: %.5f of the amplitude left after 1 s, expected %.5f; lost in time %.1e\n",
                alphas[k], step, left, expected, lost / start);
            ck_assert_double_eq_tol(left, expected, 0.02 * expected);
            ck_assert_double_le(fabs(lost), 0.1 * start);
            simulation_stop(&simulation);
        }
}
END_TEST

/// Explicit steps keep both momenta to rounding; implicit ones the linear one, and the angular one the better the shorter they are.
START_TEST(momenta_are_kept)
{
    static const char *const alphas[] = {"0", "1", "0.5"};
    for (size_t k = 0; k < sizeof alphas / sizeof *alphas; ++k) {
        double off[2];
        for (int fine = 0; fine < 2; ++fine) {
            Simulation simulation;
            make_bar(&simulation, alphas[k], ldexp(k < 2 ? 1e-3 : 4e-3, -fine), "0.002", "");
            const double spin = simulation.diagnosis.angular_momentum[2],
                         push = simulation.diagnosis.linear_momentum[1];
            for (int n = 0; n < 100 << fine; ++n)
                step_once(&simulation);
            off[fine] = fabs(simulation.diagnosis.angular_momentum[2] / spin - 1);
            ck_assert_double_eq_tol(simulation.diagnosis.linear_momentum[1], push, 1e-10);
            ck_assert_double_gt(simulation.integrator.state.dissipated, 0);
            simulation_stop(&simulation);
        }
        printf("alpha %s: l off by %.2e, %.2e with half the step\n", alphas[k], off[0], off[1]);
        if (k < 2)
            ck_assert_double_le(fmax(off[0], off[1]), 1e-11);
        else
            ck_assert(off[0] < 0.05 && off[1] < 0.6 * off[0]);
    }
}
END_TEST

/// Newton's method ends in a few iterations, and the amplitude after 2 s does not depend on the step.
START_TEST(the_step_does_not_damp)
{
    double left[3];
    for (int k = 0; k < 3; ++k) {
        Simulation simulation;
        int32_t iterations = 0;
        const double step = ldexp(5e-3, -k);
        make_bar(&simulation, "0.5", step, "0.003",
                 "{\"select\": {\"box\": [[-0.21, -1, -1], [-0.19, 1, 1]]}}");
        const double start = diagnosis_total(&simulation.diagnosis);
        const int steps = (int)lround(2 / step);
        for (int n = 0; n < steps; ++n)
            iterations += step_once(&simulation).solver.iterations;
        left[k] = sqrt(diagnosis_total(&simulation.diagnosis) / start);
        printf("step %g: %.4f of the amplitude left, %.1f iterations a step\n", step, left[k],
               (double)iterations / steps);
        ck_assert_double_le((double)iterations / steps, 8);
        simulation_stop(&simulation);
    }
    ck_assert(left[2] > 0.02 && left[2] < 0.8);
    for (int k = 0; k < 2; ++k)
        ck_assert_double_eq_tol(left[k], left[2], 0.02 * left[2]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("variational_damping");
    TCase *tests = tcase_create("variational_damping");
    tcase_add_test(tests, one_mode_decays_at_its_pace);
    tcase_add_test(tests, momenta_are_kept);
    tcase_add_test(tests, the_step_does_not_damp);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
