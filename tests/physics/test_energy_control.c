// A cube turns about one of its edges under gravity, at a step of 0.5 to 0.8 rad (docs/energy-control.md): what an
// integrator does to the energy decides whether it goes on, comes to rest, or flies apart.
#include "physics_fixture.h"

#include "api/energy_watch.h"

static const double PI = 3.14159265358979323846;

// scenes/energy_control/rotating_cube.json with 27 cells: the same figures to a turn.
static const char cube[] =
    "{\"version\": 1, \"time\": {\"step\": \"1/30\", \"duration\": 10}, \"gravity\": [0, -9.8, 0],"
    " \"integrator\": {\"type\": \"%s\"}, \"solver\": {\"type\": \"newton\"},"
    " \"materials\": {\"m\": {\"model\": \"corotated\", \"density\": 1000, \"youngs_modulus\": %g, \"poissons_ratio\": "
    "0.3}},"
    " \"bodies\": [{\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [3, 3, 3]}}, \"material\": \"m\","
    " \"translate\": [0.05, 0.05, 0], \"velocity\": [-0.75, 0.75, 0], \"angular_velocity\": [0, 0, 15],"
    " \"pins\": [{\"select\": {\"box\": [[-1e-4, -1e-4, -1], [1e-4, 1e-4, 1]]}}]}]}";

typedef struct Turning {
    double turns, most; ///< of the centre of mass about the edge: at the end, and the largest on the way
    double kinetic;     ///< at the end, J
    double drift;       ///< largest distance of the energy from the start, J
    int noticed;        ///< step at which the energy is said to come from nowhere, or that fails; 0: none
} Turning;

static Turning turn(const char *integrator, double youngs_modulus, int steps)
{
    Simulation simulation;
    Turning result = {0};
    simulation_make(threads_context(1), &simulation, cube, integrator, youngs_modulus);
    EnergyWatch watch = energy_watch_begin(&simulation.scene);
    const Diagnosis initial = simulation.diagnosis;
    EnergySources sources = energy_sources_begin(&simulation.scene, &initial, 1);
    const double start = diagnosis_total(&simulation.diagnosis);
    for (int step = 1; step <= steps && !result.noticed; ++step) {
        const double *center = simulation.diagnosis.center, before = atan2(center[1], center[0]);
        StepReport report;
        if (simulation_step(&simulation, &report) != VELA_OK) {
            result.noticed = step;
            break;
        }
        const double after = atan2(center[1], center[0]);
        result.turns += remainder(after - before, 2 * PI) / (2 * PI);
        result.most = fmax(result.most, result.turns);
        result.drift = fmax(result.drift, fabs(diagnosis_total(&simulation.diagnosis) - start));
        energy_sources_add(&sources, &initial, &simulation.diagnosis);
        if (energy_watch_notices(&watch, &sources, &simulation.diagnosis,
                                 simulation.integrator.state.dissipated))
            result.noticed = step;
    }
    result.kinetic = simulation.diagnosis.kinetic;
    printf(
        "%-17s E %g Pa: %.2f turns, at most %.2f, kinetic %.3g J at the end, energy within %.3g J, noticed in step %d\n",
        integrator, youngs_modulus, result.turns, result.most, result.kinetic, result.drift, result.noticed);
    simulation_stop(&simulation);
    return result;
}

START_TEST(energy_control_keeps_it_turning)
{
    static const char *const integrators[] = {"a1", "a_search"};
    for (int i = 0; i < 2; ++i)
        for (int stiff = 0; stiff < 2; ++stiff) {
            const Turning found = turn(integrators[i], stiff ? 1e6 : 5e4, 300);
            ck_assert_int_eq(found.noticed, 0);
            ck_assert_double_ge(found.turns, 15);
        }
}
END_TEST

START_TEST(damping_brings_it_to_rest)
{
    static const char *const integrators[] = {"implicit_euler", "bdf2"};
    for (int i = 0; i < 2; ++i)
        for (int stiff = 0; stiff < 2; ++stiff) {
            const Turning found = turn(integrators[i], stiff ? 1e6 : 5e4, 300);
            ck_assert_int_eq(found.noticed, 0);
            ck_assert_double_lt(found.most, 2);
            ck_assert_double_lt(found.kinetic, 0.1); // of 0.75 J that it starts with
        }
}
END_TEST

START_TEST(undamped_blows_up_and_is_reported)
{
    static const char *const integrators[] = {"implicit_midpoint", "variational"};
    for (int i = 0; i < 2; ++i)
        for (int stiff = 0; stiff < 2; ++stiff) {
            const Turning found = turn(integrators[i], stiff ? 1e6 : 5e4, 30);
            ck_assert_int_ge(found.noticed, 1);
            ck_assert_int_le(found.noticed, 30);
        }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("energy control");
    TCase *cases = tcase_create("cube");
    tcase_add_test(cases, energy_control_keeps_it_turning);
    tcase_add_test(cases, damping_brings_it_to_rest);
    tcase_add_test(cases, undamped_blows_up_and_is_reported);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}
