// Newton's method on the stage (theory.md sections 2, 8 and 11). The matrix is assembled by gathers over fixed lists, and
// the linear solve runs as ADMM's does: recorded iterations that take their size from the control buffer, here 8 to 256
// of them in a command buffer that is recorded once. A direction is one submission of what comes before the solve, one of the
// solve and what comes after it, and one wait:
//
//     newton_elements (elements: energy, corner forces, Hessians in their own axes)
//     newton_nodes   (gradient, own blocks, the pinned nodes' way)   newton_blocks, newton_couplings (the matrix)
//     damping_linearize and air_linearize between these, where a material is damped and where there is air (terms/damping.c, air.c)
//     constraint_evaluate and constraint_stiffen there too, with the solver that takes constraints (constraints/compliant.c)
//     newton_start   (right-hand side, factors of the diagonal blocks)   newton_bodies (of those of whole bodies)
//     what the preconditioner makes of the matrix, and of the first residual (preconditioner.c)
//     newton_apply and the preconditioner's kernels, alternating; newton_apply ends the solve
//     newton_finish  (size, slope)   newton_turn (of affine bodies)
//
// Trials are another: newton_way where not the direction itself is tried, newton_bound, then four steps at once in newton_trial_nodes and newton_trial_elements.
#include "device/vulkan/newton/newton.h"

#include "device/vulkan/constraints/constraint_term.h"
#include "device/vulkan/contact/contact.h"
#include "device/vulkan/diagnosis/sections.h"
#include "device/vulkan/exact.h"
#include "device/vulkan/linear/preconditioner.h"
#include "device/vulkan/recording.h"
#include "device/vulkan/terms/air.h"
#include "device/vulkan/terms/damping.h"
#include "device/vulkan/terms/elements.h"
#include "device/vulkan/terms/loads.h"
#include "device/vulkan/terms/variational_damping.h"

#include <math.h>

// Even numbers. A dispatch that has nothing to do costs its barrier all the same.
static const uint32_t batch_iterations[NEWTON_BATCHES] = {8,  12, 16, 20, 24, 28,  32,  36,  40,  44, 48,
                                                          56, 64, 72, 80, 96, 112, 128, 160, 192, 256};

// ---------------------------------------------------------------- the linear system
static VelaResult record_blocks(VulkanDevice *device)
{
    const uint32_t entries = device->matrix.entry_count;
    bool adds = false;
    for (int k = 0; k < ELEMENT_KIND_COUNT; ++k) {
        const ElementPlaces *places = &device->places[k];
        const uint32_t push[] = {entries, places->first_start, places->first_data, adds};
        if (places->count == 0)
            continue;
        TRY(vulkan_run(device, vulkan_kind_kernel(device, KERNEL_NEWTON_BLOCKS, k), push, entries));
        adds = true;
    }
    return VELA_OK;
}

/// The first place whose row's blocks sum to what the node has by itself: coupled masses, air, constraints and pins that hold nodes in part add to others.
static uint32_t first_own_sum(const VulkanDevice *device)
{
    const Model *model = device->base.model;
    int32_t place = 0;
    if (air_is_there(model) || model->constraint_count > 0 || model->partial_pin_count > 0)
        return device->node_count;
    for (int32_t b = 0; b < model->mass_block_count; ++b)
        for (int k = 0; k < BODY_NODES; ++k) {
            const int32_t own = model->order.places[model->mass_blocks[b].nodes[k]];
            place = own >= place && own < model->order.free_count ? own + 1 : place;
        }
    return (uint32_t)place;
}

