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
// The power law has no such matrix: terms/power_law.c.
#include "device/vulkan/terms/damping.h"

#include "abi/damping.h"
#include "device/vulkan/diagnosis/sections.h"
#include "device/vulkan/exact.h"
#include "device/vulkan/recording.h"
#include "device/vulkan/terms/air.h"
#include "device/vulkan/terms/elements.h"
#include "device/vulkan/terms/power_law.h"
#include "gpu/transfer.h"

_Static_assert(ABI_DAMPING_STRAIN_RATE == DAMPING_STRAIN_RATE && ABI_DAMPING_RAYLEIGH == DAMPING_RAYLEIGH &&
                   ABI_DAMPING_PRINCIPAL_STRAIN == DAMPING_PRINCIPAL_STRAIN &&
                   ABI_DAMPING_POWER_LAW == DAMPING_POWER_LAW && ABI_DAMPING_SPLINE == DAMPING_SPLINE &&
                   ABI_DAMPING_TYPES == DAMPING_TYPES && ABI_CORRECTION_NONE == CORRECTION_NONE &&
                   ABI_CORRECTION_VELOCITY_GRADIENT == CORRECTION_VELOCITY_GRADIENT,
               "abi/damping.h numbers as physics/dissipation/damping.h does");

/// Sections of what it takes: of each type by its elements, by its masses, of the free nodes' motion; the air's.
enum { LOSS_BY_MASS = DAMPING_TYPES, LOSS_FREE, LOSS_OF_AIR, LOSS_SECTIONS = LOSS_OF_AIR + AIR_SECTIONS };
_Static_assert((int)LOSS_SECTIONS <= DIAGNOSE_SECTIONS, "sections for every type");

// ---------------------------------------------------------------- what does not change

static bool has_damped_material(const Model *model)
{
    for (int32_t m = 0; m < model->material_count; ++m)
        if (model->materials[m].damping)
            return true;
    return false;
}

/// Words and numbers of the lists of all materials, behind those of the elements.
static void count_lists(const Model *model, uint64_t *words, uint64_t *numbers)
{
    *words = *numbers = (uint64_t)model->element_count;
    for (int32_t m = 0; m < model->material_count; ++m) {
        const DampingList *list = model->materials[m].damping;
        *words += list ? 1 + DAMPING_WORDS * (uint64_t)list->count : 0;
        for (int32_t i = 0; list && i < list->count; ++i)
            *numbers += DAMPING_SPLINE_POINTS + 3 * (uint64_t)list->entries[i].factor.count;
    }
}

void damping_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT])
{
    const uint64_t real = real_size(f64), damped = has_damped_material(model),
                   n = damped * (uint64_t)model->node_count;
    const uint64_t row = damped * defs[BUFFER_FIRST_ROWS].size;
    uint64_t words, numbers;
    count_lists(model, &words, &numbers);
    defs[BUFFER_DAMPING_LISTS] = (GpuBufferDef){"lists of damping", damped * 4 * words, GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_DAMPING_NUMBERS] =
        (GpuBufferDef){"numbers of damping", damped * real * numbers, GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_DAMPING_DRAG] = (GpuBufferDef){"damping of masses", real * n, GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_DAMPING_FORCE] = (GpuBufferDef){"damping's gradient", 3 * real * n, GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_DAMPING_FIRST_ROWS] =
        (GpuBufferDef){"first rows of the damping's blocks", row, GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_DAMPING_SECOND_ROWS] =
        (GpuBufferDef){"second rows of the damping's blocks", row, GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_DAMPING_THIRD_ROWS] =
        (GpuBufferDef){"third rows of the damping's blocks", row, GPU_MEMORY_DEVICE, 0};
}

