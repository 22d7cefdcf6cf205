// Drag of the air (physics/dissipation/air.h) against closed forms: sheets that fall, solids and cables in the wind, and the ledger.
#include "physics_fixture.h"

static const char sheet[] =
    "{\"type\": \"shell\", \"thickness\": 0.001, \"bending\": \"none\", \"geometry\": {\"sheet\": {\"size\": [0.5, "
    "0.4], \"cells\": [3, 2]}}, \"material\": \"m\", \"velocity\": [0.3, 0, 0]}";

static void make(Simulation *simulation, const char *integrator, double step, const char *gravity,
                 const char *air, const char *body)
{
    simulation_make(
        threads_context(1), simulation,
        "{\"version\": 1, \"time\": {\"step\": %.17g, \"duration\": 1}, \"gravity\": %s, \"air\": %s, "
        "\"integrator\": {\"type\": \"%s\"}, \"solver\": {\"type\": \"newton\", \"tolerance\": 1e-11, "
        "\"linear\": {\"tolerance\": 1e-10}}, \"materials\": {\"m\": {\"model\": \"stvk\", \"density\": 500, "
        "\"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3}}, \"bodies\": [%s]}",
        step, gravity, air, integrator, body);
}

static double mass_of(const Simulation *simulation)
{
    double mass = 0;
    for (int32_t i = 0; i < simulation->model.node_count; ++i)
        mass += simulation->model.gravity_weights[i];
    return mass;
}

/// A sheet, whose normal is y, falls as m v' = -m g - drag A v, and glides along itself without being held. Its vertices have unlike
/// masses and unlike shares of the drag in the same proportion, so that nothing deforms.
START_TEST(a_sheet_reaches_its_speed)
{
    static const char *const integrators[] = {"implicit_midpoint", "tr_bdf2", "trapezoidal", "bdf2", "sdirk2",
                                              "variational",       "rk4",     "a_search"};
    for (size_t k = 0; k < sizeof integrators / sizeof *integrators; ++k) {
        double errors[2], lost[2];
        for (int fine = 0; fine < 2; ++fine) {
            Simulation simulation;
            const int steps = 40 << fine;
            make(&simulation, integrators[k], 0.4 / steps, "[0, -9.81, 0]", "{\"drag\": 2}", sheet);
            const double mass = mass_of(&simulation), rate = 2 * 0.5 * 0.4 / mass,
                         before = diagnosis_total(&simulation.diagnosis);
            for (int n = 0; n < steps; ++n)
                step_once(&simulation);
            double v[300];
            ASSERT_OK(simulation.context, device_state_read(simulation.device, SLOT_VELOCITY, v));
            const double expected = -9.81 / rate * (1 - exp(-rate * 0.4));
            errors[fine] = fabs(v[1] - expected);
            lost[fine] = fabs(before - diagnosis_total(&simulation.diagnosis) -
                              simulation.integrator.state.dissipated);
            for (int32_t i = 0; i < simulation.model.node_count; ++i) {
                ck_assert_double_eq_tol(v[3 * i], 0.3, 1e-9);
                ck_assert_double_eq_tol(v[3 * i + 1], v[1], 1e-9);
            }
            ck_assert_double_eq_tol(simulation.integrator.state.damped[DAMPING_AIR],
                                    simulation.integrator.state.dissipated, 1e-15);
            simulation_stop(&simulation);
        }
        printf("%s: error %.2e, %.2e m/s; lost in time %.2e, %.2e J\n", integrators[k], errors[0], errors[1],
               lost[0], lost[1]);
        const bool first_order = strcmp(integrators[k], "a_search") == 0;
        ck_assert_double_le(errors[1], first_order ? 2e-2 : 2e-4);
        ck_assert_double_le(errors[1], (first_order ? 0.55 : 0.27) * errors[0]);
    }
}
END_TEST

/// Wind m v' = drag S (wind - v), S the area across it: two faces of a solid, the strip of a cable. What the wind puts in and what the
/// air takes make up for the kinetic energy.
START_TEST(the_wind_takes_along)
{
    static const struct {
        const char *body;
        double area;
    } cases[] = {
        {"{\"geometry\": {\"box\": {\"size\": [0.2, 0.3, 0.1], \"cells\": [2, 3, 1]}}, \"material\": \"m\"}",
         2 * 0.3 * 0.1},
        {"{\"type\": \"affine\", \"geometry\": {\"box\": {\"size\": [0.2, 0.3, 0.1], \"cells\": [1, 1, 1]}}, "
         "\"material\": \"m\"}",
         2 * 0.3 * 0.1},
        {"{\"type\": \"cable\", \"radius\": 0.01, \"geometry\": {\"cable\": {\"from\": [0, 0, 0], \"to\": [0, 0.5, 0], "
         "\"segments\": 4}}, \"material\": \"m\"}",
         0.02 * 0.5},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        Simulation simulation;
        make(&simulation, "implicit_midpoint", 0.005, "[0, 0, 0]", "{\"drag\": 20, \"wind\": [3, 0, 0]}",
             cases[k].body);
        const double mass = mass_of(&simulation), rate = 20 * cases[k].area / mass;
        for (int n = 0; n < 100; ++n)
            step_once(&simulation);
        const Diagnosis *end = &simulation.diagnosis;
        const double expected = 3 * mass * (1 - exp(-rate * 0.5));
        const double balance = simulation.integrator.state.work - simulation.integrator.state.dissipated;
        printf("case %zu: momentum %.6g, expected %.6g kg m/s; kinetic %.9g, work less dissipated %.9g J\n",
               k, end->linear_momentum[0], expected, end->kinetic, balance);
        ck_assert_double_eq_tol(end->linear_momentum[0], expected, 2e-3 * expected);
        ck_assert_double_ge(simulation.integrator.state.dissipated, 0);
        ck_assert_double_eq_tol(diagnosis_total(end), balance, 1e-4 * end->kinetic);
        simulation_stop(&simulation);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("air");
    TCase *tests = tcase_create("air");
    tcase_add_test(tests, a_sheet_reaches_its_speed);
    tcase_add_test(tests, the_wind_takes_along);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
