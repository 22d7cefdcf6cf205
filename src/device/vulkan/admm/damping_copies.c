// An iteration of ADMM takes three dispatches more for each kind of element that is damped, whatever its models are (vulkan_device.h):
//
//     LOCAL  admm_damping_project (after the elements': S, Z, corner forces), admm_drag where masses are held back
//     AFTER  admm_damping_residual (J, norms)
//     DUAL   admm_damping_dual
//
// The variational model has a kernel of its own among the first, forms that are not lagged a force of the stage.
//
// All numbers of copies are less D xp: what a rate is made of is small, and single precision has all of its digits. The shape that damping is
// looked at, the one the stage begins with, stays until the next stage (admm_damping_shape).
#include "device/vulkan/admm/damping_copies.h"

#include "abi/damping.h"
#include "device/vulkan/admm/rigid_copies.h"
#include "device/vulkan/exact.h"
#include "device/vulkan/recording.h"
#include "device/vulkan/terms/damping.h"
#include "device/vulkan/terms/damping_lists.h"
#include "device/vulkan/terms/elements.h"
#include "device/vulkan/terms/node_motion.h"
#include "device/vulkan/terms/shape_force.h"
#include "device/vulkan/terms/variational_damping.h"
#include "gpu/transfer.h"
#include "model/mass_drag.h"

#include <math.h>
#include <string.h>

/// Behind the words of elements (shaders/common/elements/damping_copies.glsl).
typedef struct CopyPush {
    ElementPush elements;
    uint32_t slots, layout, first_number, total, first_weight, first_shape;
    float growth;
} CopyPush;
_Static_assert(sizeof(CopyPush) == 4 * COPY_WORDS, "kernels.c has its size");

static const uint32_t shape_sizes[ELEMENT_KIND_COUNT] = {
    [ELEMENT_TET] = TET_COPY_SHAPE,
    [ELEMENT_SEGMENT] = SEGMENT_COPY_SHAPE,
    [ELEMENT_MEMBRANE] = MEMBRANE_COPY_SHAPE,
    [ELEMENT_BEND] = BEND_COPY_SHAPE,
    [ELEMENT_QUADRATIC_HINGE] = QUADRATIC_COPY_SHAPE,
    [ELEMENT_PLATE] = QUADRATIC_COPY_SHAPE,
};

// ---------------------------------------------------------------- what does not change

typedef struct CopyTotals {
    uint64_t numbers, weights, shapes;
} CopyTotals;

/// Room for a copy, after those before it in their order.
static void add_slots(CopyPlaces *own, DampingCopy of)
{
    if (of.law == COPY_OF_VARIATIONAL)
        own->variational = 1;
    else if (of.law == COPY_OF_QUADRATICS)
        own->quadratics[of.side] = 1;
    else
        own->laws[of.side] = (uint32_t)of.law + 1;
    own->slots = own->variational;
    for (int side = 0; side < DAMPING_SIDES; ++side)
        own->slots += own->quadratics[side] + own->laws[side];
}

static bool has_side(const CopyPlaces *own, DampingSide side)
{
    return own->quadratics[side] + own->laws[side] > 0;
}

/// As COPY_SIDE_BITS of abi/damping.h says.
static uint32_t layout_of(const CopyPlaces *own)
{
    uint32_t layout = 0;
    for (int side = 0; side < DAMPING_SIDES; ++side)
        layout |= (own->quadratics[side] | own->laws[side] << 1) << COPY_SIDE_BITS * side;
    return layout;
}

/// Records of shapes: each side's, and the variational model's, as far as they are asked for.
static uint32_t record_count(const CopyPlaces *own)
{
    return own->variational                   ? COPY_RECORD_OF_VARIATIONAL + 1
           : has_side(own, DAMPED_LESS_RIGID) ? DAMPED_LESS_RIGID + 1
                                              : DAMPED_AS_IS + 1;
}