/// One list, at *word and *number of the buffers, which move on.
static void pack_list(bool f64, const DampingList *list, uint32_t *words, void *numbers, uint64_t *word,
                      uint64_t *number)
{
    words[(*word)++] = (uint32_t)list->count;
    for (int32_t i = 0; i < list->count; ++i) {
        const Damping *entry = &list->entries[i];
        words[*word + DAMPING_TYPE] = (uint32_t)entry->type;
        words[*word + DAMPING_CORRECTION] = (uint32_t)entry->correction;
        words[*word + DAMPING_NUMBERS] = (uint32_t)*number;
        words[*word + DAMPING_POINT_COUNT] = (uint32_t)entry->factor.count;
        *word += DAMPING_WORDS;
        real_store(f64, numbers, *number + DAMPING_SHEAR, entry->shear);
        real_store(f64, numbers, *number + DAMPING_BULK, entry->bulk);
        real_store(f64, numbers, *number + DAMPING_TIME, entry->time);
        real_store(f64, numbers, *number + DAMPING_COEFFICIENT, entry->coefficient);
        real_store(f64, numbers, *number + DAMPING_EXPONENT, entry->exponent);
        *number += DAMPING_SPLINE_POINTS;
        for (int32_t p = 0; p < entry->factor.count; ++p)
            for (int k = 0; k < 3; ++k)
                real_store(f64, numbers, (*number)++, entry->factor.points[p][k]);
    }
}

static VelaResult upload_lists(VulkanDevice *device, Arena *scratch)
{
    const Model *model = device->base.model;
    const size_t real = real_size(device->f64);
    uint64_t word = device->element_count, number = device->element_count, word_count, number_count;
    uint32_t *words, *starts;
    void *numbers;
    count_lists(model, &word_count, &number_count);
    TRY(ARENA_ARRAY(scratch, words, word_count));
    TRY(ARENA_ARRAY(scratch, starts, model->material_count));
    TRY(arena_allocate(scratch, number_count, real, &numbers));
    for (int32_t m = 0; m < model->material_count; ++m) {
        const DampingList *list = model->materials[m].damping;
        starts[m] = list ? (uint32_t)word : DAMPING_NONE;
        if (list)
            pack_list(device->f64, list, words, numbers, &word, &number);
    }
    for (int k = 0; k < ELEMENT_KIND_COUNT; ++k) {
        const ElementGroup *group = &model->groups[k];
        for (size_t e = 0; e < (size_t)group->count; ++e) {
            const size_t place = device->places[k].first_element + e,
                         element = device->order[place] - (size_t)group->first_element;
            words[place] = starts[group->materials[element]];
            if (words[place] != DAMPING_NONE)
                device->damped_kinds |= 1u << k;
            real_store(device->f64, numbers, place, group->volumes[element]);
        }
    }
    device->damped_kinds &= DAMPED_KINDS | DAMPED_BY_HESSIAN_KINDS;
    TRY(gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_DAMPING_LISTS), 0, words, 4 * word_count));
    return gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_DAMPING_NUMBERS), 0, numbers,
                      real * number_count);
}

/// kg/s a node: the mass coefficient of the elements around it, by their volumes, times its mass.
static VelaResult upload_drag(VulkanDevice *device, Arena *scratch)
{
    const Model *model = device->base.model;
    double *volumes, *coefficients;
    void *drag;
    TRY(ARENA_ARRAY(scratch, volumes, model->node_count));
    TRY(ARENA_ARRAY(scratch, coefficients, model->node_count));
    TRY(arena_allocate(scratch, device->node_count, real_size(device->f64), &drag));
    for (int k = 0; k < ELEMENT_KIND_COUNT; ++k) {
        const ElementGroup *group = &model->groups[k];
        const int32_t corners = group->kind->corners;
        for (int32_t e = 0; DAMPED_KINDS >> k & 1 && e < group->count; ++e) {
            const DampingList *list = model->materials[group->materials[e]].damping;
            double coefficient = 0;
            for (int32_t i = 0; list && i < list->count; ++i)
                coefficient += list->entries[i].mass;
            for (int32_t c = 0; c < corners; ++c) {
                coefficients[group->nodes[corners * e + c]] += coefficient * group->volumes[e];
                volumes[group->nodes[corners * e + c]] += group->volumes[e];
            }
        }
    }
    for (size_t i = 0; i < device->node_count; ++i)
        real_store(device->f64, drag, i,
                   volumes[i] > 0 ? model->masses[i] * coefficients[i] / volumes[i] : 0);
    return gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_DAMPING_DRAG), 0, drag,
                      device->node_count * real_size(device->f64));
}