VelaResult vulkan_newton_record_system(VulkanDevice *device, const NewtonSettings *settings)
{
    GpuCommands *commands;
    TRY(vulkan_open(device, &commands));
    sections_begin(device, commands, DIRECTION_LARGEST, DIRECTION_SECTIONS - DIRECTION_LARGEST, UINT32_MAX);
    TRY(elements_run(device, KERNEL_NEWTON_ELEMENTS,
                     settings->project | vulkan_slot(device, SLOT_STAGE) << NEWTON_SLOT_SHIFT, false));
    TRY(damping_elements(device));
    const uint32_t nodes[] = {device->node_count, vulkan_node_planes(device),
                              (uint32_t)settings->linear_max_iterations};
    const uint32_t start[] = {device->node_count,
                              device->matrix.entry_count,
                              (uint32_t)model_prescribed_count(device->base.model),
                              (uint32_t)device->base.model->partial_pin_count,
                              device->contact != NULL,
                              first_own_sum(device)};
    TRY(vulkan_run(device, &device->kernels[KERNEL_NEWTON_NODES], nodes, device->node_count));
    TRY(record_blocks(device));
    TRY(damping_linearize(device));
    TRY(variational_linearize(device, settings->project));
    TRY(air_linearize(device));
    const uint32_t couplings = (uint32_t)device->base.model->mass_block_count;
    const uint32_t coupled[] = {device->node_count, device->matrix.entry_count, couplings};
    TRY(vulkan_run(device, &device->kernels[KERNEL_NEWTON_COUPLINGS], coupled, 16 * couplings));
    TRY(constraints_linearize(device));
    TRY(contact_linearize(device));
    TRY(vulkan_run(device, &device->kernels[KERNEL_NEWTON_START], start, device->node_count));
    const uint32_t bodies = (uint32_t)device->base.model->order.coupled_count / 4;
    const uint32_t whole[] = {device->node_count, device->matrix.entry_count, couplings, bodies,
                              device->contact != NULL};
    return vulkan_run_groups(device, &device->kernels[KERNEL_NEWTON_BODIES], whole, bodies);
}

// ---------------------------------------------------------------- the linear solve
static VelaResult record_batch(VulkanDevice *device, Batch *batch, uint32_t iterations)
{
    const int kernels = 1 + vulkan_preconditioner_kernels(device);
    LinearPush push = vulkan_linear_push(device);
    TRY(gpu_commands_create(device->gpu, kernels * (int32_t)iterations + 5, &batch->commands));
    TRY(gpu_commands_begin(batch->commands));
    // An even number of iterations: the parity of a solve that goes on in the next submission fits.
    for (uint32_t i = 0; i < iterations; ++i) {
        push.parity = i % 2;
        vulkan_run_indirect(device, batch->commands, &device->kernels[KERNEL_NEWTON_APPLY], &push,
                            vulkan_linear_arguments(device));
        vulkan_preconditioner_iterate(device, batch->commands, &push);
    }
    vulkan_run_indirect(device, batch->commands, &device->kernels[KERNEL_NEWTON_FINISH], &device->node_count,
                        ARGUMENTS_AFTER_NODES);
    const uint32_t turn[] = {device->node_count, (uint32_t)device->base.model->mass_block_count};
    if (device->base.model->order.coupled_count > 0)
        vulkan_run_indirect(device, batch->commands, &device->kernels[KERNEL_NEWTON_TURN], turn,
                            ARGUMENTS_AFTER_NODES);
    batch->bytes = vulkan_read_control(device, batch->commands);
    batch->bytes += sections_read(device, batch->commands, DIRECTION_SECTIONS);
    batch->bytes += contact_read(device, batch->commands);
    batch->recorded = true;
    return VELA_OK;
}

// The smallest recording that holds `wanted` iterations, as far as they fit the time of a submission.
static int choose_batch(const VulkanDevice *device, double wanted)
{
    int b = 0;
    while (b + 1 < NEWTON_BATCHES && batch_iterations[b] < wanted &&
           batch_iterations[b + 1] * device->seconds_per_iteration < device->submission_seconds)
        ++b;
    return b;
}

