// One force a stage, by central differences, the same for all models and kinds:
//
//     damping_shape, power_law_shape (elements: t dR/dx on corners)   corner_sums (nodes)
//
// and of an iteration shape_linearize and shape_trials.
#include "device/vulkan/terms/shape_force.h"

#include "abi/damping.h"
#include "device/vulkan/exact.h"
#include "device/vulkan/recording.h"
#include "device/vulkan/terms/damping_lists.h"
#include "device/vulkan/terms/elements.h"
#include "device/vulkan/terms/power_law.h"
#include "device/vulkan/terms/rigid_motion.h"

/// Sides with an entry whose form is not lagged, bits. Explicit integrators take no notice of forms.
static uint32_t sides_of(const Model *model)
{
    uint32_t sides = 0;
    for (int32_t m = 0; m < model->material_count && !scene_is_explicit(model->scene); ++m) {
        const DampingList *list = model->materials[m].damping;
        for (const Damping *entry = damping_first(list); entry != damping_end(list); ++entry)
            sides |= entry->form != FORM_LAGGED ? 1u << damping_side(entry) : 0;
    }
    return sides;
}

void shape_force_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT])
{
    defs[BUFFER_SHAPE_FORCE] = (GpuBufferDef){
        "forces of damping's shape",
        sides_of(model) != 0 ? 3 * real_size(f64) * (uint64_t)model->node_count : 0, GPU_MEMORY_DEVICE, 0};
}

void shape_force_find(VulkanDevice *device)
{
    device->shape_sides = sides_of(device->base.model);
}

/// Push constants of damping_shape.
typedef struct ShapePush {
    ElementPush elements;
    uint32_t padding; ///< exact numbers of double precision begin at eight bytes
    ExactNumber inverse, duration;
} ShapePush;

_Static_assert(sizeof(ShapePush) == 4 * SHAPE_WORDS, "kernels.c has its size");

static VelaResult record_side(VulkanDevice *device, DampingSide side)
{
    const NodeMotion motion = stage_motion(device),
                     before = {DAMPING_NO_SLOT, vulkan_slot(device, SLOT_VELOCITY), 1};
    NodeMotion seen = motion, earlier = before;
    if (side == DAMPED_LESS_RIGID) {
        const uint32_t stage = vulkan_slot(device, SLOT_STAGE);
        TRY(rigid_motion_ways(device, stage, &motion, OWN_SLOT_WAY, &seen));
        TRY(rigid_motion_ways(device, stage, &before, OWN_SLOT_EARLIER_WAY, &earlier));
    }
    const uint32_t argument = seen.to | seen.from << DAMPING_FROM_SHIFT |
                              earlier.to << DAMPING_SECTION_SHIFT | (uint32_t)side << DAMPING_SIDE_SHIFT;
    for (uint32_t r = 0; r < device->range_count && device->damped_sides >> side & 1; ++r) {
        ShapePush push = {.elements = elements_push_range(device, r, argument)};
        if (!(device->damped_kinds >> device->ranges[r].kind & 1))
            continue;
        exact_store(device->f64, &push.inverse, 0, 1 / seen.time);
        exact_store(device->f64, &push.duration, 0, seen.time);
        TRY(vulkan_run(device, vulkan_range_kernel(device, KERNEL_DAMPING_SHAPE, r), &push,
                       push.elements.count));
    }
    return power_law_shape(device, side, argument, seen.time);
}

/// What the corners have then, of the shape and the motion at SLOT_STAGE.
static VelaResult record_corners(VulkanDevice *device)
{
    TRY(vulkan_clear(device, BUFFER_CORNER_FORCES));
    for (int side = 0; side < DAMPING_SIDES; ++side)
        if (device->shape_sides >> side & 1)
            TRY(record_side(device, (DampingSide)side));
    return VELA_OK;
}

VelaResult shape_force_stage_set(VulkanDevice *device)
{
    const uint32_t push[] = {device->node_count, false, true};
    if (device->shape_sides == 0)
        return VELA_OK;
    TRY(record_corners(device));
    return vulkan_run(device, &device->kernels[KERNEL_SHAPE_SUMS], push, device->node_count);
}

VelaResult shape_force_linearize(VulkanDevice *device)
{
    return device->shape_sides != 0 ? vulkan_run(device, &device->kernels[KERNEL_SHAPE_LINEARIZE],
                                                 &device->node_count, device->node_count)
                                    : VELA_OK;
}

VelaResult shape_force_trials(VulkanDevice *device, uint32_t halvings)
{
    const uint32_t push[] = {device->node_count, halvings};
    return device->shape_sides != 0
               ? vulkan_run_sum(device, &device->kernels[KERNEL_SHAPE_TRIALS], push, device->node_count)
               : VELA_OK;
}

VelaResult shape_force_add(VulkanDevice *device, bool adds)
{
    const uint32_t push[] = {device->node_count, adds, false};
    if (device->shape_sides == 0)
        return VELA_OK;
    TRY(record_corners(device));
    return vulkan_run(device, &device->kernels[KERNEL_CORNER_SUMS], push, device->node_count);
}