static CopyTotals copies_place(const Model *model, CopyPlaces places[ELEMENT_KIND_COUNT])
{
    CopyTotals totals = {0};
    DampingCopy of[MODEL_DAMPING_COPIES_MOST];
    const int32_t count = model_damping_copies(model, of);
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        const ElementGroup *group = &model->groups[kind];
        const uint64_t elements = (uint64_t)group->count;
        CopyPlaces *own = &places[kind];
        *own = (CopyPlaces){.first_number = (uint32_t)totals.numbers,
                            .first_weight = (uint32_t)totals.weights,
                            .first_shape = (uint32_t)totals.shapes};
        for (int32_t c = 0; c < count; ++c)
            if (model_kind_has_damping_copy(model, kind, of[c]))
                add_slots(own, of[c]);
        if (own->slots == 0)
            continue;
        totals.numbers += own->slots * elements * (uint64_t)element_size(group->kind);
        totals.weights += own->slots * elements;
        totals.shapes += record_count(own) * shape_sizes[kind] * elements;
    }
    return totals;
}

void copies_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT])
{
    CopyPlaces places[ELEMENT_KIND_COUNT];
    const CopyTotals totals = copies_place(model, places);
    const SolverDef *solver = &model->scene->solver;
    const uint64_t real = real_size(f64), history = (solver->anderson ? (uint64_t)solver->depth : 0) *
                                                    totals.numbers * sizeof(float);
    defs[BUFFER_COPIES] =
        (GpuBufferDef){"copies for damping", COPY_SECTIONS * real * totals.numbers, GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_COPY_WEIGHTS] =
        (GpuBufferDef){"weights of copies", real * totals.weights, GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_COPY_SHAPES] = (GpuBufferDef){"shapes of copies", real * totals.shapes, GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_COPY_RESIDUAL_DIFFERENCES] =
        (GpuBufferDef){"history of copies' residuals", history, GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_COPY_IMAGE_DIFFERENCES] =
        (GpuBufferDef){"history of copies' states", history, GPU_MEMORY_DEVICE, 0};
}

VelaResult copies_create(VulkanDevice *device)
{
    const Model *model = device->base.model;
    DampingCopies *copies;
    double *drag;
    size_t *places;
    DampingCopy of[MODEL_DAMPING_COPIES_MOST];
    if (model_damping_copies(model, of) == 0)
        return VELA_OK;
    TRY(ARENA_ARRAY(&device->arena, copies, 1));
    TRY(ARENA_ARRAY(&device->arena, device->all_penalties, device->element_count));
    TRY(ARENA_ARRAY(&device->arena, drag, device->node_count));
    TRY(ARENA_ARRAY(&device->arena, places, device->element_count));
    TRY(model_mass_drag(model, DAMPED_AS_IS, &device->arena, drag));
    copies->count = model_damping_copies(model, copies->of);
    copies->total = (uint32_t)copies_place(model, copies->places).numbers;
    for (int32_t c = 0; c < copies->count; ++c)
        copies->numbers += (uint32_t)model_damping_state(model, copies->of[c], places);
    for (int kind = 0; kind < ELEMENT_KIND_COUNT; ++kind)
        copies->sums += copies->places[kind].slots > 0 ? device->places[kind].sum_groups : 0;
    for (size_t i = 0; i < device->node_count; ++i)
        if (drag[i] > 0)
            device->drag = drag;
    device->copies = copies;
    return rigid_copies_create(device);
}

// ---------------------------------------------------------------- kernels

/// For the range, or the whole kind where `range` is RANGES_MOST.
static CopyPush push_of(const VulkanDevice *device, int kind, uint32_t range, uint32_t argument)
{
    const DampingCopies *copies = device->copies;
    const CopyPlaces *own = &copies->places[kind];
    return (CopyPush){.elements = range < RANGES_MOST ? elements_push_range(device, range, argument)
                                                      : elements_push_kind(device, kind, argument),
                      .slots = own->slots,
                      .layout = layout_of(own),
                      .first_number = own->first_number,
                      .total = copies->total,
                      .first_weight = own->first_weight,
                      .first_shape = own->first_shape,
                      .growth = 1};
}

