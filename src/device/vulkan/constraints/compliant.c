// One linear system of stage and constraints (theory.md section 10) by MINRES, as device/cpu/constraints solves it, without the host but for one wait
// a submission:
//
//     Newton's matrix and right-hand side (newton/newton.c), in which constraint_evaluate (constraints: values, slopes, stiffness) and
//     constraint_stiffen (nodes: what the matrix gets of it)
//     constraint_factor (constraints: the preconditioner's blocks)
//     blocks of
//         constraint_sides (one workgroup: inequalities that change)   runs once MINRES has ended
//         minres_rest (what the solution so far leaves, in exact numbers)   minres_update, as a beginning
//         minres_apply, minres_update, alternating: an iteration is two dispatches
//     constraint_sides   constraint_finish (direction, multipliers)   newton_finish (size)
//
// A block's dispatches take their size from the control buffer, and kernels switch them on and off. MINRES follows a residual to its target,
// in single precision by a factor of 1e-4 at most; then the next block begins with the true one, which is the sum of all solutions' and exact, so that
// single precision loses digits of the corrections alone. It ends as on the CPU, where that residual is small enough or has not halved.
#include "device/vulkan/constraints/compliant.h"

#include "device/vulkan/constraints/constraint_term.h"
#include "device/vulkan/contact/contact.h"
#include "device/vulkan/diagnosis/sections.h"
#include "device/vulkan/exact.h"
#include "device/vulkan/newton/newton.h"
#include "device/vulkan/recording.h"
#include "device/vulkan/terms/loads.h"

#include <math.h>

/// Blocks of MINRES_BLOCK iterations in a recording, before one of LAST_ITERATIONS.
static const uint32_t batch_blocks[SADDLE_BATCHES] = {1, 2, 3, 4, 6, 8, 12, 16, 24};

/// Those of a recording's last block, in which most often nothing but its beginning runs. Both are even: parities fit.
enum { LAST_ITERATIONS = 2 };

/// Dispatches of a block beside its iterations, and of a recording behind its blocks.
enum { BLOCK_STARTS = 3, BATCH_ENDS = 6 };

/// Relative residuals in units of the device's rounding: below the first is not asked for, up to the second rounding may keep it.
static const double ROUNDING = 2, ROUNDING_MOST = 16;

// ---------------------------------------------------------------- recordings

static void run(VulkanDevice *device, GpuCommands *commands, KernelName kernel, const SaddlePush *push,
                uint32_t arguments)
{
    vulkan_run_indirect(device, commands, &device->kernels[kernel], push, arguments);
}

static void record_sides(VulkanDevice *device, GpuCommands *commands, const SaddlePush *push)
{
    if (push->side_count > 0)
        run(device, commands, KERNEL_CONSTRAINT_SIDES, push, ARGUMENTS_SADDLE_SIDES);
}

static void record_block(VulkanDevice *device, GpuCommands *commands, SaddlePush push, uint32_t iterations)
{
    record_sides(device, commands, &push);
    push.begin = 1;
    run(device, commands, KERNEL_MINRES_REST, &push, ARGUMENTS_SADDLE_START);
    run(device, commands, KERNEL_MINRES_UPDATE, &push, ARGUMENTS_SADDLE_START);
    push.begin = 0;
    for (uint32_t i = 0; i < iterations; ++i) {
        push.parity = i % 2;
        run(device, commands, KERNEL_MINRES_APPLY, &push, ARGUMENTS_SADDLE);
        run(device, commands, KERNEL_MINRES_UPDATE, &push, ARGUMENTS_SADDLE);
    }
}

static SaddlePush push_of(const VulkanDevice *device)
{
    SaddlePush push = device->constraints->push;
    push.changes = device->contact != NULL;
    return push;
}

static VelaResult record_batch(VulkanDevice *device, Batch *batch, uint32_t blocks)
{
    const SaddlePush push = push_of(device);
    TRY(gpu_commands_create(device->gpu,
                            (int32_t)(blocks * (BLOCK_STARTS + 2 * MINRES_BLOCK) + BLOCK_STARTS +
                                      2 * LAST_ITERATIONS + BATCH_ENDS),
                            &batch->commands));
    TRY(gpu_commands_begin(batch->commands));
    for (uint32_t b = 0; b < blocks; ++b)
        record_block(device, batch->commands, push, MINRES_BLOCK);
    record_block(device, batch->commands, push, LAST_ITERATIONS);
    record_sides(device, batch->commands, &push);
    run(device, batch->commands, KERNEL_CONSTRAINT_FINISH, &push, ARGUMENTS_SADDLE_FINISH);
    vulkan_run_indirect(device, batch->commands, &device->kernels[KERNEL_NEWTON_FINISH], &device->node_count,
                        ARGUMENTS_AFTER_NODES);
    batch->bytes = vulkan_read_control(device, batch->commands);
    batch->bytes += sections_read(device, batch->commands, DIRECTION_SECTIONS);
    batch->bytes += contact_read(device, batch->commands);
    batch->recorded = true;
    return VELA_OK;
}

