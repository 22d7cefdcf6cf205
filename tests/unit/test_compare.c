// What `vela compare` measures and what it judges, on two CPU simulations of which one is moved by known amounts.
#include "physics/physics_fixture.h"
#include "sim/compare.h"

static const char scene[] =
    "{\"version\": 1, \"time\": {\"step\": 0.02, \"duration\": 1}, \"materials\": {\"m\": {\"model\": \"arap\", "
    "\"density\": 500, \"kappa\": 1e4}}, \"bodies\": [{\"type\": \"solid\", \"material\": \"m\", \"geometry\": "
    "{\"box\": {\"size\": [2, 2, 1], \"cells\": [1, 1, 1]}}}], \"integrator\": {\"type\": \"implicit_euler\"}, "
    "\"solver\": {\"type\": \"newton\", \"tolerance\": 1e-12, \"linear\": {\"tolerance\": 1e-12}}, \"gravity\": [0, 0, %s]}";

/// Free comparison of one step, B's start being A's with `dx` (m) and `dv` (m/s) added to the x of every node, and to node 0 more.
static Deviation deviation_of(const char *gravity, double dx, double dv, double more)
{
    Simulation both[2];
    Comparison comparison;
    Deviation deviation;
    for (int k = 0; k < 2; ++k)
        simulation_make(threads_context(1), &both[k], scene, gravity);
    VelaContext *context = both[0].context;
    Arena arena = arena_make(context);
    const size_t size = 3 * (size_t)both[0].model.node_count;
    double *x = calloc(size, sizeof *x), *v = calloc(size, sizeof *v);
    memcpy(x, both[0].model.initial_positions, size * sizeof *x);
    for (size_t i = 0; i < size; i += 3) {
        x[i] += dx;
        v[i] += dv + (i == 0 ? more : 0);
    }
    ASSERT_OK(both[1].context, device_state_write(both[1].device, SLOT_POSITION, x));
    ASSERT_OK(both[1].context, device_state_write(both[1].device, SLOT_STAGE, x));
    ASSERT_OK(both[1].context, device_state_write(both[1].device, SLOT_VELOCITY, v));
    ASSERT_OK(context, comparison_create(&both[0], &both[1], false, &arena, &comparison));
    ck_assert_double_eq_tol(comparison.diagonal, 3, 1e-15);
    ck_assert_double_eq_tol(comparison.mass, 2000, 1e-9);
    ASSERT_OK(context, comparison_step(&comparison, &deviation));
    free(x);
    free(v);
    arena_clear(&arena);
    simulation_stop(&both[0]);
    simulation_stop(&both[1]);
    return deviation;
}

// D = 3 m, M = 2000 kg, h = 0.02 s.
START_TEST(scales)
{
    const Deviation moved = deviation_of("-5", 0.3, 0, 0);
    ck_assert_double_eq_tol(moved.position, 0.1, 1e-12);
    ck_assert_double_le(moved.velocity, 1e-12);
    ck_assert_double_le(moved.momentum, 1e-12);
    ck_assert_double_le(moved.energy, 1e-12);
    const Deviation faster = deviation_of("-5", 0, 0.6, 0);
    ck_assert_double_eq_tol(faster.velocity, 0.02 * 0.6 / 3, 1e-12);
    ck_assert_double_eq_tol(faster.position, 0.02 * 0.6 / 3, 1e-12);
    ck_assert_double_eq_tol(faster.momentum, 0.02 * 0.6 / 3, 1e-12);
    // M v^2/2 of M g D.
    ck_assert_double_eq_tol(faster.energy, 0.5 * 0.36 / (5 * 3), 1e-10);
    const Deviation one = deviation_of("-5", 0, 0, 0.6);
    ck_assert_int_eq(one.velocity_node, 0);
    ck_assert_double_gt(one.velocity, 3 * one.momentum);
    ck_assert_double_gt(one.angular_momentum, 0);
}
END_TEST

START_TEST(without_gravity_energy_is_of_itself)
{
    const Deviation same = deviation_of("0", 0, 0, 0), faster = deviation_of("0", 0, 0.6, 0);
    ck_assert(same.energy == 0 && same.position == 0 && same.velocity == 0 && same.momentum == 0);
    ck_assert(isinf(faster.energy)); // A has none
}
END_TEST

START_TEST(every_quantity_is_judged)
{
    static const char *const names[] = {"positions", "velocities", "linear momentum", "total energy"};
    const DeviationBounds single = deviation_bounds(1e-5, false), exact = deviation_bounds(1e-9, true),
                          wide = deviation_bounds(1e-2, false);
    ck_assert(single.motion == 1e-5 && single.energy == 1e-4);
    ck_assert(exact.motion == 1e-9 && exact.energy == 1e-8);
    ck_assert(wide.motion == 1e-2 && wide.energy == 1e-2);
    const double worst[] = {1, 1 + 1e-12, NAN};
    for (int q = 0; q < 4; ++q)
        for (int w = 0; w < 3; ++w) {
            Deviation d = {.angular_momentum = 1}; // reported only
            double *const quantities[] = {&d.position, &d.velocity, &d.momentum, &d.energy}, value, bound;
            const double most = q == 3 ? single.energy : single.motion;
            *quantities[q] = worst[w] * most;
            const char *beyond = deviation_beyond(&d, &single, &value, &bound);
            if (w == 0) {
                ck_assert_ptr_null(beyond);
                continue;
            }
            ck_assert_str_eq(beyond, names[q]);
            ck_assert(bound == most && (isnan(worst[w]) ? isnan(value) : value == *quantities[q]));
        }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("compare");
    TCase *tests = tcase_create("deviations");
    tcase_add_test(tests, scales);
    tcase_add_test(tests, without_gravity_energy_is_of_itself);
    tcase_add_test(tests, every_quantity_is_judged);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