/// A record of a range's shape at the positions of a slot.
static VelaResult record_shape(VulkanDevice *device, uint32_t range, uint32_t record, Slot slot)
{
    const uint32_t argument = vulkan_slot(device, slot) | DAMPING_LINEAR_TYPES << DAMPING_TYPES_SHIFT |
                              record << DAMPING_SIDE_SHIFT;
    const CopyPush push = push_of(device, device->ranges[range].kind, range, argument);
    return vulkan_run(device, vulkan_range_kernel(device, KERNEL_ADMM_DAMPING_SHAPE, range), &push,
                      push.elements.count);
}

VelaResult copies_stage_set(VulkanDevice *device)
{
    if (!device->copies)
        return VELA_OK;
    for (uint32_t r = 0; r < device->range_count; ++r) {
        const CopyPlaces *own = &device->copies->places[device->ranges[r].kind];
        for (int side = 0; side < DAMPING_SIDES; ++side)
            if (has_side(own, (DampingSide)side))
                TRY(record_shape(device, r, (uint32_t)side, SLOT_STAGE));
        if (own->variational)
            TRY(record_shape(device, r, COPY_RECORD_OF_VARIATIONAL, SLOT_BASE_POSITION));
    }
    TRY(rigid_copies_stage_set(device));
    return shape_force_stage_set(device);
}

VelaResult copies_rescale(VulkanDevice *device, float factor)
{
    if (!device->copies)
        return VELA_OK;
    const struct {
        uint32_t count;
        float factor;
    } push = {device->copies->total, factor};
    return vulkan_run(device, &device->kernels[KERNEL_ADMM_RESCALE_COPIES], &push, push.count);
}

void copies_record_local(VulkanDevice *device, GpuCommands *commands)
{
    const uint32_t nodes[] = {device->node_count, vulkan_slot(device, SLOT_BASE_POSITION)};
    for (uint32_t r = 0; device->copies && r < device->range_count; ++r) {
        const int kind = device->ranges[r].kind;
        const CopyPush push = push_of(device, kind, r, 0);
        if (push.layout > 0)
            vulkan_run_indirect(device, commands,
                                vulkan_kind_kernel(device, KERNEL_ADMM_DAMPING_PROJECT, kind), &push,
                                ARGUMENTS_LOCAL_RANGE + 3 * r);
        if (device->copies->places[kind].variational)
            vulkan_run_indirect(device, commands,
                                vulkan_range_kernel(device, KERNEL_ADMM_VARIATIONAL_PROJECT, r), &push,
                                ARGUMENTS_LOCAL_RANGE + 3 * r);
    }
    if (device->copies && device->drag)
        vulkan_run_indirect(device, commands, &device->kernels[KERNEL_ADMM_DRAG], nodes,
                            ARGUMENTS_LOCAL_NODES);
    rigid_copies_record_local(device, commands);
    if (device->copies && device->shape_sides != 0)
        vulkan_run_indirect(device, commands, &device->kernels[KERNEL_ADMM_SHAPE_FORCE],
                            &(const NodeForcesPush){device->node_count, -1}, ARGUMENTS_LOCAL_NODES);
}

/// A kernel over every kind that has copies; where it sums, behind the elements' sums.
static void record_kinds(VulkanDevice *device, GpuCommands *commands, KernelName kernel, uint32_t arguments)
{
    uint32_t sum = 0;
    for (int kind = 0; kind < ELEMENT_KIND_COUNT; ++kind)
        sum += device->places[kind].sum_groups;
    for (int kind = 0; device->copies && kind < ELEMENT_KIND_COUNT; ++kind) {
        CopyPush push =
            push_of(device, kind, RANGES_MOST,
                    vulkan_slot(device, SLOT_BASE_POSITION) | vulkan_own_slot(device, 0) << COPY_OWN_SHIFT);
        push.elements.first_sum = sum;
        if (push.slots == 0)
            continue;
        vulkan_run_indirect(device, commands, vulkan_kind_kernel(device, kernel, kind), &push,
                            arguments + 3 * (uint32_t)kind);
        sum += push.elements.group_count;
    }
}

