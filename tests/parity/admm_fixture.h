/// What tests of damping in ADMM on the Vulkan device share: solvers, steps from the device's states, runs that go on, costs.
#ifndef TESTS_ADMM_FIXTURE_H
#define TESTS_ADMM_FIXTURE_H

#define LOCKSTEP_SOLVERS                                                                                     \
    "{\"type\": \"admm\", \"tolerance\": 1e-6, \"max_iterations\": 3000}",                                   \
        "{\"type\": \"admm\", \"tolerance\": 1e-10, \"max_iterations\": 3000}"

#include "device/vulkan/vulkan_device.h"
#include "model/air_copies.h"
#include "model/damping_copies.h"
#include "parity/damping_fixture.h"

/// The CPU goes on from what the device carries: steps from the device's states.
static inline void admm_steps_from_the_device(const LockstepCase *example, bool f64)
{
    const DeviationBounds bounds = deviation_bounds(f64 ? 1e-9 : 1e-5, f64);
    Simulation simulations[2];
    Comparison comparison;
    Arena arena = arena_make(context);
    lockstep_pair(example, f64, simulations);
    ASSERT_OK(context, comparison_create(&simulations[1], &simulations[0], true, &arena, &comparison));
    for (int step = 0; step < 2; ++step) {
        Deviation d;
        double value, bound;
        ASSERT_OK(context, comparison_step(&comparison, &d));
        printf("%s step %d: x %.2e v %.2e, iterations %d/%d\n", f64 ? "f64" : "f32", step, d.position,
               d.velocity, d.iterations[0], d.iterations[1]);
        const char *beyond = deviation_beyond(&d, &bounds, &value, &bound);
        ck_assert_msg(!beyond, "step %d: differ by %g in %s, expected at most %g", step, value, beyond,
                      bound);
    }
    arena_clear(&arena);
    lockstep_stop(simulations);
}

static inline double *carried_by(const Simulation *simulation)
{
    double *values = calloc(device_solver_state_size(simulation->device) + 1, sizeof *values);
    ASSERT_OK(context, device_solver_state_read(simulation->device, values));
    return values;
}

/// One iteration from one state, cold and warm, leaves the same on both devices: every local problem, and where each number is carried. The
/// CPU solves for x exactly, the device to 3 parts in 100: what an iteration projects is what it began with.
static inline void admm_projections(const LockstepCase *example, bool f64, int32_t copy_count)
{
    static const char *const solvers[2] = {"{\"type\": \"admm\", \"tolerance\": 1e-6, \"max_iterations\": 1, "
                                           "\"lag_iterations\": 1}",
                                           "{\"type\": \"admm\", \"tolerance\": 1e-10, \"max_iterations\": "
                                           "1, \"lag_iterations\": 1}"};
    const double allowed = f64 ? 1e-12 : 2e-6;
    Simulation simulations[2];
    lockstep_start(context, example, solvers[f64], &(DeviceChoice){"cpu", NULL}, &simulations[0]);
    lockstep_start(context, example, solvers[f64], &(DeviceChoice){"vulkan", f64 ? "f64" : "f32"},
                   &simulations[1]);
    const Model *model = &simulations[0].model;
    const size_t size = device_solver_state_size(simulations[0].device);
    ck_assert_uint_eq(size, device_solver_state_size(simulations[1].device));
    double *state = calloc(simulation_state_size(&simulations[0]), sizeof *state), worst = 0;
    for (int step = 0; step < 3; ++step) {
        StepReport report;
        double *carried[2];
        ASSERT_OK(context, simulation_state_read(&simulations[0], state));
        ASSERT_OK(context, simulation_state_write(&simulations[1], state, simulations[0].step));
        for (int k = 0; k < 2; ++k) {
            ASSERT_OK(context, simulation_step(&simulations[k], &report));
            carried[k] = carried_by(&simulations[k]);
        }
        // Behind the header and the elements' own: of each law its level, the duration, then image and projection of every copy.
        size_t at = 2 + (size_t)model->local_count;
        DampingCopy copies[MODEL_DAMPING_COPIES_MOST];
        size_t *places = calloc((size_t)model->element_count, sizeof *places);
        const int32_t count = model_damping_copies(model, copies);
        ck_assert_int_eq(count, copy_count);
        for (int32_t c = 0; c < count; ++c) {
            const size_t numbers = model_damping_state(model, copies[c], places);
            ck_assert_double_eq(carried[0][at], carried[1][at]);
            ck_assert_double_eq(carried[0][at + 1], carried[1][at + 1]);
            at += DAMPING_STATE_HEADER;
            for (int kind = 0; kind < ELEMENT_KIND_COUNT; ++kind)
                for (int32_t e = 0; e < model->groups[kind].count; ++e) {
                    const ElementGroup *group = &model->groups[kind];
                    const size_t n = (size_t)element_size(group->kind),
                                 first = at + places[group->first_element + e] + n;
                    if (model_has_damping_copy(&model->materials[group->materials[e]], kind, copies[c]))
                        worst = fmax(worst, largest_difference(carried[0] + first, carried[1] + first, n));
                }
            at += 2 * numbers;
        }
        // Behind them, in air, the multipliers of its copies.
        ck_assert_uint_eq(size - at,
                          model_has_air_copies(model) ? 3 * (size_t)model_surface_vertices(model) : 0);
        free(places);
        free(carried[0]);
        free(carried[1]);
    }
    printf("%s: projections of copies off by %.1e at the most\n", f64 ? "f64" : "f32", worst);
    ck_assert_double_le(worst, allowed);
    free(state);
    lockstep_stop(simulations);
}

