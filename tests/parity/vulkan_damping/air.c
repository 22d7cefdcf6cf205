// Drag of the air on the Vulkan device against the CPU path: forces and powers at any places and velocities, a direction and its trials, steps
// from the CPU's states with what the ledger says of them; the same bytes on each run; what it costs. Bounds are those of solids
// (test_vulkan_lockstep.c).
#include "physics/skin_fixture.h"

#include "parity/dissipation_fixture.h"

#define FINE BINARY_DIR "/vulkan_air_fine.obj"
#define COARSE BINARY_DIR "/vulkan_air_coarse.obj"
#define WIND "\"air\": {\"drag\": 20, \"wind\": [3, -1, 2]}, "
#define SCENE(step, integrator, more, bodies)                                                                \
    "{\"version\": 1, \"time\": {\"step\": " step                                                            \
    ", \"duration\": 1}, \"integrator\": {\"type\": \"" integrator "}, " more                                \
    "\"materials\": {\"m\": {\"model\": \"stvk\", \"density\": 300, \"youngs_modulus\": 1e5, "               \
    "\"poissons_ratio\": 0.3}, \"damped\": {\"model\": \"stvk\", \"density\": 300, \"youngs_modulus\": "     \
    "1e5, \"poissons_ratio\": 0.3, \"damping\": [{\"type\": \"strain_rate\", \"shear\": 100}, {\"type\": "   \
    "\"rayleigh\", \"mass\": 2}]}}, \"bodies\": [" bodies "]}"
/// Twisted, thrown; held by a pin that moves.
#define BAR_OF(material, pins)                                                                               \
    "{\"name\": \"bar\", \"material\": \"" material                                                          \
    "\", \"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [4, 2, 1]}}, \"twist\": {\"axis\": " \
    "[1, 0, 0], \"degrees\": 40}, \"velocity\": [2, 0, -5], \"angular_velocity\": [0, 0, 6]" pins "}"
#define HELD                                                                                                 \
    ", \"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.19, 1, 100]]}, \"motion\": [{\"time\": 0}, "     \
    "{\"time\": 1, \"translate\": [0, 1, 0]}]}]"
#define SLIDING ", \"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.19, 1, 1]]}, \"axes\": \"yz\"}]"
#define BAR BAR_OF("m", HELD)
#define SHELL                                                                                                \
    "{\"name\": \"cloth\", \"material\": \"m\", \"translate\": [0, 1, 0], \"type\": \"shell\", "             \
    "\"thickness\": 0.004, \"bending\": \"discrete_shells\", \"geometry\": {\"sheet\": {\"size\": [0.4, "    \
    "0.3], \"cells\": [5, 4]}}, \"velocity_gradient\": [[0, 2, 0], [5, 1, 3], [0, 0, 0]], \"pins\": "        \
    "[{\"select\": {\"nodes\": [0, 5]}}]}"
#define ROPE                                                                                                 \
    "{\"name\": \"rope\", \"material\": \"m\", \"translate\": [0, 2, 0], \"type\": \"cable\", \"radius\": "  \
    "0.01, \"geometry\": {\"cable\": {\"from\": [0, 0, 0], \"to\": [0.5, 0.1, 0], \"segments\": 8}}, "       \
    "\"velocity_gradient\": [[3, 0, 0], [5, 0, 0], [-4, 0, 0]], \"pins\": [{\"select\": {\"nodes\": [0]}}]}"
#define AFFINE                                                                                               \
    "{\"name\": \"block\", \"material\": \"m\", \"translate\": [0, 3, 0], \"type\": \"affine\", "            \
    "\"stiffness\": 1e6, \"angular_velocity\": [1, 0.2, 8], \"geometry\": {\"box\": {\"size\": [0.2, 0.1, "  \
    "0.1], \"cells\": [1, 1, 1]}}}"
