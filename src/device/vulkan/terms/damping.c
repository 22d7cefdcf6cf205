// Damping works with a matrix C of its own, in the pattern of Newton's, made once a stage as that one is made in every iteration:
//
//     damping_elements (elements: numbers and axes, where Newton's data are)   damping_blocks (C)
//
// An iteration reads it twice, with a direction and with its trials, and no element again:
//
//     damping_linearize (rows: C/t to the matrix, C v to the gradient)   damping_trials (rows: d.C v, d.C d)
//
// The matrix has fewer numbers a node than the elements around it (of solids 9 in 15 blocks for 33 in some 5.5 tetrahedra, each
// read once a pair of corners), and neighbours read neighbours. Forces elsewhere than where C stands come from the elements:
//
//     damping_elements   damping_forces (elements: C v on corners, powers)   damping_nodes (nodes: sums)
//
// The power law has no such matrix: terms/power_law.c. What sees velocities less those of rigid motions, P v, has a matrix, forces and kernels
// of its own; its gradient is P^T C P v, and Newton's matrix has C/t (terms/rigid_motion.c).
#include "device/vulkan/terms/damping.h"

#include "abi/damping.h"
#include "device/vulkan/diagnosis/sections.h"
#include "device/vulkan/exact.h"
#include "device/vulkan/recording.h"
#include "device/vulkan/terms/air.h"
#include "device/vulkan/terms/damping_lists.h"
#include "device/vulkan/terms/elements.h"
#include "device/vulkan/terms/power_law.h"
#include "device/vulkan/terms/rigid_motion.h"
#include "device/vulkan/terms/shape_force.h"
#include "device/vulkan/terms/variational_damping.h"

_Static_assert(ABI_DAMPING_STRAIN_RATE == DAMPING_STRAIN_RATE && ABI_DAMPING_RAYLEIGH == DAMPING_RAYLEIGH &&
                   ABI_DAMPING_PRINCIPAL_STRAIN == DAMPING_PRINCIPAL_STRAIN &&
                   ABI_DAMPING_POWER_LAW == DAMPING_POWER_LAW && ABI_DAMPING_SPLINE == DAMPING_SPLINE &&
                   ABI_DAMPING_VARIATIONAL == DAMPING_VARIATIONAL && ABI_DAMPING_TYPES == DAMPING_TYPES &&
                   ABI_CORRECTION_NONE == CORRECTION_NONE &&
                   ABI_CORRECTION_VELOCITY_GRADIENT == CORRECTION_VELOCITY_GRADIENT &&
                   ABI_CORRECTION_RIGID_VELOCITY == CORRECTION_RIGID_VELOCITY &&
                   ABI_FORM_LAGGED == FORM_LAGGED && ABI_FORM_SECOND_ORDER == FORM_SECOND_ORDER &&
                   ABI_DAMPED_AS_IS == DAMPED_AS_IS && ABI_DAMPED_LESS_RIGID == DAMPED_LESS_RIGID,
               "abi/damping.h numbers as physics/dissipation/damping.h does");

/// Sections of what it takes: of each type by its elements, by its masses, of the free nodes' motion; the same two of
/// what variational damping takes; the air's.
enum {
    LOSS_BY_MASS = DAMPING_TYPES,
    LOSS_FREE,
    LOSS_OF_STEP,
    LOSS_OF_STEP_FREE,
    LOSS_OF_AIR,
    LOSS_SECTIONS = LOSS_OF_AIR + AIR_SECTIONS
};
_Static_assert((int)LOSS_SECTIONS <= DIAGNOSE_SECTIONS, "sections for every type");

// ---------------------------------------------------------------- sides

/// Kernels that work on what a side has of its own.
static const struct {
    KernelName blocks, linearize, trials, nodes;
} side_kernels[DAMPING_SIDES] = {
    {KERNEL_DAMPING_BLOCKS, KERNEL_DAMPING_LINEARIZE, KERNEL_DAMPING_TRIALS, KERNEL_DAMPING_NODES},
    {KERNEL_RIGID_BLOCKS, KERNEL_RIGID_LINEARIZE, KERNEL_RIGID_TRIALS, KERNEL_RIGID_NODES},
};

static bool is_used(const VulkanDevice *device, DampingSide side)
{
    return (device->damped_sides | device->law_sides) >> side & 1;
}

static bool has_matrix(const VulkanDevice *device, DampingSide side)
{
    return device->damped_sides >> side & 1;
}