static VelaResult submit_batch(VulkanDevice *device, double wanted, double *seconds)
{
    const int b = choose_batch(device, wanted);
    Batch *batch = &device->newton_batches[b];
    TRY(vulkan_flush(device));
    if (!batch->recorded)
        TRY(record_batch(device, batch, batch_iterations[b]));
    TRY(vulkan_submit(device, batch->commands, seconds));
    device->gpu->statistics.downloaded += batch->bytes;
    return VELA_OK;
}

static VelaResult solve(VulkanDevice *device, bool is_first)
{
    const char *readback = vulkan_buffer(device, BUFFER_READBACK)->mapped;
    const uint32_t *control = (const uint32_t *)(readback + READBACK_CONTROL);
    // As many as the last one of its kind, and a twentieth more. An iteration on empty takes 7 us on an NVIDIA H100, another wait of the host's
    // fifty to a hundred.
    double wanted = 2 + 1.05 * device->solve_iterations[is_first];
    uint32_t done = 0;
    for (;;) {
        double seconds;
        TRY(submit_batch(device, wanted, &seconds));
        const uint32_t iterations = control[CONTROL_CG_ITERATION] - done;
        if (iterations > 0)
            device->seconds_per_iteration = seconds / iterations;
        if (control[CONTROL_STOP] == NEWTON_SOLVED)
            return VELA_OK;
        FAIL_IF(device->base.context, iterations == 0, VELA_ERROR_DEVICE,
                "%s does no work on indirect dispatches; try another driver (%s)", device->gpu->info.name,
                device->gpu->info.driver);
        done += iterations;
        wanted = done / 4.0;
    }
}

static void collect(VulkanDevice *device, NewtonDirection *direction)
{
    const char *readback = vulkan_buffer(device, BUFFER_READBACK)->mapped;
    const uint32_t *control = (const uint32_t *)(readback + READBACK_CONTROL);
    const double first = real_load(device->f64, readback + READBACK_SCALARS, SCALAR_CG_FIRST);
    const double last = real_load(device->f64, readback + READBACK_SCALARS, SCALAR_CG_LAST);
    direction->gradient = sqrt(first);
    direction->linear_residual = first > 0 ? sqrt(last / first) : 0;
    direction->linear_iterations = (int32_t)control[CONTROL_CG_ITERATION];
    direction->indefinite = control[CONTROL_CG_INDEFINITE] != 0;
    direction->is_exact = control[CONTROL_CG_EXACT] != 0;
    direction->contact_pairs = contact_active_count(device);
    direction->slope = section_sum(device, DIRECTION_SLOPE);
    direction->largest = -section_smallest(device, DIRECTION_LARGEST);
    direction->pin_gap = -section_smallest(device, DIRECTION_PIN_GAP);
    if (device->base.model->order.coupled_count > 0)
        direction->turn = -section_smallest(device, DIRECTION_TURN);
    direction->bad_node = (int32_t)section_index(device, DIAGNOSE_BAD_NODE);
}

VelaResult vulkan_newton_direction(Device *base, const NewtonSettings *settings, NewtonDirection *direction)
{
    VulkanDevice *device = (VulkanDevice *)base;
    device->linear_reduction = settings->linear_tolerance;
    device->forcing = settings->forcing;
    device->short_direction = settings->short_direction;
    TRY(vulkan_write_planes(device, device->stage.time));
    TRY(loads_write(device, device->stage.time));
    TRY(vulkan_write_scalars(device));
    const bool is_first = settings->forcing.last == 0;
    for (bool again = true; again;) {
        TRY(contact_begin_stage(device));
        TRY(vulkan_newton_record_system(device, settings));
        TRY(vulkan_preconditioner_update(device));
        TRY(vulkan_preconditioner_begin(device));
        TRY(solve(device, is_first));
        TRY(contact_grow(device, &again));
    }
    contact_stage_begun(device);
    collect(device, direction);
    device->solve_iterations[is_first] = direction->linear_iterations;
    return VELA_OK;
}