void copies_record_residual(VulkanDevice *device, GpuCommands *commands)
{
    rigid_copies_record_after(device, commands);
    record_kinds(device, commands, KERNEL_ADMM_DAMPING_RESIDUAL, ARGUMENTS_AFTER_KIND);
}

void copies_record_dual(VulkanDevice *device, GpuCommands *commands)
{
    record_kinds(device, commands, KERNEL_ADMM_DAMPING_DUAL, ARGUMENTS_DUAL_KIND);
    rigid_copies_record_dual(device, commands);
}

VelaResult copies_take_impulse(VulkanDevice *device, Slot acceleration)
{
    const uint32_t push[] = {device->node_count, vulkan_slot(device, acceleration), false};
    if (!device->copies || device->variational_kinds == 0)
        return VELA_OK;
    TRY(vulkan_clear(device, BUFFER_CORNER_FORCES));
    for (int kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        const CopyPush own = push_of(device, kind, RANGES_MOST, COPY_IMPULSE);
        if (device->copies->places[kind].variational)
            TRY(vulkan_run_sum(device, vulkan_kind_kernel(device, KERNEL_ADMM_DAMPING_DUAL, kind), &own,
                               own.elements.count));
    }
    TRY(variational_gather(device, false, true));
    return vulkan_run(device, &device->kernels[KERNEL_CONTACT_ACCELERATION], push, device->node_count);
}

// ---------------------------------------------------------------- weights

/// The slot of a copy in a kind; `slots` or more: the kind has it not.
static uint32_t slot_of(const CopyPlaces *own, DampingCopy of)
{
    uint32_t slot = 0;
    if (of.law == COPY_OF_VARIATIONAL)
        return own->variational ? own->slots - 1 : own->slots;
    if (of.side == DAMPED_LESS_RIGID)
        slot = own->quadratics[DAMPED_AS_IS] + own->laws[DAMPED_AS_IS];
    if (of.law == COPY_OF_QUADRATICS)
        return own->quadratics[of.side] ? slot : own->slots;
    return (uint32_t)of.law < own->laws[of.side] ? slot + own->quadratics[of.side] + (uint32_t)of.law
                                                 : own->slots;
}

/// Weights of all copies of a kind; adds them to those of the elements.
static void weigh_kind(VulkanDevice *device, int kind, void *weights)
{
    DampingCopies *copies = device->copies;
    const CopyPlaces *own = &copies->places[kind];
    const ElementGroup *group = &device->base.model->groups[kind];
    const size_t count = (size_t)group->count;
    for (size_t i = 0; i < count; ++i) {
        const size_t element = device->order[device->places[kind].first_element + i],
                     e = element - (size_t)group->first_element;
        const ModelMaterial *material = &device->base.model->materials[group->materials[e]];
        for (int32_t c = 0; c < copies->count; ++c) {
            const DampingCopy of = copies->of[c];
            if (!model_has_damping_copy(material, kind, of))
                continue;
            const double weight =
                model_damping_weight(device->base.model, of, kind, (int32_t)e, copies->levels[c],
                                     copies->duration, device->penalties[element]);
            real_store(device->f64, weights, own->first_weight + slot_of(own, of) * count + i, weight);
            double *sum = of.side == DAMPED_LESS_RIGID ? device->rigid_penalties : device->all_penalties;
            sum[element] += weight;
        }
    }
}

