// Cables and affine bodies on the Vulkan device against the CPU path, in models made by hand: forces, a direction of Newton's method,
// whole steps with both solvers; and what single precision does to an affine body of 1e8 Pa. Tolerances are those of
// test_vulkan_newton.c.
#include "hand_built.h"
#include "parity/lockstep_fixture.h"
#include "parity/vulkan_fixture.h"
#include "without_factor.h"

#include "device/vulkan/vulkan.h"

static VelaContext *context;

typedef struct Pair {
    Simulation cpu, gpu;
    MassBlock blocks[2];
    size_t size; ///< numbers of a node vector
} Pair;

static void pair_start(Pair *pair, const HandBuilt *def, bool f64)
{
    hand_built_start(context, def, &(DeviceChoice){"cpu", NULL}, &pair->blocks[0], &pair->cpu);
    hand_built_start(context, def, &(DeviceChoice){"vulkan", f64 ? "f64" : "f32"}, &pair->blocks[1],
                     &pair->gpu);
    pair->size = 3 * (size_t)pair->cpu.model.node_count;
}

static void pair_stop(Pair *pair)
{
    simulation_destroy(&pair->gpu);
    simulation_destroy(&pair->cpu);
}

static double largest(const double *values, size_t count)
{
    double size = 0;
    for (size_t i = 0; i < count; ++i)
        size = fmax(size, fabs(values[i]));
    return size;
}

/// |a - b| over a size, both arrays of `count`.
static void check_values(const char *what, const double *a, const double *b, size_t count, double allowed)
{
    const double size = largest(a, count), off = largest_difference(a, b, count);
    printf("  %s off by %.1e of %.3e\n", what, off / size, size);
    ck_assert_double_gt(size, 0);
    ck_assert_msg(off <= allowed * size, "%s: off by %g of %g, expected at most %g", what, off, size,
                  allowed);
}

static const HandBuilt both = {
    .integrator = "implicit_euler",
    .solver = "\"type\": \"newton\", \"tolerance\": 1e-6, \"linear\": {\"tolerance\": 1e-8}",
    .step = 0.01,
    .cable_nodes = 8,
    .angle = 0.7,
    .youngs_modulus = 1e7,
    .affine = true,
    .spin = {3, -2, 5},
    .amplitude = 0.3};

/// The same state on both devices: positions with noise, a stage off its target.
static void write_states(Pair *pair)
{
    Simulation *const simulations[2] = {&pair->cpu, &pair->gpu};
    double *x = calloc(pair->size, sizeof *x), *target = calloc(pair->size, sizeof *target);
    uint32_t random = 7;
    for (size_t i = 0; i < pair->size; ++i) {
        x[i] = pair->cpu.model.initial_positions[i] + 0.002 * hand_built_noise(&random);
        target[i] = x[i] + 0.005 * hand_built_noise(&random);
    }
    const Stage stage = {.a = 0.01, .time = 0.005};
    for (int k = 0; k < 2; ++k) {
        ASSERT_OK(context, device_state_write(simulations[k]->device, SLOT_POSITION, x));
        ASSERT_OK(context, device_state_write(simulations[k]->device, SLOT_VELOCITY,
                                              pair->cpu.model.initial_velocities));
        ASSERT_OK(context, device_state_write(simulations[k]->device, SLOT_STAGE, x));
        ASSERT_OK(context, device_state_write(simulations[k]->device, SLOT_TARGET, target));
        ASSERT_OK(context, device_stage_set(simulations[k]->device, &stage));
    }
    free(x);
    free(target);
}