/// What a side sees of a motion about places: records P of it where it has to.
static VelaResult side_motion(VulkanDevice *device, DampingSide side, uint32_t position,
                              const NodeMotion *motion, NodeMotion *seen)
{
    *seen = *motion;
    return side == DAMPED_LESS_RIGID ? rigid_motion_ways(device, position, motion, OWN_SLOT_WAY, seen)
                                     : VELA_OK;
}

// ---------------------------------------------------------------- a stage

static VelaResult record_elements(VulkanDevice *device, DampingSide side, Slot position, uint32_t types)
{
    return elements_run_kinds(device, KERNEL_DAMPING_ELEMENTS,
                              vulkan_slot(device, position) | types << DAMPING_TYPES_SHIFT |
                                  (uint32_t)side << DAMPING_SIDE_SHIFT,
                              false, device->damped_kinds);
}

static VelaResult record_matrix(VulkanDevice *device, DampingSide side)
{
    const uint32_t entries = device->matrix.entry_count;
    bool adds = false;
    TRY(record_elements(device, side, SLOT_STAGE, DAMPING_LINEAR_TYPES));
    for (int k = 0; k < ELEMENT_KIND_COUNT; ++k) {
        const ElementPlaces *places = &device->places[k];
        const uint32_t push[] = {entries, places->first_start, places->first_data, adds};
        if (!(device->damped_kinds >> k & 1))
            continue;
        TRY(vulkan_run(device, vulkan_kind_kernel(device, side_kernels[side].blocks, k), push, entries));
        adds = true;
    }
    return VELA_OK;
}

VelaResult damping_stage_set(VulkanDevice *device)
{
    TRY(power_law_stage_set(device));
    for (int side = 0; side < DAMPING_SIDES; ++side)
        if (has_matrix(device, (DampingSide)side))
            TRY(record_matrix(device, (DampingSide)side));
    TRY(shape_force_stage_set(device));
    TRY(variational_stage_set(device));
    if (!is_used(device, DAMPED_LESS_RIGID))
        return VELA_OK;
    const double one = 1;
    return vulkan_combine(device, vulkan_own_slot(device, OWN_SLOT_SHAPE), 1, &one,
                          (uint32_t[]){vulkan_slot(device, SLOT_STAGE)});
}

VelaResult damping_elements(VulkanDevice *device)
{
    const NodeMotion motion = stage_motion(device);
    return power_law_linearize(device, DAMPED_AS_IS, &motion);
}

/// C/t to Newton's matrix, C v to a gradient.
static VelaResult linearize(VulkanDevice *device, DampingSide side, const NodeMotion *motion)
{
    struct {
        ExactNumber inverse;
        uint32_t node_count, entry_count, to, from;
    } push = {.node_count = device->node_count,
              .entry_count = device->matrix.entry_count,
              .to = motion->to,
              .from = motion->from};
    if (!has_matrix(device, side))
        return VELA_OK;
    exact_store(device->f64, &push.inverse, 0, 1 / motion->time);
    return vulkan_run(device, &device->kernels[side_kernels[side].linearize], &push, device->node_count);
}

/// The same of what sees no rigid motion; the nodes have taken what was on corners.
static VelaResult linearize_less_rigid(VulkanDevice *device, const NodeMotion *motion)
{
    const uint32_t shape = vulkan_own_slot(device, OWN_SLOT_SHAPE);
    const bool has_laws = device->law_sides >> DAMPED_LESS_RIGID & 1;
    NodeMotion seen;
    if (!is_used(device, DAMPED_LESS_RIGID))
        return VELA_OK;
    TRY(side_motion(device, DAMPED_LESS_RIGID, shape, motion, &seen));
    if (has_laws) {
        TRY(vulkan_clear(device, BUFFER_CORNER_FORCES));
        TRY(power_law_linearize(device, DAMPED_LESS_RIGID, &seen));
    }
    TRY(vulkan_clear(device, BUFFER_RIGID_FORCE));
    TRY(linearize(device, DAMPED_LESS_RIGID, &seen));
    return rigid_motion_forces(device, shape, has_laws, true);
}

VelaResult damping_linearize(VulkanDevice *device)
{
    const NodeMotion motion = stage_motion(device);
    TRY(linearize(device, DAMPED_AS_IS, &motion));
    TRY(linearize_less_rigid(device, &motion));
    TRY(shape_force_linearize(device));
    return power_law_matrix(device);
}