VelaResult damping_upload(VulkanDevice *device, Arena *scratch)
{
    if (!has_damped_material(device->base.model))
        return VELA_OK;
    TRY(upload_lists(device, scratch));
    return upload_drag(device, scratch);
}

// ---------------------------------------------------------------- a stage

/// Bits: all, and those that the matrix C has.
enum { ALL_TYPES = (1 << DAMPING_TYPES) - 1, LINEAR_TYPES = ALL_TYPES & ~(1 << DAMPING_POWER_LAW) };

static VelaResult record_elements(VulkanDevice *device, Slot position, uint32_t types)
{
    return elements_run_kinds(device, KERNEL_DAMPING_ELEMENTS,
                              vulkan_slot(device, position) | types << DAMPING_TYPES_SHIFT, false,
                              device->damped_kinds);
}

VelaResult damping_stage_set(VulkanDevice *device)
{
    const uint32_t entries = device->matrix.entry_count;
    bool adds = false;
    if (device->damped_kinds == 0)
        return VELA_OK;
    TRY(power_law_stage_set(device));
    TRY(record_elements(device, SLOT_STAGE, LINEAR_TYPES));
    for (int k = 0; k < ELEMENT_KIND_COUNT; ++k) {
        const ElementPlaces *places = &device->places[k];
        const uint32_t push[] = {entries, places->first_start, places->first_data, adds};
        if (!(device->damped_kinds >> k & 1))
            continue;
        TRY(vulkan_run(device, vulkan_kind_kernel(device, KERNEL_DAMPING_BLOCKS, k), push, entries));
        adds = true;
    }
    return VELA_OK;
}

VelaResult damping_linearize(VulkanDevice *device)
{
    struct {
        ExactNumber inverse;
        uint32_t node_count, entry_count, base;
    } push = {.node_count = device->node_count,
              .entry_count = device->matrix.entry_count,
              .base = vulkan_slot(device, SLOT_BASE_POSITION)};
    if (device->damped_kinds == 0)
        return VELA_OK;
    exact_store(device->f64, &push.inverse, 0, 1 / stage_time(device));
    TRY(vulkan_run(device, &device->kernels[KERNEL_DAMPING_LINEARIZE], &push, device->node_count));
    return power_law_matrix(device);
}

VelaResult damping_trials(VulkanDevice *device, uint32_t halvings)
{
    struct {
        ExactNumber inverse;
        uint32_t node_count, entry_count, halvings;
    } push = {
        .node_count = device->node_count, .entry_count = device->matrix.entry_count, .halvings = halvings};
    if (device->damped_kinds == 0)
        return VELA_OK;
    exact_store(device->f64, &push.inverse, 0, 1 / stage_time(device));
    TRY(vulkan_run_sum(device, &device->kernels[KERNEL_DAMPING_TRIALS], &push, device->node_count));
    return power_law_trials(device, halvings);
}

// ---------------------------------------------------------------- at any places and velocities

/// Records C v of some types, bits, to BUFFER_NODE_GRADIENT, and adds to the sections; powers by elements to one of them.
static VelaResult record_forces(VulkanDevice *device, Slot position, const NodeMotion *motion, uint32_t types,
                                uint32_t section)
{
    struct {
        ExactNumber factor;
        uint32_t node_count, to, from, holds_masses, section;
    } push = {.node_count = device->node_count,
              .to = motion->to,
              .from = motion->from,
              .holds_masses = types >> DAMPING_RAYLEIGH & 1,
              .section = LOSS_BY_MASS};
    const uint32_t argument =
        motion->to | motion->from << DAMPING_FROM_SHIFT | section << DAMPING_SECTION_SHIFT;
    GpuCommands *commands;
    TRY(vulkan_open(device, &commands));
    gpu_fill(commands, vulkan_buffer(device, BUFFER_CORNER_FORCES), 0, 0, 0);
    gpu_barrier(commands);
    if (types & LINEAR_TYPES)
        TRY(record_elements(device, position, types & LINEAR_TYPES));
    for (int k = 0; k < ELEMENT_KIND_COUNT; ++k) {
        const ElementPush elements = elements_push_kind(device, k, argument);
        if (types & LINEAR_TYPES && device->damped_kinds >> k & 1)
            TRY(vulkan_run_sum(device, vulkan_kind_kernel(device, KERNEL_DAMPING_FORCES, k), &elements,
                               elements.count));
    }
    if (types >> DAMPING_POWER_LAW & 1)
        TRY(power_law_forces(device, vulkan_slot(device, position), motion, section));
    exact_store(device->f64, &push.factor, 0, 1 / motion->time);
    return vulkan_run_sum(device, &device->kernels[KERNEL_DAMPING_NODES], &push, device->node_count);
}

