// The same small collision of two soft boxes above a floor, with friction, at steps from 1/480 s to 1/15 s under three
// integrators, each from ten places: nothing ever intersects or inverts (sim/verify.h), and every step succeeds.
#include "physics_fixture.h"
#include "sim/verify.h"

enum { JITTERS = 10 };

static const char boxes[] =
    "{\"version\": 1, \"time\": {\"step\": %.17g, \"duration\": 100}, \"gravity\": [0, -9.81, 0],"
    " \"integrator\": {\"type\": \"%s\"}, \"solver\": {\"type\": \"newton\", \"max_iterations\": 300},"
    " \"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 3e4, "
    "\"poissons_ratio\": 0.4}},"
    " \"bodies\": ["
    "{\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [2, 2, 2]}}, \"material\": \"m\","
    " \"rotate\": {\"axis\": [%g, 1, %g], \"degrees\": %g}, \"translate\": [-0.1, %g, 0], \"velocity\": [4, -1, 0], "
    "\"angular_velocity\": [0, 0, 10]},"
    "{\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}}, \"material\": \"m\","
    " \"rotate\": {\"axis\": [1, %g, 0], \"degrees\": %g}, \"translate\": [0.1, %g, %g], \"velocity\": [-4, -1, 0]}],"
    " \"obstacles\": [{\"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0]}}],"
    " \"contact\": {\"model\": \"barrier\", \"distance\": 2e-3, \"friction\": 0.3}}";

/// Uniform in [-1, 1], the same on every machine.
static double jitter(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 8388608.0 - 1;
}

typedef struct Record {
    int steps, touching, iterations, stopped_early;
    double closest, smallest_det;
} Record;

static void collide(const char *integrator, double step, double duration, uint32_t seed, Record *record)
{
    double r[8];
    for (int i = 0; i < 8; ++i)
        r[i] = jitter(&seed);
    Simulation simulation;
    Verification verification;
    simulation_make(threads_context(1), &simulation, boxes, step, integrator, 0.5 * r[0], 0.5 * r[1],
                    45 * r[2], 0.11 + 0.01 * r[3], 0.5 * r[4], 45 * r[5], 0.11 + 0.01 * r[6], 0.03 * r[7]);
    ASSERT_OK(simulation.context, verification_create(&simulation, &verification));
    while (simulation_time(&simulation) < duration - 0.5 * step) {
        const StepReport report = step_once(&simulation);
        ASSERT_OK(simulation.context, verification_check(&verification));
        ++record->steps;
        record->touching += report.end.contact > 0;
        record->iterations += report.solver.iterations;
        record->stopped_early += report.solver.stop >= STOP_LINE_SEARCH;
        record->closest = fmin(record->closest, report.end.min_distance);
        record->smallest_det = fmin(record->smallest_det, report.end.min_det_f);
    }
    simulation_stop(&simulation);
}

static const char *const integrators[] = {"implicit_euler", "bdf2", "a_search"};
static const double rates[] = {480, 120, 30, 15};
static const double durations[] = {0.06, 0.2, 0.3, 0.4}; ///< s

START_TEST(never_intersects)
{
    const char *integrator = integrators[_i];
    for (int h = 0; h < 4; ++h) {
        Record record = {.closest = INFINITY, .smallest_det = INFINITY};
        for (uint32_t seed = 1; seed <= JITTERS; ++seed)
            collide(integrator, 1 / rates[h], durations[h], seed, &record);
        printf(
            "%s, h 1/%g s: %d steps, %d in contact, closest %.2g m, det F from %.2f, %.1f iterations a step, %d stopped early\n",
            integrator, rates[h], record.steps, record.touching, record.closest, record.smallest_det,
            (double)record.iterations / record.steps, record.stopped_early);
        ck_assert_int_ge(2 * record.touching, record.steps);
        ck_assert_int_eq(record.stopped_early, 0);
        ck_assert_double_gt(record.closest, 0);
        ck_assert_double_gt(record.smallest_det, 0);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("contact robustness");
    TCase *tests = tcase_create("two boxes");
    tcase_add_loop_test(tests, never_intersects, 0, 3);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
