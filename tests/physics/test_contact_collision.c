// A bar of 1 m flies with 1 m/s against a wall and off again. How fast it leaves is known from a chain of point masses and
// springs with the bar's own energy, followed by small explicit steps; bench/bench_collision.c has more time steps.
#include "physics_fixture.h"
#include "wall_bar.h"

#include "physics/contact/barrier.h"

// Steps in the time a wave takes there and back: an impact as fast as the waves makes a shock.
enum { PARTS = 200, SHOCK_PARTS = 6400 };
static const double LEAVES = 2.4; ///< time after which it has left, of length/wave speed

// neo_hookean with nu = 0 along the bar: P = mu (s - 1/s).
static double chain_speed(double wave_speed, double width)
{
    const double cell = BAR_LENGTH / BAR_CELLS, mu = 0.5 * bar_modulus(wave_speed),
                 mass = BAR_DENSITY * cell * width * width, area = width * width + 2 * width * cell,
                 step = 5e-6 / wave_speed;
    double x[BAR_CELLS + 1], v[BAR_CELLS + 1], momentum = 0;
    for (int i = 0; i <= BAR_CELLS; ++i) {
        x[i] = 2 * BAR_RANGE + i * cell;
        v[i] = -1;
    }
    for (double time = 0; time < LEAVES * BAR_LENGTH / wave_speed; time += step) {
        double force[BAR_CELLS + 1] = {-bar_wall_stiffness(wave_speed) * area *
                                       barrier_slope(x[0], BAR_RANGE)};
        for (int i = 0; i < BAR_CELLS; ++i) {
            const double s = (x[i + 1] - x[i]) / cell, pull = mu * (s - 1 / s) * width * width;
            force[i] += pull;
            force[i + 1] -= pull;
        }
        for (int i = 0; i <= BAR_CELLS; ++i) {
            v[i] += step * force[i] / (mass * (i == 0 || i == BAR_CELLS ? 0.5 : 1));
            x[i] += step * v[i];
        }
    }
    for (int i = 0; i <= BAR_CELLS; ++i)
        momentum += mass * (i == 0 || i == BAR_CELLS ? 0.5 : 1) * v[i];
    return momentum / (mass * BAR_CELLS);
}

static bool is_off_the_wall(Simulation *simulation)
{
    double *x;
    ASSERT_OK(simulation->context,
              ARENA_ARRAY(&simulation->arena, x, 3 * (size_t)simulation->model.node_count));
    ASSERT_OK(simulation->context, device_state_read(simulation->device, SLOT_POSITION, x));
    for (int32_t i = 0; i < simulation->model.body_node_count; ++i)
        if (x[3 * i] <= BAR_RANGE)
            return false;
    return true;
}

// How fast it leaves; the free bar if `mesh` is NULL.
static double bar_speed(const char *mesh, const char *integrator, double wave_speed, int parts)
{
    char text[4096];
    bar_scene(text, sizeof text, mesh, integrator, wave_speed, 2 * BAR_LENGTH / wave_speed / parts);
    Simulation simulation;
    simulation_make(threads_context(1), &simulation, "%s", text);
    while (simulation_time(&simulation) < LEAVES * BAR_LENGTH / wave_speed)
        step_once(&simulation);
    ck_assert(is_off_the_wall(&simulation));
    const double speed = simulation.diagnosis.linear_momentum[0] / bar_mass(mesh != NULL);
    simulation_stop(&simulation);
    return speed;
}

static void all_leave_like_the_chain(const char *mesh, double wave_speed, int parts)
{
    static const char *const integrators[] = {"bdf2", "a1", "a_search"};
    const double expected = chain_speed(wave_speed, mesh ? BAR_GUIDED_WIDTH : BAR_WIDTH);
    for (int i = 0; i < 3; ++i) {
        const double speed = bar_speed(mesh, integrators[i], wave_speed, parts);
        printf("waves of %g m/s, %s: leaves with %.4f m/s, the chain with %.4f\n", wave_speed, integrators[i],
               speed, expected);
        ck_assert_double_le(fabs(speed - expected), 0.02);
    }
}

START_TEST(free_bar)
{
    static const double wave_speeds[] = {10, 100};
    all_leave_like_the_chain(NULL, wave_speeds[_i], PARTS);
}
END_TEST

START_TEST(guided_bar_as_fast_as_its_waves)
{
    const char *const mesh = BINARY_DIR "/guided_bar.mesh";
    ck_assert(bar_mesh_write(mesh));
    all_leave_like_the_chain(mesh, 1, SHOCK_PARTS);
}
END_TEST

// The chain itself: the share that a slower, softer bar keeps in vibration is the larger.
START_TEST(chain_leaves_slower_when_soft)
{
    const double soft = chain_speed(1, BAR_WIDTH), stiff = chain_speed(10, BAR_WIDTH);
    printf("chain with waves of 1 m/s: %.4f m/s, of 10 m/s: %.4f\n", soft, stiff);
    ck_assert_double_le(fabs(soft - 0.85), 0.01);
    ck_assert_double_le(fabs(stiff - 0.97), 0.01);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("contact collision");
    TCase *tests = tcase_create("bar");
    tcase_add_loop_test(tests, free_bar, 0, 2);
    tcase_add_test(tests, guided_bar_as_fast_as_its_waves);
    tcase_add_test(tests, chain_leaves_slower_when_soft);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