static VelaResult accelerate(VulkanDevice *device, Slot position, const NodeMotion *motion, Slot destination,
                             bool forces)
{
    const uint32_t push[] = {device->node_count, vulkan_slot(device, destination), forces};
    if (device->damped_kinds == 0 && !air_is_there(device->base.model))
        return VELA_OK;
    if (device->damped_kinds != 0)
        TRY(record_forces(device, position, motion, ALL_TYPES, 0));
    TRY(air_forces(device, position, motion, device->damped_kinds != 0, LOSS_OF_AIR));
    return vulkan_run(device, &device->kernels[KERNEL_CONTACT_ACCELERATION], push, device->node_count);
}

VelaResult damping_dissipation(VulkanDevice *device, Slot destination, bool forces)
{
    const NodeMotion motion = stage_motion(device);
    return accelerate(device, SLOT_STAGE, &motion, destination, forces);
}

VelaResult vulkan_damping_acceleration(Device *base, Slot destination, Slot position, Slot velocity,
                                       double step)
{
    (void)step; // none of what the device has depends on it
    VulkanDevice *device = (VulkanDevice *)base;
    const NodeMotion motion = {DAMPING_NO_SLOT, vulkan_slot(device, velocity), 1};
    return accelerate(device, position, &motion, destination, false);
}

/// The types that occur, bits.
static uint32_t types_of(const Model *model)
{
    uint32_t types = 0;
    for (int32_t m = 0; m < model->material_count; ++m) {
        const DampingList *list = model->materials[m].damping;
        for (int32_t i = 0; list && i < list->count; ++i)
            types |= 1u << list->entries[i].type;
    }
    return types;
}

VelaResult vulkan_damping_loss(Device *base, Slot position, Slot velocity, double duration,
                               DissipationLoss *loss)
{
    VulkanDevice *device = (VulkanDevice *)base;
    const NodeMotion motion = {DAMPING_NO_SLOT, vulkan_slot(device, velocity), 1};
    const uint32_t types = types_of(base->model);
    GpuCommands *commands;
    if (!base->model->is_damped)
        return VELA_OK;
    TRY(vulkan_open(device, &commands));
    sections_begin(device, commands, LOSS_SECTIONS, 0, 0);
    for (uint32_t type = 0; type < DAMPING_TYPES; ++type)
        if (device->damped_kinds != 0 && types >> type & 1)
            TRY(record_forces(device, position, &motion, 1u << type, type));
    TRY(air_forces(device, position, &motion, false, LOSS_OF_AIR));
    TRY(vulkan_open(device, &commands));
    device->gpu->statistics.downloaded += sections_read(device, commands, LOSS_SECTIONS);
    TRY(vulkan_finish(device));
    for (size_t type = 0; type < DAMPING_TYPES; ++type) {
        double power = section_sum(device, type);
        if (type == DAMPING_RAYLEIGH)
            power += section_sum(device, LOSS_BY_MASS);
        if (type == DAMPING_AIR)
            power = section_sum(device, LOSS_OF_AIR + AIR_TAKEN);
        loss->by_damping[type] += duration * power;
        loss->all += duration * power;
    }
    loss->free += duration * (section_sum(device, LOSS_FREE) + section_sum(device, LOSS_OF_AIR + AIR_FREE));
    loss->driven += duration * section_sum(device, LOSS_OF_AIR + AIR_DRIVEN);
    return VELA_OK;
}