static VelaResult try_side(VulkanDevice *device, DampingSide side, const NodeMotion *motion,
                           uint32_t halvings)
{
    struct {
        ExactNumber inverse;
        uint32_t node_count, entry_count, halvings;
    } push = {
        .node_count = device->node_count, .entry_count = device->matrix.entry_count, .halvings = halvings};
    exact_store(device->f64, &push.inverse, 0, 1 / motion->time);
    if (has_matrix(device, side))
        TRY(vulkan_run_sum(device, &device->kernels[side_kernels[side].trials], &push, device->node_count));
    return power_law_trials(device, side, motion, halvings);
}

VelaResult damping_trials(VulkanDevice *device, uint32_t halvings)
{
    const NodeMotion motion = stage_motion(device),
                     seen = {DAMPING_NO_SLOT, vulkan_own_slot(device, OWN_SLOT_WAY), motion.time};
    TRY(try_side(device, DAMPED_AS_IS, &motion, halvings));
    TRY(shape_force_trials(device, halvings));
    if (!is_used(device, DAMPED_LESS_RIGID))
        return VELA_OK;
    TRY(rigid_motion_increment(device, vulkan_own_slot(device, OWN_SLOT_SHAPE)));
    // The direction has left the iterate's way where it looked at it.
    return try_side(device, DAMPED_LESS_RIGID, &seen, halvings);
}

// ---------------------------------------------------------------- at any places and velocities

/// Push constants of damping_nodes.
typedef struct NodesPush {
    ExactNumber factor;
    uint32_t node_count, to, from, holds_masses, section, adds, counts_all;
} NodesPush;

/// Records C v of some types of a side, bits, to its gradient or added to it, and adds to the sections; powers by elements to one of them.
static VelaResult record_forces(VulkanDevice *device, DampingSide side, Slot position,
                                const NodeMotion *motion, uint32_t types, uint32_t section, bool adds)
{
    NodesPush push = {.node_count = device->node_count,
                      .to = motion->to,
                      .from = motion->from,
                      .holds_masses = types >> DAMPING_RAYLEIGH & 1,
                      .section = LOSS_BY_MASS,
                      .adds = adds};
    const uint32_t argument =
        motion->to | motion->from << DAMPING_FROM_SHIFT | section << DAMPING_SECTION_SHIFT;
    const bool linear = has_matrix(device, side) && types & DAMPING_LINEAR_TYPES;
    TRY(vulkan_clear(device, BUFFER_CORNER_FORCES));
    if (linear)
        TRY(record_elements(device, side, position, types & DAMPING_LINEAR_TYPES));
    for (int k = 0; k < ELEMENT_KIND_COUNT && linear; ++k) {
        const ElementPush elements = elements_push_kind(device, k, argument);
        if (device->damped_kinds >> k & 1)
            TRY(vulkan_run_sum(device, vulkan_kind_kernel(device, KERNEL_DAMPING_FORCES, k), &elements,
                               elements.count));
    }
    if (types >> DAMPING_POWER_LAW & 1)
        TRY(power_law_forces(device, side, vulkan_slot(device, position), motion, section));
    exact_store(device->f64, &push.factor, 0, 1 / motion->time);
    return vulkan_run_sum(device, &device->kernels[side_kernels[side].nodes], &push, device->node_count);
}

/// Records all of damping to BUFFER_NODE_GRADIENT; `any`: whether there is some.
static VelaResult record_gradient(VulkanDevice *device, Slot position, const NodeMotion *motion, bool *any)
{
    const uint32_t places = vulkan_slot(device, position);
    *any = is_used(device, DAMPED_LESS_RIGID);
    if (*any) {
        NodeMotion seen;
        TRY(side_motion(device, DAMPED_LESS_RIGID, places, motion, &seen));
        TRY(record_forces(device, DAMPED_LESS_RIGID, position, &seen, DAMPING_ALL_TYPES, 0, false));
        TRY(rigid_motion_forces(device, places, false, false));
    }
    if (is_used(device, DAMPED_AS_IS)) {
        TRY(record_forces(device, DAMPED_AS_IS, position, motion, DAMPING_ALL_TYPES, 0, *any));
        *any = true;
    }
    return VELA_OK;
}

/// From what BUFFER_NODE_GRADIENT has, if there is `any`, and the air's: M^-1 times it, or forces.
static VelaResult accelerate(VulkanDevice *device, Slot position, const NodeMotion *motion, bool any,
                             Slot destination, bool forces)
{
    const uint32_t push[] = {device->node_count, vulkan_slot(device, destination), forces};
    TRY(air_forces(device, position, motion, any, LOSS_OF_AIR));
    if (!any && !air_is_there(device->base.model))
        return VELA_OK;
    return vulkan_run(device, &device->kernels[KERNEL_CONTACT_ACCELERATION], push, device->node_count);
}