static VelaResult upload_weights(VulkanDevice *device, Arena *scratch)
{
    const GpuBuffer *buffer = vulkan_buffer(device, BUFFER_COPY_WEIGHTS);
    CopyPlaces places[ELEMENT_KIND_COUNT];
    const uint64_t bytes = copies_place(device->base.model, places).weights * real_size(device->f64);
    void *weights;
    TRY(arena_allocate(scratch, bytes, 1, &weights));
    for (size_t e = 0; e < device->element_count; ++e)
        device->all_penalties[e] = device->penalties[e];
    if (device->rigid_penalties)
        memset(device->rigid_penalties, 0, device->element_count * sizeof *device->rigid_penalties);
    for (int kind = 0; kind < ELEMENT_KIND_COUNT; ++kind)
        if (device->copies->places[kind].slots > 0)
            weigh_kind(device, kind, weights);
    device->matrix.a = 0;
    return gpu_upload(device->gpu, buffer, 0, weights, bytes);
}

/// The levels that laws ask for at the step's start.
static VelaResult find_levels(VulkanDevice *device, double duration, int levels[MODEL_DAMPING_COPIES_MOST])
{
    const DampingCopies *copies = device->copies;
    DissipationLoss loss = {0};
    if (device->law_kinds != 0)
        TRY(vulkan_damping_loss(&device->base, SLOT_POSITION, SLOT_VELOCITY, 1, &loss));
    const double power = loss.by_damping[DAMPING_POWER_LAW];
    for (int32_t c = 0; c < copies->count; ++c)
        levels[c] = copies->of[c].law < 0
                        ? 0
                        : model_law_level(device->base.model, device->penalties, copies->of[c], power,
                                          duration, copies->duration > 0 ? &copies->levels[c] : NULL);
    return VELA_OK;
}

VelaResult copies_weigh(VulkanDevice *device)
{
    DampingCopies *copies = device->copies;
    const double duration = stage_time(device);
    int levels[MODEL_DAMPING_COPIES_MOST];
    if (!copies)
        return VELA_OK;
    TRY(find_levels(device, duration, levels));
    bool same =
        copies->weighed && copies->duration == duration && copies->penalty_factor == device->penalty_factor;
    for (int32_t c = 0; c < copies->count; ++c) {
        copies->growth[c] = copies->duration == 0   ? 1
                            : copies->of[c].law < 0 ? copies->duration / duration
                                                    : ldexp(1, 2 * (levels[c] - copies->levels[c]));
        same = same && levels[c] == copies->levels[c];
        copies->levels[c] = levels[c];
    }
    copies->duration = duration;
    copies->penalty_factor = device->penalty_factor;
    copies->weighed = true;
    if (same)
        return VELA_OK;
    TRY(vulkan_finish(device));
    Arena scratch = arena_make(device->base.context);
    const VelaResult result = upload_weights(device, &scratch);
    arena_clear(&scratch);
    return result;
}

VelaResult copies_begin(VulkanDevice *device)
{
    const DampingCopies *copies = device->copies;
    TRY(rigid_copies_begin(device));
    for (int kind = 0; copies && kind < ELEMENT_KIND_COUNT; ++kind)
        for (int32_t c = 0; c < copies->count; ++c) {
            const uint32_t slot = slot_of(&copies->places[kind], copies->of[c]);
            CopyPush push = push_of(device, kind, RANGES_MOST,
                                    vulkan_slot(device, SLOT_BASE_POSITION) | slot << COPY_SLOT_SHIFT |
                                        (uint32_t)!device->warm << COPY_COLD_SHIFT |
                                        vulkan_own_slot(device, 0) << COPY_OWN_SHIFT);
            push.growth = (float)copies->growth[c];
            if (slot < push.slots)
                TRY(vulkan_run(device, vulkan_kind_kernel(device, KERNEL_ADMM_DAMPING_BEGIN, kind), &push,
                               push.elements.count));
        }
    return VELA_OK;
}

// ---------------------------------------------------------------- what is carried from step to step

enum { CARRIED = 3 };
static const uint32_t carried[CARRIED] = {LOCAL_IMAGE, LOCAL_PROJECTED, COPY_BASE};