START_TEST(same_forces_and_direction)
{
    const bool f64 = _i == 1;
    Pair pair;
    pair_start(&pair, &both, f64);
    leave_out_factor(pair.cpu.device);
    write_states(&pair);
    ASSERT_OK(context, device_acceleration(pair.cpu.device, SLOT_NEXT_VELOCITY, SLOT_POSITION, 0));
    ASSERT_OK(context, device_acceleration(pair.gpu.device, SLOT_NEXT_VELOCITY, SLOT_POSITION, 0));
    const double *a = slot_values(&pair.cpu, SLOT_NEXT_VELOCITY),
                 *b = slot_values(&pair.gpu, SLOT_NEXT_VELOCITY);
    check_values("cable's acceleration", a, b, 24, f64 ? 1e-12 : 1e-5);
    check_values("affine body's acceleration", a + 24, b + 24, 12, f64 ? 1e-12 : 1e-5);
    Diagnosis diagnosis[2];
    ASSERT_OK(context, device_diagnose(pair.cpu.device, SLOT_POSITION, SLOT_VELOCITY, 0, &diagnosis[0]));
    ASSERT_OK(context, device_diagnose(pair.gpu.device, SLOT_POSITION, SLOT_VELOCITY, 0, &diagnosis[1]));
    check_values("elastic energy", &diagnosis[0].elastic, &diagnosis[1].elastic, 1, f64 ? 1e-12 : 1e-5);
    check_values("smallest determinant", &diagnosis[0].min_det_f, &diagnosis[1].min_det_f, 1,
                 f64 ? 1e-12 : 1e-6);
    lockstep_fields(context, &pair.cpu, &pair.gpu, f64 ? 1e-7 : 1e-6);
    for (int project = 0; project < 2; ++project) {
        const NewtonSettings settings = {
            .linear_tolerance = f64 ? 1e-13 : 1e-6, .linear_max_iterations = 1000, .project = project};
        NewtonDirection direction[2];
        NewtonTrials trials[2];
        write_states(&pair);
        ASSERT_OK(context, device_newton_direction(pair.cpu.device, &settings, &direction[0]));
        ASSERT_OK(context, device_newton_direction(pair.gpu.device, &settings, &direction[1]));
        // A solve of n iterations has a condition of about n^2. Of the matrix' roundings an NVIDIA H100, which joins products and
        // sums, leaves 5.4 u n^2, software drivers, which do not, less than 4.
        const double iterations = fmax(direction[0].linear_iterations, direction[1].linear_iterations),
                     allowed = f64 ? 1e-9 : 8 * 0x1p-24 * iterations * iterations;
        printf("%s, %s: %d and %d iterations\n", f64 ? "double" : "float", project ? "projected" : "true",
               direction[0].linear_iterations, direction[1].linear_iterations);
        // Measured by the preconditioner, which knows bodies with coupled masses whole on the CPU alone.
        ck_assert_double_le(fabs(direction[0].gradient - direction[1].gradient), 0.5 * direction[0].gradient);
        ck_assert_int_eq(direction[0].indefinite, direction[1].indefinite);
        if (direction[0].indefinite)
            continue;
        check_values("slope", &direction[0].slope, &direction[1].slope, 1, allowed);
        ASSERT_OK(context, device_newton_trials(pair.cpu.device, 0, &trials[0]));
        ASSERT_OK(context, device_newton_trials(pair.gpu.device, 0, &trials[1]));
        const double noise = fmax(trials[0].noise[0], trials[1].noise[0]),
                     off = fabs(trials[0].difference[0] - trials[1].difference[0]);
        ck_assert_double_le(off, allowed * fabs(trials[0].difference[0]) + noise);
        ck_assert_double_le(fabs(trials[0].slope[0] - trials[1].slope[0]),
                            allowed * fabs(direction[0].slope));
        ASSERT_OK(context, device_newton_accept(pair.cpu.device, 1));
        ASSERT_OK(context, device_newton_accept(pair.gpu.device, 1));
        const double *x[2] = {slot_values(&pair.cpu, SLOT_STAGE), slot_values(&pair.gpu, SLOT_STAGE)};
        // The affine body's turning is 1e5 times softer than its strain: so much of it is in the matrix' roundings.
        const double turning = f64 ? allowed : 1e5 * 0x1p-22;
        ck_assert_double_le(largest_difference(x[0], x[1], 24), allowed * direction[0].largest);
        ck_assert_double_le(largest_difference(x[0] + 24, x[1] + 24, 12), turning * direction[0].largest);
    }
    pair_stop(&pair);
}
END_TEST