VelaResult damping_dissipation(VulkanDevice *device, Slot destination, bool forces)
{
    const NodeMotion motion = stage_motion(device);
    bool any;
    TRY(record_gradient(device, SLOT_STAGE, &motion, &any));
    TRY(shape_force_add(device, any));
    any |= device->shape_sides != 0;
    // The impulse acts over the step once: in reactions, and in no acceleration of the stage.
    if (forces) {
        TRY(variational_impulse(device, any));
        any |= device->variational_kinds != 0;
    }
    return accelerate(device, SLOT_STAGE, &motion, any, destination, forces);
}

VelaResult vulkan_damping_acceleration(Device *base, Slot destination, Slot position, Slot velocity,
                                       double step)
{
    VulkanDevice *device = (VulkanDevice *)base;
    const NodeMotion motion = {DAMPING_NO_SLOT, vulkan_slot(device, velocity), 1};
    bool any;
    TRY(record_gradient(device, position, &motion, &any));
    if (device->variational_kinds != 0) {
        TRY(variational_forces(device, position, velocity, step));
        TRY(variational_gather(device, any, false));
        any = true;
    }
    return accelerate(device, position, &motion, any, destination, false);
}

/// Adds what each type of a side takes to its section.
static VelaResult record_losses(VulkanDevice *device, DampingSide side, Slot position,
                                const NodeMotion *motion)
{
    const uint32_t types = damping_types(device->base.model, side) & ~(1u << DAMPING_VARIATIONAL);
    NodeMotion seen;
    if (!is_used(device, side))
        return VELA_OK;
    TRY(side_motion(device, side, vulkan_slot(device, position), motion, &seen));
    for (uint32_t type = 0; type < DAMPING_MATERIAL_TYPES; ++type)
        if (types >> type & 1)
            TRY(record_forces(device, side, position, &seen, 1u << type, type, false));
    return VELA_OK;
}

/// The same of variational damping in a step of `duration`.
static VelaResult record_loss_of_step(VulkanDevice *device, Slot position, Slot velocity, double duration)
{
    NodesPush push = {.node_count = device->node_count,
                      .to = vulkan_slot(device, velocity),
                      .from = DAMPING_NO_SLOT,
                      .section = LOSS_OF_STEP,
                      .counts_all = true};
    if (device->variational_kinds == 0)
        return VELA_OK;
    TRY(variational_forces(device, position, velocity, duration));
    exact_store(device->f64, &push.factor, 0, 1);
    return vulkan_run_sum(device, &device->kernels[KERNEL_DAMPING_NODES], &push, device->node_count);
}

VelaResult vulkan_damping_loss(Device *base, Slot position, Slot velocity, double duration,
                               DissipationLoss *loss)
{
    VulkanDevice *device = (VulkanDevice *)base;
    const NodeMotion motion = {DAMPING_NO_SLOT, vulkan_slot(device, velocity), 1};
    GpuCommands *commands;
    if (!base->model->is_damped)
        return VELA_OK;
    TRY(vulkan_open(device, &commands));
    sections_begin(device, commands, LOSS_SECTIONS, 0, 0);
    for (int side = 0; side < DAMPING_SIDES; ++side)
        TRY(record_losses(device, (DampingSide)side, position, &motion));
    TRY(record_loss_of_step(device, position, velocity, duration));
    TRY(air_forces(device, position, &motion, false, LOSS_OF_AIR));
    TRY(vulkan_open(device, &commands));
    device->gpu->statistics.downloaded += sections_read(device, commands, LOSS_SECTIONS);
    TRY(vulkan_finish(device));
    for (size_t type = 0; type < DAMPING_TYPES; ++type) {
        double power = section_sum(device, type);
        if (type == DAMPING_RAYLEIGH)
            power += section_sum(device, LOSS_BY_MASS);
        if (type == DAMPING_VARIATIONAL)
            power = section_sum(device, LOSS_OF_STEP);
        if (type == DAMPING_AIR)
            power = section_sum(device, LOSS_OF_AIR + AIR_TAKEN);
        loss->by_damping[type] += duration * power;
        loss->all += duration * power;
    }
    loss->free += duration * (section_sum(device, LOSS_FREE) + section_sum(device, LOSS_OF_STEP_FREE) +
                              section_sum(device, LOSS_OF_AIR + AIR_FREE));
    loss->driven += duration * section_sum(device, LOSS_OF_AIR + AIR_DRIVEN);
    return VELA_OK;
}
