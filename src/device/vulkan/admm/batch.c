// Many iterations of ADMM in one command buffer; see vulkan_device.h for how they run.
#include "device/vulkan/admm/batch.h"

#include "device/vulkan/admm/air_copies.h"
#include "device/vulkan/admm/damping_copies.h"
#include "device/vulkan/admm/rigid_copies.h"
#include "device/vulkan/linear/preconditioner.h"
#include "device/vulkan/recording.h"
#include "device/vulkan/terms/elements.h"

#include <math.h>

/// A submission stays well under a second: no more dispatches than this, and no more iterations than the time of the last
/// ones allows.
enum { DISPATCHES_MOST = 4096, ITERATIONS_MOST = 64, CG_MOST = 512, CG_LEAST = 8 };
/// Dispatches of an iteration besides those of the conjugate gradients and of elements.
enum { DISPATCHES_FIXED = 9 };

AdmmNodesPush admm_nodes_push(const VulkanDevice *device)
{
    const Model *model = device->base.model;
    const bool rubs = model->contact.has_friction;
    return (AdmmNodesPush){.node_count = device->node_count,
                           .surface_count = device->surface_count,
                           .plane_count = device->plane_count,
                           .split_count = device->split_count,
                           .base = rubs ? vulkan_slot(device, SLOT_BASE_POSITION) : 0,
                           .rubs = rubs,
                           .is_new = rubs && device->contact->rest_is_new,
                           .body_count = (uint32_t)model->body_count};
}

static void indirect(VulkanDevice *device, const GpuBinding *binding, const void *push, uint32_t arguments)
{
    vulkan_run_indirect(device, device->batch.commands, binding, push, arguments);
}

static void record_local(VulkanDevice *device)
{
    // The ranges' elements are disjoint, but the layer that checks synchronization sees whole buffers.
    for (uint32_t r = 0; r < device->range_count; ++r) {
        const ElementPush push = elements_push_range(device, r, 0);
        indirect(device, vulkan_range_kernel(device, KERNEL_ADMM_PROJECT, r), &push,
                 ARGUMENTS_LOCAL_RANGE + 3 * r);
    }
    copies_record_local(device, device->batch.commands);
    air_split_record_local(device, device->batch.commands);
    const AdmmNodesPush push = admm_nodes_push(device);
    indirect(device, &device->kernels[KERNEL_ADMM_RIGHT], &push, ARGUMENTS_LOCAL_NODES);
}

/// A kernel over every kind that occurs.
static void record_kinds(VulkanDevice *device, KernelName kernel, uint32_t arguments)
{
    for (int k = 0; k < ELEMENT_KIND_COUNT; ++k) {
        const ElementPush push = elements_push_kind(device, k, 0);
        if (push.count > 0)
            indirect(device, vulkan_kind_kernel(device, kernel, k), &push, arguments + 3 * (uint32_t)k);
    }
}

/// Push constants of admm_control.
typedef struct ControlPush {
    uint32_t local_count, split_count, copy_count, copy_sums, air_count, air_sums;
    float air_length;
} ControlPush;

static ControlPush control_push(const VulkanDevice *device)
{
    const DampingCopies *copies = device->copies;
    const AirCopies *air = device->air_copies;
    return (ControlPush){.local_count = device->local_count,
                         .split_count = device->split_count,
                         .copy_count = copies ? copies->numbers : 0,
                         .copy_sums = copies ? copies->sums : 0,
                         .air_count = air ? air->numbers : 0,
                         .air_sums = air ? air->sums : 0,
                         .air_length = air ? (float)air->length : 0};
}

static void record_iteration(VulkanDevice *device, uint32_t cg_iterations)
{
    LinearPush push = vulkan_linear_push(device);
    record_local(device);
    vulkan_preconditioner_record_begin(device, device->batch.commands);
    if (device->depth_most > 0)
        indirect(device, &device->kernels[KERNEL_ADMM_GUESS], &push, ARGUMENTS_CG);
    for (uint32_t i = 0; i < cg_iterations; ++i) {
        push.parity = i % 2;
        rigid_copies_record_product(device, device->batch.commands);
        indirect(device, &device->kernels[KERNEL_CG_APPLY], &push, vulkan_linear_arguments(device));
        vulkan_preconditioner_iterate(device, device->batch.commands, &push);
    }
    const AdmmNodesPush nodes = admm_nodes_push(device);
    const ControlPush counts = control_push(device);
    indirect(device, &device->kernels[KERNEL_ADMM_ADVANCE], &nodes, ARGUMENTS_AFTER_NODES);
    record_kinds(device, KERNEL_ADMM_RESIDUAL, ARGUMENTS_AFTER_KIND);
    copies_record_residual(device, device->batch.commands);
    air_split_record_residual(device, device->batch.commands);
    indirect(device, &device->kernels[KERNEL_ADMM_CONTROL], &counts, ARGUMENTS_AFTER_ONE);
    record_kinds(device, KERNEL_ADMM_DUAL_ELEMENTS, ARGUMENTS_DUAL_KIND);
    copies_record_dual(device, device->batch.commands);
    air_split_record_dual(device, device->batch.commands);
    indirect(device, &device->kernels[KERNEL_ADMM_DUAL_NODES], &nodes, ARGUMENTS_DUAL_NODES);
    indirect(device, &device->kernels[KERNEL_ADMM_DECIDE], NULL, ARGUMENTS_DUAL_ONE);
}

static uint32_t clamp(uint32_t value, uint32_t least, uint32_t most)
{
    return value < least ? least : value > most ? most : value;
}

static VelaResult record(VulkanDevice *device, uint32_t iterations, uint32_t cg_iterations)
{
    Batch *batch = &device->batch;
    batch->recorded = false;
    TRY(gpu_commands_begin(batch->commands));
    for (uint32_t i = 0; i < iterations; ++i)
        record_iteration(device, cg_iterations);
    batch->bytes = vulkan_read_control(device, batch->commands);
    batch->iterations = iterations;
    batch->cg_iterations = cg_iterations;
    batch->recorded = true;
    return VELA_OK;
}

/// How many iterations fit one submission, by count and by time.
static uint32_t iterations_most(const VulkanDevice *device, uint32_t cg_iterations)
{
    const uint32_t elements = (device->copies ? 2 : 1) * (device->range_count + 2 * ELEMENT_KIND_COUNT),
                   kernels = 1 + (uint32_t)vulkan_preconditioner_kernels(device),
                   room = DISPATCHES_MOST / (kernels * cg_iterations + DISPATCHES_FIXED + elements);
    const double fit = device->submission_seconds / fmax(device->seconds_per_iteration, 1e-6);
    const uint32_t most = room < ITERATIONS_MOST ? room : ITERATIONS_MOST;
    return fit < most ? clamp((uint32_t)fit, 1, most) : most;
}

VelaResult batch_submit(VulkanDevice *device, double *seconds)
{
    Batch *batch = &device->batch;
    // An even number: the parity of a solve that goes on in the next submission must fit.
    const uint32_t cg = clamp(device->wanted_cg_iterations, CG_LEAST, CG_MOST) / 2 * 2;
    const uint32_t iterations = clamp(device->wanted_iterations, 1, iterations_most(device, cg));
    const bool fits = batch->recorded && batch->iterations >= iterations &&
                      batch->iterations <= 2 * iterations + 2 && batch->cg_iterations >= cg &&
                      batch->cg_iterations <= 2 * cg;
    TRY(vulkan_flush(device));
    if (!fits)
        TRY(record(device, iterations, cg));
    device->gpu->statistics.downloaded += batch->bytes;
    return vulkan_submit(device, batch->commands, seconds);
}
