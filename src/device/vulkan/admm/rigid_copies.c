// What sees velocities less those of rigid motions adds P^T Q P to ADMM's matrix, Q in its pattern. The CPU path solves with A + Q and corrects the
// outcome; solves are rough here, so the conjugate gradients have the product itself, five dispatches more an iteration:
//
//     rigid_sums, rigid_remove (chunks: P p)   admm_rigid_product (rows: Q P p)   rigid_sums, rigid_remove (chunks: P^T)
//
// and an iteration of ADMM
//
//     LOCAL  admm_rigid_drag where masses are held back, rigid_sums, rigid_remove, admm_node_forces
//     AFTER  rigid_sums, rigid_remove
//     DUAL   rigid_sums, rigid_remove, admm_node_forces
#include "device/vulkan/admm/rigid_copies.h"

#include "abi/damping.h"
#include "device/vulkan/exact.h"
#include "device/vulkan/linear/matrix.h"
#include "device/vulkan/recording.h"
#include "device/vulkan/terms/elements.h"
#include "device/vulkan/terms/rigid_motion.h"
#include "model/damping_copies.h"
#include "model/mass_drag.h"

_Static_assert(OWN_START_WAY == OWN_SLOT_REST && OWN_WAY == OWN_SLOT_WAY &&
                   OWN_BASE_WAY == OWN_SLOT_EARLIER_WAY,
               "abi/damping.h numbers as OwnSlot does");

static bool is_asked_for(const Model *model)
{
    DampingCopy copies[MODEL_DAMPING_COPIES_MOST];
    const int32_t count = model_damping_copies(model, copies);
    bool any = false;
    for (int32_t c = 0; c < count; ++c)
        any |= copies[c].side == DAMPED_LESS_RIGID;
    return any;
}

void rigid_copies_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT])
{
    const uint64_t real = is_asked_for(model) ? real_size(f64) : 0;
    ElementPlaces places[ELEMENT_KIND_COUNT];
    defs[BUFFER_RIGID_CORNERS] =
        (GpuBufferDef){"corner forces less rigid motions", 3 * real * elements_place(model, places).corners,
                       GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_RIGID_VALUES] = (GpuBufferDef){"matrix values less rigid motions",
                                               real * matrix_entry_count(model), GPU_MEMORY_DEVICE, 0};
}

VelaResult rigid_copies_create(VulkanDevice *device)
{
    double *drag;
    if (!is_asked_for(device->base.model))
        return VELA_OK;
    TRY(ARENA_ARRAY(&device->arena, device->rigid_penalties, device->element_count));
    TRY(ARENA_ARRAY(&device->arena, drag, device->node_count));
    TRY(model_mass_drag(device->base.model, DAMPED_LESS_RIGID, &device->arena, drag));
    for (size_t i = 0; i < device->node_count; ++i)
        if (drag[i] > 0)
            device->rigid_drag = drag;
    return VELA_OK;
}

VelaResult rigid_copies_stage_set(VulkanDevice *device)
{
    const double one = 1;
    return device->rigid_penalties ? vulkan_combine(device, vulkan_own_slot(device, OWN_SLOT_SHAPE), 1, &one,
                                                    (uint32_t[]){vulkan_slot(device, SLOT_STAGE)})
                                   : VELA_OK;
}

VelaResult rigid_copies_begin(VulkanDevice *device)
{
    const uint32_t base = vulkan_slot(device, SLOT_BASE_POSITION),
                   shape = vulkan_own_slot(device, OWN_SLOT_SHAPE);
    const NodeMotion to_base = {DAMPING_NO_SLOT, base, 1},
                     to_start = {base, vulkan_slot(device, SLOT_POSITION), 1},
                     to_stage = stage_motion(device);
    NodeMotion seen;
    if (!device->rigid_penalties)
        return VELA_OK;
    // Elements without such copies leave these corners as they are.
    TRY(vulkan_clear(device, BUFFER_RIGID_CORNERS));
    TRY(rigid_motion_ways(device, shape, &to_base, OWN_SLOT_EARLIER_WAY, &seen));
    TRY(rigid_motion_ways(device, shape, &to_start, OWN_SLOT_REST, &seen));
    return rigid_motion_ways(device, shape, &to_stage, OWN_SLOT_WAY, &seen);
}

/// P^T of forces joins those on corners.
static void record_forces(VulkanDevice *device, GpuCommands *commands, uint32_t gathers, uint32_t chunks,
                          uint32_t nodes)
{
    rigid_motion_record_forces(device, commands, gathers, chunks);
    vulkan_run_indirect(device, commands, &device->kernels[KERNEL_ADMM_RIGID_FORCE],
                        &(const NodeForcesPush){device->node_count, 1}, nodes);
}

void rigid_copies_record_local(VulkanDevice *device, GpuCommands *commands)
{
    if (!device->rigid_penalties)
        return;
    const uint32_t push[] = {device->node_count, vulkan_own_slot(device, OWN_SLOT_WAY)};
    if (device->rigid_drag)
        vulkan_run_indirect(device, commands, &device->kernels[KERNEL_ADMM_RIGID_DRAG], push,
                            ARGUMENTS_LOCAL_NODES);
    record_forces(device, commands, device->rigid_drag ? RIGID_NODES_AND_CORNERS : RIGID_CORNERS_ALONE,
                  ARGUMENTS_LOCAL_RIGID, ARGUMENTS_LOCAL_NODES);
}

void rigid_copies_record_after(VulkanDevice *device, GpuCommands *commands)
{
    const NodeMotion motion = stage_motion(device);
    if (device->rigid_penalties)
        rigid_motion_record_ways(device, commands, &motion, OWN_SLOT_WAY, ARGUMENTS_AFTER_RIGID);
}

void rigid_copies_record_dual(VulkanDevice *device, GpuCommands *commands)
{
    if (device->rigid_penalties)
        record_forces(device, commands, RIGID_CORNERS_ALONE, ARGUMENTS_DUAL_RIGID, ARGUMENTS_DUAL_NODES);
}

void rigid_copies_record_product(VulkanDevice *device, GpuCommands *commands)
{
    if (!device->rigid_penalties)
        return;
    rigid_motion_record_direction(device, commands, ARGUMENTS_CG_RIGID);
    vulkan_run_indirect(device, commands, &device->kernels[KERNEL_ADMM_RIGID_PRODUCT], &device->node_count,
                        ARGUMENTS_CG);
    rigid_motion_record_forces(device, commands, RIGID_NODES_ALONE, ARGUMENTS_CG_RIGID);
}