/// Coarse boxes under finer surfaces: vertices are sums of several nodes.
#define SKINS                                                                                                \
    "{\"name\": \"soft\", \"geometry\": {\"box\": {\"size\": [0.2, 0.2, 0.2], \"cells\": [1, 1, 1]}}, "      \
    "\"material\": \"m\", \"translate\": [0, 4, 0], \"velocity\": [0, -2, 0], \"angular_velocity\": [1, 0, " \
    "4], \"skin\": {\"mesh\": \"" FINE                                                                       \
    "\", \"contact\": true}}, {\"name\": \"stiff\", \"type\": \"affine\", \"geometry\": {\"box\": "          \
    "{\"size\": [0.2, 0.2, 0.2], \"cells\": [1, 1, 1]}}, \"material\": \"m\", \"translate\": [0, 5, 0], "    \
    "\"angular_velocity\": [3, 0, 4], \"skin\": {\"mesh\": \"" COARSE "\", \"contact\": true}}"
#define ALL BAR ", " SHELL ", " ROPE ", " AFFINE ", " SKINS
#define BARRIER                                                                                              \
    "\"obstacles\": [{\"plane\": {\"point\": [0, -0.082, 0], \"normal\": [0.05, 1, 0]}}], \"contact\": "     \
    "{\"model\": \"barrier\", \"distance\": 0.005, \"friction\": 0.3}, "

static const LockstepCase steps[] = {
    {"solid, tr_bdf2", SCENE("0.005", "tr_bdf2\"", WIND, BAR), 3},
    {"shell, implicit_midpoint", SCENE("0.005", "implicit_midpoint\"", WIND, SHELL), 3},
    {"cable, bdf2", SCENE("0.005", "bdf2\"", WIND, ROPE), 3},
    {"affine, sdirk2", SCENE("0.005", "sdirk2\"", WIND, AFFINE), 3},
    {"skins, tr_bdf2", SCENE("0.005", "tr_bdf2\"", WIND, SKINS), 3},
    {"all, variational", SCENE("0.005", "variational\", \"alpha\": 0.5", WIND, ALL), 3},
    {"still air, trapezoidal", SCENE("0.005", "trapezoidal\"", "\"air\": {\"drag\": 20}, ", BAR ", " SHELL),
     3},
    {"all, explicit", SCENE("0.0001", "variational\", \"alpha\": 0", WIND, ALL), 3},
    {"all, rk4", SCENE("0.0001", "rk4\"", WIND, ALL), 3},
    {"shell, a_search", SCENE("0.005", "a_search\"", WIND, SHELL), 3},
    {"damped in air, tr_bdf2", SCENE("0.005", "tr_bdf2\"", WIND, BAR_OF("damped", HELD) ", " SHELL), 3},
    {"held in part, implicit_euler", SCENE("0.005", "implicit_euler\"", WIND, BAR_OF("m", SLIDING)), 3},
    {"on a slope, with friction", SCENE("0.005", "bdf2\"", WIND BARRIER, BAR ", " SKINS), 3},
};
enum { STEPS = sizeof steps / sizeof *steps, STEP_OF_ALL = 5 };

static void write_skins(void)
{
    write_cube_skin(FINE, 0.09, 6);
    write_cube_skin(COARSE, 0.095, 3);
}

