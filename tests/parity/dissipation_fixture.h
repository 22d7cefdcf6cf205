/// What tests of dissipation on the Vulkan device against the CPU path share: examples on both, steps, the same bytes, costs.
#ifndef TESTS_DISSIPATION_FIXTURE_H
#define TESTS_DISSIPATION_FIXTURE_H

#include "parity/lockstep_fixture.h"
#include "parity/vulkan_fixture.h"

static VelaContext *context;

/// Of tests that do not define it: Newton's method, in single and in double precision.
#ifndef LOCKSTEP_SOLVERS
#define LOCKSTEP_SOLVERS                                                                                     \
    "{\"type\": \"newton\", \"tolerance\": 1e-5, \"linear\": {\"tolerance\": 1e-6}}",                        \
        "{\"type\": \"newton\", \"tolerance\": 1e-10, \"linear\": {\"tolerance\": 1e-11}}"
#endif
static const char *const lockstep_solvers[2] = {LOCKSTEP_SOLVERS};

static inline double noise_of(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 8388608 - 1;
}

/// An example on the CPU and on the Vulkan device.
static inline void lockstep_pair(const LockstepCase *example, bool f64, Simulation simulations[2])
{
    lockstep_start(context, example, lockstep_solvers[f64], &(DeviceChoice){"cpu", NULL}, &simulations[0]);
    lockstep_start(context, example, lockstep_solvers[f64], &(DeviceChoice){"vulkan", f64 ? "f64" : "f32"},
                   &simulations[1]);
}

static inline void lockstep_stop(Simulation simulations[2])
{
    simulation_destroy(&simulations[1]);
    simulation_destroy(&simulations[0]);
}

static inline double largest_difference(const double *a, const double *b, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; ++i)
        largest = fmax(largest, isfinite(a[i]) && isfinite(b[i]) ? fabs(a[i] - b[i]) : INFINITY);
    return largest;
}

static inline double largest_of(const double *a, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; ++i)
        largest = fmax(largest, fabs(a[i]));
    return largest;
}

/// Steps from the CPU's states, with the bounds of `vela compare`; both simulations are left where they end.
static inline void lockstep_walk(const LockstepCase *example, bool f64, double allowed,
                                 Simulation simulations[2])
{
    const DeviationBounds bounds = deviation_bounds(allowed, f64);
    Comparison comparison;
    Arena arena = arena_make(context);
    lockstep_pair(example, f64, simulations);
    ASSERT_OK(context, comparison_create(&simulations[0], &simulations[1], true, &arena, &comparison));
    for (int step = 0; step < example->steps; ++step) {
        Deviation d;
        double value, bound;
        ASSERT_OK(context, comparison_step(&comparison, &d));
        printf("%s %s step %d: x %.2e v %.2e p %.2e l %.2e H %.2e, iterations %d/%d\n", f64 ? "f64" : "f32",
               example->name, step, d.position, d.velocity, d.momentum, d.angular_momentum, d.energy,
               d.iterations[0], d.iterations[1]);
        const char *beyond = deviation_beyond(&d, &bounds, &value, &bound);
        ck_assert_msg(!beyond, "step %d: differ by %g in %s, expected at most %g", step, value, beyond,
                      bound);
    }
    arena_clear(&arena);
}

/// The same bytes on each run, states and ledgers.
static inline void lockstep_same_bytes(const LockstepCase *example)
{
    double *states[2];
    IntegratorState ledgers[2];
    size_t size = 0;
    for (int k = 0; k < 2; ++k) {
        Simulation simulation;
        lockstep_start(context, example, lockstep_solvers[0], &(DeviceChoice){"vulkan", "f32"}, &simulation);
        for (int step = 0; step < 2; ++step) { // the second begins with what the first has left
            StepReport report;
            ASSERT_OK(context, simulation_step(&simulation, &report));
        }
        size = simulation_state_size(&simulation) * sizeof(double);
        states[k] = calloc(1, size);
        ASSERT_OK(context, simulation_state_read(&simulation, states[k]));
        ledgers[k] = simulation.integrator.state;
        simulation_destroy(&simulation);
    }
    ck_assert_mem_eq(states[0], states[1], size);
    ck_assert_mem_eq(ledgers[0].damped, ledgers[1].damped, sizeof ledgers[0].damped);
    ck_assert_double_eq(ledgers[0].dissipated, ledgers[1].dissipated);
    ck_assert_double_eq(ledgers[0].work, ledgers[1].work);
    free(states[0]);
    free(states[1]);
}

/// Of a direction, the first, and of its trials; memory with the latter.
static inline void lockstep_costs(const LockstepCase *example, DeviceInfo costs[2])
{
    static const NewtonSettings settings = {
        .linear_tolerance = 1e-6, .linear_max_iterations = 1000, .project = true};
    Simulation simulation;
    lockstep_start(context, example, lockstep_solvers[0], &(DeviceChoice){"vulkan", "f32"}, &simulation);
    Device *device = simulation.device;
    const double one = 1;
    const Slot slots[] = {SLOT_STAGE, SLOT_TARGET, SLOT_BASE_POSITION};
    DeviceInfo at[3];
    NewtonDirection direction;
    NewtonTrials trials;
    double *x = calloc(3 * (size_t)simulation.model.node_count, sizeof *x);
    for (int s = 0; s < 3; ++s)
        ASSERT_OK(context, device_combine(device, slots[s], 1, &one, (Slot[]){SLOT_POSITION}));
    ASSERT_OK(context, device_stage_set(device, &(Stage){.a = 0.005, .time = 0.005}));
    ASSERT_OK(context, device_state_read(device, SLOT_STAGE, x)); // all of that is done
    device_information(device, &at[0]);
    ASSERT_OK(context, device_newton_direction(device, &settings, &direction));
    device_information(device, &at[1]);
    ASSERT_OK(context, device_newton_trials(device, 0, &trials));
    device_information(device, &at[2]);
    for (int k = 0; k < 2; ++k)
        costs[k] = (DeviceInfo){.host_waits = at[k + 1].host_waits - at[k].host_waits,
                                .bytes_transferred = at[k + 1].bytes_transferred - at[k].bytes_transferred,
                                .dispatches = at[k + 1].dispatches - at[k].dispatches,
                                .memory = at[k + 1].memory};
    free(x);
    simulation_destroy(&simulation);
}

#endif
