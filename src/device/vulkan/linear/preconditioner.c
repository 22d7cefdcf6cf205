// What a linear solve divides by: P^-1 r as kernels that run one behind the other. The last of them is the
// second half of an iteration of the conjugate gradients at the same time, so that the residual is read once.
#include "device/vulkan/linear/preconditioner.h"

#include "device/vulkan/linear/coarse.h"
#include "device/vulkan/linear/contact_groups.h"
#include "device/vulkan/recording.h"

enum { PHASES_MOST = 3 };

typedef struct PreconditionerPhase {
    KernelName kernel;
    uint32_t arguments; ///< where BUFFER_CONTROL has its workgroups
    bool sums;          ///< each workgroup leaves a part of r.z
    bool once;          ///< before the first iteration only
} PreconditionerPhase;

struct PreconditionerRow {
    VelaResult (*create)(VulkanDevice *device); ///< NULL: nothing to be done
    VelaResult (*update)(VulkanDevice *device); ///< likewise
    uint32_t arguments;                         ///< of newton_apply, as a phase has them
    int phase_count;
    PreconditionerPhase phases[PHASES_MOST];
};

static VelaResult prepare_two_level(VulkanDevice *device)
{
    const CoarseCounts *coarse = &device->coarse;
    const LinearPush push = vulkan_linear_push(device);
    TRY(coarse_prepare(device));
    TRY(vulkan_run(device, &device->kernels[KERNEL_COARSE_CLUSTERS], &push,
                   coarse->solves_clusters ? coarse->cluster_count * CLUSTER_TEAM : 0));
    TRY(vulkan_run(device, &device->kernels[KERNEL_COARSE_STACKS], &push,
                   coarse->stack_count > 0 ? push.free_count : 0));
    return contact_groups_prepare(device);
}

static const PreconditionerRow rows[] = {
    [PRECONDITIONER_TWO_LEVEL] = {coarse_upload,
                                  prepare_two_level,
                                  ARGUMENTS_CHUNKS,
                                  3,
                                  {{KERNEL_COARSE_RESTRICT, ARGUMENTS_CHUNKS, false, true},
                                   {KERNEL_COARSE_FORWARD, ARGUMENTS_COARSE, true, false},
                                   {KERNEL_COARSE_UPDATE, ARGUMENTS_CHUNKS, true, false}}},
    [PRECONDITIONER_BLOCK_JACOBI] =
        {NULL, NULL, ARGUMENTS_CG, 1, {{KERNEL_CG_UPDATE, ARGUMENTS_CG, true, false}}},
};

static uint32_t workgroups(const VulkanDevice *device, uint32_t arguments)
{
    const CoarseCounts *coarse = &device->coarse;
    switch (arguments) {
    case ARGUMENTS_CHUNKS:
        return coarse->group_count * coarse->chunks_per_group;
    case ARGUMENTS_COARSE:
        return coarse->group_count + coarse->contact_workgroups;
    default:
        return device->groups_cg;
    }
}

VelaResult vulkan_preconditioner_create(VulkanDevice *device)
{
    device->two_level = coarse_is_used(device->base.model);
    device->preconditioner =
        &rows[device->two_level ? PRECONDITIONER_TWO_LEVEL : PRECONDITIONER_BLOCK_JACOBI];
    return device->preconditioner->create ? device->preconditioner->create(device) : VELA_OK;
}

VelaResult vulkan_preconditioner_update(VulkanDevice *device)
{
    return device->preconditioner->update ? device->preconditioner->update(device) : VELA_OK;
}

uint32_t vulkan_linear_arguments(const VulkanDevice *device)
{
    // Where nothing is free there are no groups, and newton_apply ends the solve.
    return workgroups(device, device->preconditioner->arguments) > 0 ? device->preconditioner->arguments
                                                                     : ARGUMENTS_CG;
}

LinearPush vulkan_linear_push(const VulkanDevice *device)
{
    LinearPush push = {.node_count = device->node_count,
                       .coupled_count = (uint32_t)device->base.model->order.coupled_count,
                       .entry_count = device->matrix.entry_count,
                       .curvature_count = workgroups(device, vulkan_linear_arguments(device)),
                       .free_count = (uint32_t)device->base.model->order.free_count,
                       .group_count = device->coarse.group_count,
                       .chunks_per_group = device->coarse.chunks_per_group,
                       .stripes_per_chunk = device->coarse.stripes_per_chunk,
                       .cluster_count = device->coarse.solves_clusters ? device->coarse.cluster_count : 0,
                       .changes = device->contact != NULL,
                       .contact_workgroups = device->coarse.contact_workgroups,
                       .stacks = (uint32_t)coarse_stacks_word(&device->coarse)};
    if (vulkan_solver(device) == SOLVER_ADMM) {
        push.changes = device->rigid_penalties != NULL;
        push.held = device->base.model->partial_pin_count > 0;
        push.apart = coarse_axes_are_apart(device->base.model);
    }
    const PreconditionerRow *row = device->preconditioner;
    for (int i = 0; i < row->phase_count; ++i)
        push.product_count += row->phases[i].sums ? workgroups(device, row->phases[i].arguments) : 0;
    return push;
}

VelaResult vulkan_preconditioner_begin(VulkanDevice *device)
{
    const PreconditionerRow *row = device->preconditioner;
    LinearPush push = vulkan_linear_push(device);
    push.begin = 1;
    push.parity = 1; // what comes next has parity 0
    for (int i = 0; i < row->phase_count; ++i)
        TRY(vulkan_run_groups(device, &device->kernels[row->phases[i].kernel], &push,
                              workgroups(device, row->phases[i].arguments)));
    return VELA_OK;
}

/// Where BUFFER_CONTROL has the workgroups of a phase before the first iteration; 0: what comes before the solve does its part.
static uint32_t start_arguments(uint32_t arguments)
{
    return arguments == ARGUMENTS_CHUNKS   ? ARGUMENTS_START_CHUNKS
           : arguments == ARGUMENTS_COARSE ? ARGUMENTS_START_COARSE
                                           : 0;
}

void vulkan_preconditioner_record_begin(VulkanDevice *device, GpuCommands *commands)
{
    const PreconditionerRow *row = device->preconditioner;
    LinearPush push = vulkan_linear_push(device);
    push.begin = 1;
    push.parity = 1;
    for (int i = 0; i < row->phase_count; ++i)
        if (start_arguments(row->phases[i].arguments) != 0)
            vulkan_run_indirect(device, commands, &device->kernels[row->phases[i].kernel], &push,
                                start_arguments(row->phases[i].arguments));
}

int vulkan_preconditioner_kernels(const VulkanDevice *device)
{
    const PreconditionerRow *row = device->preconditioner;
    int count = 0;
    for (int i = 0; i < row->phase_count; ++i)
        count += !row->phases[i].once;
    return count;
}

void vulkan_preconditioner_iterate(VulkanDevice *device, GpuCommands *commands, const LinearPush *push)
{
    const PreconditionerRow *row = device->preconditioner;
    for (int i = 0; i < row->phase_count; ++i)
        if (!row->phases[i].once)
            vulkan_run_indirect_data(device, commands, &device->kernels[row->phases[i].kernel], push,
                                     row->phases[i].arguments);
}