size_t copies_state_size(const VulkanDevice *device)
{
    return device->copies
               ? (size_t)device->copies->count * DAMPING_STATE_HEADER + 2 * (size_t)device->copies->numbers
               : 0;
}

/// A number of D x of a copy: places of its image and its projection in the state, and in a section of the buffer.
typedef struct CopyNumber {
    size_t place, behind, at;
} CopyNumber;

/// All numbers of a copy.
static VelaResult list_numbers(const VulkanDevice *device, DampingCopy of, Arena *scratch, CopyNumber **list,
                               size_t *count)
{
    const Model *model = device->base.model;
    size_t *places, next = 0;
    TRY(ARENA_ARRAY(scratch, places, device->element_count));
    *count = model_damping_state(model, of, places);
    TRY(ARENA_ARRAY(scratch, *list, *count));
    for (int kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        const ElementGroup *group = &model->groups[kind];
        const CopyPlaces *own = &device->copies->places[kind];
        const size_t size = (size_t)element_size(group->kind), n = (size_t)group->count;
        for (size_t i = 0; i < n; ++i) {
            const size_t element = device->order[device->places[kind].first_element + i],
                         e = element - (size_t)group->first_element;
            if (!model_has_damping_copy(&model->materials[group->materials[e]], kind, of))
                continue;
            for (size_t k = 0; k < size; ++k)
                (*list)[next++] = (CopyNumber){places[element] + k, places[element] + size + k,
                                               own->first_number + (size * slot_of(own, of) + k) * n + i};
        }
    }
    return VELA_OK;
}

static uint64_t section_bytes(const VulkanDevice *device)
{
    return device->copies->total * real_size(device->f64);
}

VelaResult copies_state_read(VulkanDevice *device, Arena *scratch, double *values)
{
    const DampingCopies *copies = device->copies;
    void *sections[CARRIED];
    if (!copies)
        return VELA_OK;
    for (int s = 0; s < CARRIED; ++s) {
        TRY(arena_allocate(scratch, section_bytes(device), 1, &sections[s]));
        TRY(gpu_download(device->gpu, vulkan_buffer(device, BUFFER_COPIES),
                         carried[s] * section_bytes(device), sections[s], section_bytes(device)));
    }
    for (int32_t c = 0; c < copies->count; ++c) {
        CopyNumber *list;
        size_t count;
        TRY(list_numbers(device, copies->of[c], scratch, &list, &count));
        values[0] = copies->levels[c];
        values[1] = copies->duration;
        values += DAMPING_STATE_HEADER;
        for (size_t i = 0; i < count; ++i) {
            const double base = real_load(device->f64, sections[2], list[i].at);
            values[list[i].place] = base + real_load(device->f64, sections[0], list[i].at);
            values[list[i].behind] = base + real_load(device->f64, sections[1], list[i].at);
        }
        values += 2 * count;
    }
    return VELA_OK;
}

VelaResult copies_state_write(VulkanDevice *device, Arena *scratch, const double *values)
{
    DampingCopies *copies = device->copies;
    void *sections[CARRIED]; // the base stays 0
    if (!copies)
        return VELA_OK;
    for (int s = 0; s < CARRIED; ++s)
        TRY(arena_allocate(scratch, section_bytes(device), 1, &sections[s]));
    for (int32_t c = 0; c < copies->count; ++c) {
        CopyNumber *list;
        size_t count;
        TRY(list_numbers(device, copies->of[c], scratch, &list, &count));
        copies->levels[c] = (int)values[0];
        copies->duration = values[1];
        values += DAMPING_STATE_HEADER;
        for (size_t i = 0; i < count; ++i) {
            real_store(device->f64, sections[0], list[i].at, values[list[i].place]);
            real_store(device->f64, sections[1], list[i].at, values[list[i].behind]);
        }
        values += 2 * count;
    }
    copies->weighed = false;
    for (int s = 0; s < CARRIED; ++s)
        TRY(gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_COPIES), carried[s] * section_bytes(device),
                       sections[s], section_bytes(device)));
    return VELA_OK;
}