/// Accelerations and powers from places and velocities that are stirred up; still, where nothing but the wind does anything.
START_TEST(same_forces)
{
    const bool f64 = _i > 0;
    const double allowed = f64 ? 1e-9 : 1e-5;
    const LockstepCase *example = &steps[STEP_OF_ALL];
    Simulation simulations[2];
    lockstep_pair(example, f64, simulations);
    const size_t n = 3 * (size_t)simulations[0].model.node_count;
    double *x = calloc(4 * n, sizeof *x), *v = x + n, *a[2] = {x + 2 * n, x + 3 * n};
    uint32_t random = 5;
    for (int repeat = 0; repeat < 6; ++repeat) {
        DissipationLoss loss[2];
        double largest = 0, off = 0;
        ASSERT_OK(context, device_state_read(simulations[0].device, SLOT_POSITION, x));
        for (size_t i = 0; i < n; ++i) {
            x[i] += 0.01 * noise_of(&random);
            v[i] = repeat == 0 ? 0 : 3 * noise_of(&random);
        }
        for (int k = 0; k < 2; ++k) {
            Device *device = simulations[k].device;
            memset(a[k], 0, n * sizeof **a);
            memset(&loss[k], 0, sizeof loss[k]);
            ASSERT_OK(context, device_state_write(device, SLOT_TARGET, x));
            ASSERT_OK(context, device_state_write(device, SLOT_BASE_POSITION, v));
            ASSERT_OK(context, device_state_write(device, SLOT_STAGE, a[k]));
            ASSERT_OK(context,
                      device_damping_acceleration(device, SLOT_STAGE, SLOT_TARGET, SLOT_BASE_POSITION, 0.5));
            ASSERT_OK(context, device_state_read(device, SLOT_STAGE, a[k]));
            ASSERT_OK(context, device_damping_loss(device, SLOT_TARGET, SLOT_BASE_POSITION, 0.5, &loss[k]));
        }
        for (size_t i = 0; i < n; ++i) {
            largest = fmax(largest, fabs(a[0][i]));
            off = fmax(off, fabs(a[0][i] - a[1][i]));
        }
        const double taken = loss[0].by_damping[DAMPING_AIR],
                     powers[] = {fabs(taken - loss[1].by_damping[DAMPING_AIR]) / taken,
                                 fabs(loss[0].all - loss[1].all) / taken,
                                 fabs(loss[0].free - loss[1].free) / taken,
                                 fabs(loss[0].driven - loss[1].driven) / taken};
        printf(
            "%s: accelerations off by %.1e of %.3g m/s^2; powers by %.1e, %.1e, %.1e, driven %.1e of %.3g J\n",
            f64 ? "f64" : "f32", off / largest, largest, powers[0], powers[1], powers[2], powers[3], taken);
        ck_assert_double_gt(largest, 0);
        ck_assert_double_gt(taken, 0);
        ck_assert_double_ne(loss[0].driven, 0);
        ck_assert_double_le(off, allowed * largest);
        for (int k = 0; k < 4; ++k)
            ck_assert_double_le(powers[k], allowed);
    }
    free(x);
    lockstep_stop(simulations);
}
END_TEST

/// A direction and its trials, where the matrix stands elsewhere than the iterate. Bounds are those of test_vulkan_newton.c.
START_TEST(same_direction)
{
    const bool f64 = _i > 0;
    static const LockstepCase example = {"direction", SCENE("0.005", "implicit_euler\"", WIND, ALL), 0};
    static const char solver[] = "{\"type\": \"newton\", \"linear\": {\"preconditioner\": \"block_jacobi\"}}";
    const NewtonSettings settings = {
        .linear_tolerance = f64 ? 1e-13 : 1e-6, .linear_max_iterations = 2000, .project = true};
    Simulation simulations[2];
    NewtonDirection direction[2];
    NewtonTrials trials[2];
    lockstep_start(context, &example, solver, &(DeviceChoice){"cpu", NULL}, &simulations[0]);
    lockstep_start(context, &example, solver, &(DeviceChoice){"vulkan", f64 ? "f64" : "f32"},
                   &simulations[1]);
    const size_t n = 3 * (size_t)simulations[0].model.node_count;
    double *x = calloc(2 * n, sizeof *x), *v = x + n;
    ASSERT_OK(context, device_state_read(simulations[0].device, SLOT_VELOCITY, v));
    for (int k = 0; k < 2; ++k) {
        Device *device = simulations[k].device;
        uint32_t random = 3;
        ASSERT_OK(context, device_state_read(simulations[0].device, SLOT_POSITION, x));
        ASSERT_OK(context, device_state_write(device, SLOT_BASE_POSITION, x));
        ASSERT_OK(context, device_state_write(device, SLOT_STAGE, x));
        for (size_t i = 0; i < n; ++i)
            x[i] += 0.005 * v[i];
        ASSERT_OK(context, device_state_write(device, SLOT_TARGET, x));
        ASSERT_OK(context, device_stage_set(device, &(Stage){.a = 0.005, .time = 0.005}));
        for (size_t i = 0; i < n; ++i)
            x[i] += -0.002 * v[i] + 2e-4 * noise_of(&random);
        ASSERT_OK(context, device_state_write(device, SLOT_STAGE, x));
        ASSERT_OK(context, device_newton_direction(device, &settings, &direction[k]));
        ASSERT_OK(context, device_newton_trials(device, 1, &trials[k]));
    }
    const NewtonDirection *a = &direction[0], *b = &direction[1];
    const double allowed = f64 ? 1e-10 : 2 * 0x1p-24 * a->linear_iterations * a->linear_iterations;
    const double off[] = {fabs(a->largest - b->largest) / a->largest,
                          fabs(a->gradient - b->gradient) / a->gradient,
                          fabs(a->slope - b->slope) / fabs(a->slope)};
    printf("%s direction: %d and %d iterations, largest %.3e off by %.1e; gradient by %.1e, slope by %.1e, "
           "allowed %.1e\n",
           f64 ? "f64" : "f32", a->linear_iterations, b->linear_iterations, a->largest, off[0], off[1],
           off[2], allowed);
    for (int k = 0; k < 3; ++k)
        ck_assert_double_le(off[k], allowed);
    for (int i = 0; i < trials[0].count; ++i) {
        const double size = ldexp(fabs(a->slope), -1 - i),
                     noise = fmax(trials[0].noise[i], trials[1].noise[i]);
        ck_assert_double_le(fabs(trials[0].difference[i] - trials[1].difference[i]), allowed * size + noise);
        ck_assert_double_le(fabs(trials[0].slope[i] - trials[1].slope[i]), allowed * fabs(a->slope));
    }
    free(x);
    lockstep_stop(simulations);
}
END_TEST

