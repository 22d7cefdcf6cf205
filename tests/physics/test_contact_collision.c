// A bar of 1 m flies with 1 m/s against a wall and off again. How fast it leaves is known from a chain of point masses and
// springs with the bar's own energy, followed by small explicit steps; bench/bench_collision.c has more time steps.
#include "physics_fixture.h"

#include "physics/contact/barrier.h"

enum { CELLS = 30, PARTS = 200 }; ///< steps in the time a wave takes there and back
static const double LENGTH = 1, WIDTH = 0.1, DENSITY = 1000, MASS = 10, RANGE = 1e-3;
static const double LEAVES = 2.4; ///< time after which it has left, of LENGTH/wave speed

// J: the barrier's stiffness times the area of the nodes at the end.
static double wall_stiffness(double wave_speed)
{
    return 10 * DENSITY * wave_speed * wave_speed * RANGE;
}

// neo_hookean with nu = 0 along the bar: P = mu (s - 1/s).
static double chain_speed(double wave_speed)
{
    const double cell = LENGTH / CELLS, mu = 0.5 * DENSITY * wave_speed * wave_speed,
                 area = WIDTH * WIDTH + 2 * WIDTH * cell, step = 5e-6 / wave_speed;
    double x[CELLS + 1], v[CELLS + 1], momentum = 0;
    for (int i = 0; i <= CELLS; ++i) {
        x[i] = 2 * RANGE + i * cell;
        v[i] = -1;
    }
    for (double time = 0; time < LEAVES * LENGTH / wave_speed; time += step) {
        double force[CELLS + 1] = {-wall_stiffness(wave_speed) * area * barrier_slope(x[0], RANGE)};
        for (int i = 0; i < CELLS; ++i) {
            const double s = (x[i + 1] - x[i]) / cell, pull = mu * (s - 1 / s) * WIDTH * WIDTH;
            force[i] += pull;
            force[i + 1] -= pull;
        }
        for (int i = 0; i <= CELLS; ++i) {
            v[i] += step * force[i] / (MASS / CELLS * (i == 0 || i == CELLS ? 0.5 : 1));
            x[i] += step * v[i];
        }
    }
    for (int i = 0; i <= CELLS; ++i)
        momentum += MASS / CELLS * (i == 0 || i == CELLS ? 0.5 : 1) * v[i];
    return momentum / MASS;
}

static double bar_speed(const char *integrator, double wave_speed)
{
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": %.17g, \"duration\": 1000}, \"gravity\": [0, 0, 0],"
        " \"integrator\": {\"type\": \"%s\"}, \"solver\": {\"type\": \"newton\", \"tolerance\": 1e-6},"
        " \"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": %g, \"youngs_modulus\": %.17g, "
        "\"poissons_ratio\": 0}},"
        " \"bodies\": [{\"geometry\": {\"box\": {\"size\": [%g, %g, %g], \"cells\": [%d, 1, 1]}}, "
        "\"material\": \"m\", \"translate\": [%.17g, 0, 0], \"velocity\": [-1, 0, 0]}],"
        " \"obstacles\": [{\"plane\": {\"point\": [0, 0, 0], \"normal\": [1, 0, 0]}}],"
        " \"contact\": {\"model\": \"barrier\", \"distance\": %g, \"stiffness\": %.17g}}",
        2 * LENGTH / wave_speed / PARTS, integrator, DENSITY, DENSITY * wave_speed * wave_speed, LENGTH,
        WIDTH, WIDTH, CELLS, 0.5 * LENGTH + 2 * RANGE, RANGE, wall_stiffness(wave_speed));
    while (simulation_time(&simulation) < LEAVES * LENGTH / wave_speed)
        step_once(&simulation);
    ck_assert_double_eq(simulation.diagnosis.contact, 0);
    const double speed = simulation.diagnosis.linear_momentum[0] / MASS;
    simulation_stop(&simulation);
    return speed;
}

START_TEST(bar_against_a_wall)
{
    static const char *const integrators[] = {"bdf2", "a1", "a_search"};
    static const double wave_speeds[] = {10, 100};
    const double wave_speed = wave_speeds[_i], expected = chain_speed(wave_speed);
    for (int i = 0; i < 3; ++i) {
        const double speed = bar_speed(integrators[i], wave_speed);
        printf("waves of %g m/s, %s: leaves with %.4f m/s, the chain with %.4f\n", wave_speed, integrators[i],
               speed, expected);
        ck_assert_double_le(fabs(speed - expected), 0.02);
    }
}
END_TEST

// The chain itself: the share that a slower, softer bar keeps in vibration is the larger.
START_TEST(chain_leaves_slower_when_soft)
{
    const double soft = chain_speed(1), stiff = chain_speed(10);
    printf("chain with waves of 1 m/s: %.4f m/s, of 10 m/s: %.4f\n", soft, stiff);
    ck_assert_double_le(fabs(soft - 0.85), 0.01);
    ck_assert_double_le(fabs(stiff - 0.97), 0.01);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("contact collision");
    TCase *tests = tcase_create("bar");
    tcase_set_timeout(tests, 0);
    tcase_add_loop_test(tests, bar_against_a_wall, 0, 2);
    tcase_add_test(tests, chain_leaves_slower_when_soft);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