// ---------------------------------------------------------------- steps along the direction
static VelaResult record_bound(VulkanDevice *device)
{
    for (uint32_t r = 0; r < device->range_count; ++r) {
        const ElementPush push =
            elements_push_range(device, r, vulkan_slot(device, SLOT_STAGE) << NEWTON_SLOT_SHIFT);
        TRY(vulkan_run_sum(device, vulkan_kind_kernel(device, KERNEL_NEWTON_BOUND, device->ranges[r].kind),
                           &push, push.never_inverting));
    }
    TRY(variational_bound(device));
    return contact_bound(device);
}

static VelaResult record_trials(VulkanDevice *device, uint32_t halvings)
{
    GpuCommands *commands;
    TRY(vulkan_open(device, &commands));
    sections_begin(device, commands, TRIAL_SUMS, halvings == 0, 0);
    if (halvings == 0)
        TRY(record_bound(device));
    const uint32_t nodes[] = {device->node_count, vulkan_node_planes(device), halvings};
    TRY(vulkan_run_sum(device, &device->kernels[KERNEL_NEWTON_TRIAL_NODES], nodes, device->node_count));
    TRY(elements_run(device, KERNEL_NEWTON_TRIAL_ELEMENTS,
                     halvings | vulkan_slot(device, SLOT_STAGE) << NEWTON_SLOT_SHIFT, true));
    TRY(damping_trials(device, halvings));
    TRY(variational_trials(device, halvings));
    TRY(air_trials(device, halvings));
    TRY(contact_trials(device, halvings));
    TRY(vulkan_open(device, &commands));
    device->gpu->statistics.downloaded += sections_read(device, commands, TRIAL_SECTIONS);
    device->gpu->statistics.downloaded += contact_read(device, commands);
    return VELA_OK;
}

VelaResult vulkan_newton_trials(Device *base, int32_t halvings, NewtonTrials *trials)
{
    VulkanDevice *device = (VulkanDevice *)base;
    const double rounding = NEWTON_ROUNDING * (device->f64 ? 0x1p-53 : 0x1p-24);
    for (bool again = true; again;) {
        TRY(record_trials(device, (uint32_t)halvings));
        TRY(vulkan_finish(device));
        TRY(contact_grow(device, &again));
    }
    trials->count = NEWTON_TRIALS;
    trials->longest = fmin(1, section_smallest(device, TRIAL_BOUND));
    trials->contact_work = section_sum(device, TRIAL_WORK);
    const uint32_t infinite = section_index(device, TRIAL_INFINITE);
    for (int i = 0; i < NEWTON_TRIALS; ++i) {
        trials->difference[i] =
            infinite >> i & 1 ? INFINITY : section_sum(device, (size_t)(TRIAL_DIFFERENCE + i));
        trials->slope[i] = section_sum(device, (size_t)(TRIAL_SLOPE + i));
        const double magnitude = section_sum(device, (size_t)(TRIAL_MAGNITUDE + i));
        if (isfinite(trials->difference[i]))
            trials->noise[i] = rounding * magnitude;
    }
    return VELA_OK;
}

VelaResult vulkan_newton_way(Device *base, double part, bool turned)
{
    VulkanDevice *device = (VulkanDevice *)base;
    struct {
        ExactNumber part;
        uint32_t node_count, turned;
    } push = {.node_count = device->node_count, .turned = turned};
    exact_store(device->f64, &push.part, 0, part);
    return vulkan_run(device, &device->kernels[KERNEL_NEWTON_WAY], &push, device->node_count);
}

VelaResult vulkan_newton_accept(Device *base, double step)
{
    VulkanDevice *device = (VulkanDevice *)base;
    struct {
        ExactNumber step;
        uint32_t node_count, whole;
    } push = {.node_count = device->node_count, .whole = step == 1};
    exact_store(device->f64, &push.step, 0, step);
    return vulkan_run(device, &device->kernels[KERNEL_NEWTON_ACCEPT], &push, device->node_count);
}