// The smallest recording that holds the iterations wanted, as far as they fit the time of a submission.
static int choose_batch(const VulkanDevice *device, double wanted)
{
    int b = 0;
    while (b + 1 < SADDLE_BATCHES && batch_blocks[b] * MINRES_BLOCK < wanted &&
           batch_blocks[b + 1] * MINRES_BLOCK * device->seconds_per_iteration < device->submission_seconds)
        ++b;
    return b;
}

static VelaResult submit_batch(VulkanDevice *device, double wanted, double *seconds)
{
    const int b = choose_batch(device, wanted);
    Batch *batch = &device->constraints->batches[b];
    TRY(vulkan_flush(device));
    if (!batch->recorded)
        TRY(record_batch(device, batch, batch_blocks[b]));
    TRY(vulkan_submit(device, batch->commands, seconds));
    device->gpu->statistics.downloaded += batch->bytes;
    return VELA_OK;
}

// ---------------------------------------------------------------- a system

static const uint32_t *read_control(const VulkanDevice *device)
{
    return (const uint32_t *)((const char *)vulkan_buffer(device, BUFFER_READBACK)->mapped +
                              READBACK_CONTROL);
}

static VelaResult solve(VulkanDevice *device)
{
    const uint32_t *control = read_control(device);
    double wanted = device->constraints->wanted_iterations;
    uint32_t done = 0, rounds = 0;
    for (;;) {
        double seconds;
        TRY(submit_batch(device, wanted, &seconds));
        const uint32_t iterations = control[CONTROL_CG_ITERATION] - done;
        if (iterations > 0)
            device->seconds_per_iteration = seconds / iterations;
        if (control[CONTROL_STOP] == NEWTON_SOLVED)
            break;
        FAIL_IF(device->base.context, iterations == 0 && control[CONTROL_SADDLE_ROUNDS] == rounds,
                VELA_ERROR_DEVICE, "%s does no work on indirect dispatches; try another driver (%s)",
                device->gpu->info.name, device->gpu->info.driver);
        done += iterations;
        rounds = control[CONTROL_SADDLE_ROUNDS];
        wanted = batch_blocks[SADDLE_BATCHES - 1] * MINRES_BLOCK;
    }
    // A quarter more than this one took, and what restarts leave unused.
    device->constraints->wanted_iterations = 1.25 * control[CONTROL_CG_ITERATION] + MINRES_BLOCK;
    return VELA_OK;
}

static VelaResult record_system(VulkanDevice *device, const CompliantSettings *settings)
{
    const NewtonSettings newton = {.linear_max_iterations = settings->max_iterations, .project = true};
    const SaddlePush push = push_of(device);
    TRY(vulkan_newton_record_system(device, &newton));
    return vulkan_run(device, &device->kernels[KERNEL_CONSTRAINT_FACTOR], &push, push.constraint_count);
}

static double roundoff(const VulkanDevice *device)
{
    return device->f64 ? 0x1p-53 : 0x1p-24;
}

static VelaResult collect(VulkanDevice *device, const CompliantSettings *settings, CompliantReport *report)
{
    const uint32_t *control = read_control(device);
    const char *readback = vulkan_buffer(device, BUFFER_READBACK)->mapped;
    const double first = real_load(device->f64, readback + READBACK_SCALARS, SCALAR_CG_FIRST),
                 last = real_load(device->f64, readback + READBACK_SCALARS, SCALAR_CG_LAST);
    FAIL_IF(device->base.context, control[CONTROL_SADDLE_BAD] != 0, VELA_ERROR_NOT_CONVERGED,
            "the linear system of the constraints is singular or not finite; a smaller time.step, or "
            "solver.geometric_stiffness true, may help");
    *report = (CompliantReport){.largest = -section_smallest(device, DIRECTION_LARGEST),
                                .linear_iterations = (int32_t)control[CONTROL_CG_ITERATION],
                                .linear_residual = first > 0 ? last / first : 0,
                                .rounds = (int32_t)control[CONTROL_SADDLE_ROUNDS],
                                .dependent = (int32_t)control[CONTROL_SADDLE_DEPENDENT],
                                .dependent_constraint = -1,
                                .bad_node = (int32_t)section_index(device, DIAGNOSE_BAD_NODE)};
    report->met = report->linear_residual <= fmax(settings->tolerance, ROUNDING_MOST * roundoff(device));
    return VELA_OK;
}

VelaResult vulkan_compliant_direction(Device *base, const CompliantSettings *settings,
                                      CompliantReport *report)
{
    VulkanDevice *device = (VulkanDevice *)base;
    device->linear_reduction = fmax(settings->tolerance, ROUNDING * roundoff(device));
    device->forcing = (LinearForcing){0};
    device->short_direction = 0;
    TRY(vulkan_write_planes(device, device->stage.time));
    TRY(loads_write(device, device->stage.time));
    TRY(vulkan_write_scalars(device));
    for (bool again = true; again;) {
        TRY(contact_begin_stage(device));
        TRY(record_system(device, settings));
        TRY(solve(device));
        TRY(contact_grow(device, &again));
    }
    contact_stage_begun(device);
    TRY(collect(device, settings, report));
    return constraints_keep(device);
}