// In lockstep: every step begins with the whole state of the CPU's, as `vela compare` has it.
static void check_steps(const HandBuilt *def, bool f64, int steps)
{
    Pair pair;
    pair_start(&pair, def, f64);
    for (int step = 0; step < steps; ++step) {
        double *state;
        const size_t size = simulation_state_size(&pair.cpu);
        ASSERT_OK(context, ARENA_ARRAY(&pair.cpu.arena, state, size));
        ASSERT_OK(context, simulation_state_read(&pair.cpu, state));
        ASSERT_OK(context, simulation_state_write(&pair.gpu, state, step));
        const StepReport report[2] = {step_once(&pair.cpu), step_once(&pair.gpu)};
        printf("step %d: %d and %d iterations\n", step, report[0].solver.iterations,
               report[1].solver.iterations);
        check_values("positions", slot_values(&pair.cpu, SLOT_POSITION),
                     slot_values(&pair.gpu, SLOT_POSITION), pair.size, f64 ? 1e-8 : 1e-5);
        check_values("velocities", slot_values(&pair.cpu, SLOT_VELOCITY),
                     slot_values(&pair.gpu, SLOT_VELOCITY), pair.size, f64 ? 1e-6 : 1e-3);
    }
    pair_stop(&pair);
}

START_TEST(same_steps_of_newton)
{
    check_steps(&both, _i == 1, 3);
}
END_TEST

START_TEST(same_steps_of_admm)
{
    HandBuilt cable = both;
    cable.affine = false;
    cable.youngs_modulus = 1e6;
    cable.solver =
        _i == 1 ? "\"type\": \"admm\", \"tolerance\": 1e-10" : "\"type\": \"admm\", \"tolerance\": 1e-7";
    check_steps(&cable, _i == 1, 3);
}
END_TEST

/// One step from the same state on both devices: what single precision adds to an affine body's velocities, m/s. At rest nothing
/// moves at all but for the rounding of the shape; forces are those of the strain, not of its rounding.
START_TEST(single_precision_leaves_an_affine_body_still)
{
    static const char *const integrators[2] = {"implicit_euler", "a1"};
    static const double spins[2] = {0, 10};
    for (int k = 0; k < 4; ++k) {
        const HandBuilt def = {
            .integrator = integrators[k / 2],
            .solver = "\"type\": \"newton\", \"tolerance\": 1e-7, \"linear\": {\"tolerance\": 1e-6}",
            .step = 0.01,
            .youngs_modulus = 1,
            .cable_nodes = 4,
            .affine = true,
            .spin = {0, 0.6 * spins[k % 2], 0.8 * spins[k % 2]}};
        Pair pair;
        pair_start(&pair, &def, false);
        double noise = 0, acceleration = 0;
        for (int step = 0; step < 5; ++step) {
            double *x = slot_values(&pair.cpu, SLOT_POSITION), *v = slot_values(&pair.cpu, SLOT_VELOCITY);
            ASSERT_OK(context, device_state_write(pair.gpu.device, SLOT_POSITION, x));
            ASSERT_OK(context, device_state_write(pair.gpu.device, SLOT_VELOCITY, v));
            ASSERT_OK(context, device_acceleration(pair.cpu.device, SLOT_NEXT_POSITION, SLOT_POSITION, 0));
            ASSERT_OK(context, device_acceleration(pair.gpu.device, SLOT_NEXT_POSITION, SLOT_POSITION, 0));
            acceleration =
                fmax(acceleration, largest_difference(slot_values(&pair.cpu, SLOT_NEXT_POSITION) + 12,
                                                      slot_values(&pair.gpu, SLOT_NEXT_POSITION) + 12, 12));
            step_once(&pair.cpu);
            step_once(&pair.gpu);
            noise = fmax(noise, largest_difference(slot_values(&pair.cpu, SLOT_VELOCITY) + 12,
                                                   slot_values(&pair.gpu, SLOT_VELOCITY) + 12, 12));
        }
        printf("%s, %g rad/s: velocities off by %.1e m/s a step, forces by %.1e m/s\n", def.integrator,
               spins[k % 2], noise, acceleration * def.step);
        ck_assert_double_le(noise, 2e-6);
        ck_assert_double_le(acceleration * def.step, 2e-6);
        pair_stop(&pair);
    }
}
END_TEST

Suite *elements_suite(const VulkanTest *vulkan)
{
    context = vulkan->context;
    Suite *suite = suite_create("cables and affine bodies on Vulkan against the CPU");
    TCase *tests = tcase_create("parity");
    const int precisions = vulkan->float64 ? 2 : 1;
    tcase_add_loop_test(tests, same_forces_and_direction, 0, precisions);
    tcase_add_loop_test(tests, same_steps_of_newton, 0, precisions);
    tcase_add_loop_test(tests, same_steps_of_admm, 0, precisions);
    tcase_add_test(tests, single_precision_leaves_an_affine_body_still);
    suite_add_tcase(suite, tests);
    return suite;
}