/// A run that goes on from what another carries has the same bytes, also where weights have grown on the way.
static inline void admm_resumed(const LockstepCase *example, bool f64)
{
    Simulation runs[2];
    StepReport report;
    for (int k = 0; k < 2; ++k)
        lockstep_start(context, example, lockstep_solvers[f64],
                       &(DeviceChoice){"vulkan", f64 ? "f64" : "f32"}, &runs[k]);
    const size_t size = simulation_state_size(&runs[0]);
    double *state = calloc(2 * size, sizeof *state);
    ASSERT_OK(context, simulation_step(&runs[0], &report));
    ASSERT_OK(context, device_admm_scale_penalty(runs[0].device, 2));
    ASSERT_OK(context, simulation_state_read(&runs[0], state));
    ASSERT_OK(context, simulation_state_write(&runs[1], state, runs[0].step));
    for (int k = 0; k < 2; ++k) {
        ASSERT_OK(context, simulation_step(&runs[k], &report));
        ASSERT_OK(context, simulation_state_read(&runs[k], state + (size_t)k * size));
    }
    ck_assert_mem_eq(state, state + size, size * sizeof *state);
    free(state);
    lockstep_stop(runs);
}

/// Of a stage's start and of some iterations.
static inline DeviceInfo admm_costs(const char *scene, int32_t iterations)
{
    const LockstepCase example = {"costs", scene, 0};
    const AdmmSettings settings = {.tolerance = 1e-9, .penalty = 1, .depth = 5};
    Simulation simulation;
    lockstep_start(context, &example, lockstep_solvers[0], &(DeviceChoice){"vulkan", "f32"}, &simulation);
    Device *device = simulation.device;
    const double one = 1;
    double *x = calloc(3 * (size_t)simulation.model.node_count, sizeof *x);
    DeviceInfo before, after;
    // A device that is slow, as a software driver on a busy machine, is waited for more often.
    ((VulkanDevice *)device)->submission_seconds = 1e6;
    AdmmReport report = {0};
    const Slot slots[] = {SLOT_STAGE, SLOT_TARGET, SLOT_BASE_POSITION};
    for (int s = 0; s < 3; ++s)
        ASSERT_OK(context, device_combine(device, slots[s], 1, &one, (Slot[]){SLOT_POSITION}));
    // What a first stage makes once: matrices, weights, recordings.
    for (int stage = 0; stage < 2; ++stage) {
        ASSERT_OK(context, device_state_read(device, SLOT_POSITION, x));
        device_information(device, &before);
        ASSERT_OK(context, device_stage_set(device, &(Stage){.a = 0.005, .time = 0.005, .ahead = 0.005}));
        ASSERT_OK(context, device_admm_begin(device, &settings));
        ASSERT_OK(context, device_admm_iterate(device, iterations, &report));
        device_information(device, &after);
    }
    free(x);
    const DeviceInfo costs = {.host_waits = after.host_waits - before.host_waits,
                              .bytes_transferred = after.bytes_transferred - before.bytes_transferred,
                              .memory = after.memory};
    simulation_destroy(&simulation);
    return costs;
}

#endif
