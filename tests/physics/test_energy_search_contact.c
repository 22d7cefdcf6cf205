// A-search with barrier contact (theory.md sections 4 and 8): a coarse ball falls 1 m and bounces for 3 s. Where a root is
// found the energy is on its target; elsewhere it is near, and it is back after every contact.
#include "physics_fixture.h"

static const double HEIGHT = 1, GRAVITY = 9.81, DECAY_TIME = 10;

static const char ball[] =
    "{\"version\": 1, \"time\": {\"step\": \"1/120\", \"duration\": 100}, \"gravity\": [0, %g, 0],"
    " \"integrator\": {\"type\": \"a_search\"%s}, \"solver\": {\"type\": \"newton\"},"
    " \"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": %g, "
    "\"poissons_ratio\": 0.3}},"
    " \"bodies\": [{\"geometry\": {\"ball\": {\"radius\": 0.05, \"resolution\": %d}}, \"material\": \"m\", "
    "\"translate\": [0, %g, 0]}],"
    " \"obstacles\": [{\"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0]}}],"
    " \"contact\": {\"model\": \"barrier\", \"distance\": 1e-3, \"stiffness\": 1e5}}";

typedef struct Bounces {
    int contacts; ///< periods in which the ball touches the floor
    int roots, steps;
    int longest;      ///< most steps without a root after a contact, anywhere in a flight
    int back;         ///< most steps from the end of a contact to the first root
    double on_target; ///< largest distance from the target in steps with a root, of the target
    double flying;    ///< the same in all steps without contact, of m g HEIGHT
    double touching;  ///< the same in steps with contact
    double height;    ///< highest after the first contact, of the centre, m
    double end;       ///< energy at the end, of the start's
} Bounces;

static Bounces bounce(double modulus, int resolution, double duration, bool decays)
{
    Simulation simulation;
    Bounces found = {0};
    simulation_make(threads_context(1), &simulation, ball, -GRAVITY, decays ? ", \"decay_time\": 10" : "",
                    modulus, resolution, HEIGHT);
    const double start = diagnosis_total(&simulation.diagnosis),
                 weight = simulation.diagnosis.gravitational / HEIGHT;
    int since = 0, waiting = 0; // steps; waiting is negative after the first root
    for (bool touched = false; simulation_time(&simulation) < duration; ++found.steps) {
        const StepReport report = step_once(&simulation);
        const double time = simulation_time(&simulation),
                     wanted = start * (decays ? exp(-time / DECAY_TIME) : 1),
                     distance = fabs(diagnosis_total(&report.end) - wanted);
        ck_assert_double_le(fabs(report.target - wanted), 1e-12 * start);
        const bool touches = report.end.contact > 0, is_root = report.alpha_case == ALPHA_ROOT;
        found.contacts += touches && !touched;
        touched = touches;
        if (is_root) {
            ++found.roots;
            found.on_target = fmax(found.on_target, distance / wanted);
        }
        double *worst = touches ? &found.touching : &found.flying;
        *worst = fmax(*worst, distance / (weight * HEIGHT));
        since = is_root || touches || found.contacts == 0 ? 0 : since + 1;
        waiting = touches ? 0 : is_root || waiting < 0 || found.contacts == 0 ? -1 : waiting + 1;
        found.back = waiting > found.back ? waiting : found.back;
        found.longest = since > found.longest ? since : found.longest;
        if (found.contacts > 0)
            found.height = fmax(found.height, report.end.center[1]);
        found.end = diagnosis_total(&report.end) / start;
    }
    simulation_stop(&simulation);
    printf(
        "%s: %d contacts, a root in %d of %d steps and there on target to %.1e; off it by at most %.3f of m g 1 m "
        "in flight, %.3f in contact, a root %d steps after a contact at the latest; rises to %.3f m, ends with %.4f of the start\n",
        decays ? "decay time 10 s" : "no decay", found.contacts, found.roots, found.steps, found.on_target,
        found.flying, found.touching, found.back + 1, found.height, found.end);
    return found;
}

START_TEST(energy_is_kept)
{
    const Bounces found = bounce(1e5, 4, 3, false);
    ck_assert_int_ge(found.contacts, 3);
    ck_assert_int_ge(2 * found.roots, found.steps);
    ck_assert_double_le(found.on_target, 1e-9);
    ck_assert_double_le(found.flying, 0.05);
    ck_assert_int_le(found.longest, 5);
}
END_TEST

// A finer and stiffer one: forces that a stage leaves unbalanced would shake it, and it would rise less and lose energy.
START_TEST(motion_is_kept)
{
    const Bounces found = bounce(1e6, 11, 0.9, false);
    ck_assert_int_eq(found.contacts, 1);
    ck_assert_double_ge(found.height, 0.95 * HEIGHT);
    ck_assert_double_le(found.flying, 0.05);
}
END_TEST

// The target is exp(-t/decay_time) of the start's energy. After every contact the energy is back on it; a flight that nothing
// vibrates in cannot give any away, though, and lasts 0.9 s at the most.
START_TEST(energy_decays_exponentially)
{
    const Bounces found = bounce(1e5, 4, 3, true);
    ck_assert_int_ge(found.contacts, 3);
    ck_assert_int_gt(found.roots, 0);
    ck_assert_double_le(found.on_target, 1e-9);
    ck_assert_int_le(found.back, 5);
    ck_assert_double_le(found.flying, 0.05);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("energy search with contact");
    TCase *tests = tcase_create("ball");
    tcase_add_test(tests, energy_is_kept);
    tcase_add_test(tests, motion_is_kept);
    tcase_add_test(tests, energy_decays_exponentially);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