START_TEST(same_steps)
{
    const bool f64 = _i >= STEPS;
    const LockstepCase *example = &steps[_i % STEPS];
    const double allowed = f64 ? 1e-9 : 1e-5;
    Simulation simulations[2];
    lockstep_walk(example, f64, allowed, simulations);
    const IntegratorState *a = &simulations[0].integrator.state, *b = &simulations[1].integrator.state;
    const double taken = a->damped[DAMPING_AIR], off[] = {fabs(taken - b->damped[DAMPING_AIR]) / taken,
                                                          fabs(a->dissipated - b->dissipated) / a->dissipated,
                                                          fabs(a->work - b->work) / taken};
    printf("  taken %.6g J off by %.1e, all by %.1e, work %.6g J by %.1e\n", taken, off[0], off[1], a->work,
           off[2]);
    ck_assert_double_gt(taken, 0);
    for (int k = 0; k < 3; ++k)
        ck_assert_double_le(off[k], allowed);
    lockstep_stop(simulations);
}
END_TEST

START_TEST(same_bytes)
{
    lockstep_same_bytes(&steps[STEP_OF_ALL]);
}
END_TEST

// ---------------------------------------------------------------- what it costs

START_TEST(costs_a_dispatch_each)
{
    static const LockstepCase still = {"without", SCENE("0.005", "implicit_euler\"", "", BAR), 0},
                              windy = {"with", SCENE("0.005", "implicit_euler\"", WIND, BAR), 0};
    DeviceInfo without[2], with[2];
    lockstep_costs(&still, without);
    lockstep_costs(&windy, with);
    for (int k = 0; k < 2; ++k) {
        printf("%s: %lld, with air %lld dispatches; %lld waits, %lld bytes between host and device\n",
               k == 0 ? "direction" : "trials", (long long)without[k].dispatches,
               (long long)with[k].dispatches, (long long)with[k].host_waits,
               (long long)with[k].bytes_transferred);
        ck_assert_int_eq(with[k].dispatches, without[k].dispatches + 1);
        ck_assert_int_eq(with[k].host_waits, without[k].host_waits);
        ck_assert_int_eq(with[k].bytes_transferred, without[k].bytes_transferred);
    }
}
END_TEST

Suite *air_suite(const VulkanTest *vulkan)
{
    context = vulkan->context;
    const int precisions = vulkan->float64 ? 2 : 1;
    Suite *suite = suite_create("air on Vulkan");
    TCase *tests = tcase_create("against the CPU path");
    tcase_add_unchecked_fixture(tests, write_skins, NULL);
    tcase_add_loop_test(tests, same_forces, 0, precisions);
    tcase_add_loop_test(tests, same_direction, 0, precisions);
    for (int step = 0; step < precisions * STEPS; ++step)
        if (vulkan_test_runs(vulkan, step % STEPS, step >= STEPS))
            tcase_add_loop_test(tests, same_steps, step, step + 1);
    tcase_add_test(tests, same_bytes);
    tcase_add_test(tests, costs_a_dispatch_each);
    suite_add_tcase(suite, tests);
    return suite;
}
