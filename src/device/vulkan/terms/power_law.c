// A power law is no quadratic function of velocities: what its elements are where a stage begins is kept in records, and every iteration
// makes forces and Hessians of them and of the velocities at hand:
//
//     power_law_axes (a stage)
//     power_law_linearize (elements)   power_law_blocks (matrix)   power_law_trials (elements)      (an iteration)
//
// Elsewhere axes stand for a moment where Newton's data are:
//
//     power_law_axes   power_law_forces (elements)   damping_nodes
#include "device/vulkan/terms/power_law.h"

#include "device/vulkan/exact.h"
#include "device/vulkan/recording.h"
#include "device/vulkan/terms/elements.h"

/// What kernels of laws have behind the words of elements (shaders/common/elements/power_law.glsl).
typedef struct LawPush {
    ElementPush elements;
    uint32_t first_law, law_size, stretches_at;
    ExactNumber inverse, duration;
} LawPush;
_Static_assert(sizeof(LawPush) == 4 * LAW_WORDS, "kernels.c has its size");

/// Numbers of a record without those of its laws, and where the stretches are.
static const uint32_t record_sizes[ELEMENT_KIND_COUNT] = {
    [ELEMENT_TET] = TET_LAW, [ELEMENT_SEGMENT] = SEGMENT_LAW, [ELEMENT_MEMBRANE] = MEMBRANE_LAW};

static uint32_t laws_of(const ModelMaterial *material)
{
    uint32_t count = 0;
    while (damping_law(material->damping, (int)count))
        ++count;
    return count;
}

/// Laws of the material that has most of them.
static uint32_t most_laws(const Model *model)
{
    uint32_t most = 0;
    for (int32_t m = 0; m < model->material_count; ++m)
        most = laws_of(&model->materials[m]) > most ? laws_of(&model->materials[m]) : most;
    return most;
}

/// Of a kind's record, with all laws.
static uint32_t record_size(const Model *model, int kind)
{
    const uint32_t arms = (uint32_t)model->groups[kind].kind->corners - 1;
    return record_sizes[kind] + most_laws(model) * (1 + 3 * arms);
}

static bool has_laws(const Model *model, int kind)
{
    const ElementGroup *group = &model->groups[kind];
    for (int32_t e = 0; DAMPED_KINDS >> kind & 1 && e < group->count; ++e)
        if (laws_of(&model->materials[group->materials[e]]) > 0)
            return true;
    return false;
}

/// Where the records of a kind begin; of ELEMENT_KIND_COUNT, how many numbers there are.
static uint64_t records_before(const Model *model, int kind)
{
    uint64_t numbers = 0;
    for (int k = 0; k < kind; ++k)
        if (has_laws(model, k))
            numbers += (uint64_t)record_size(model, k) * (uint64_t)model->groups[k].count;
    return numbers;
}

void power_law_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT])
{
    const bool newton = model->scene->solver.type != SOLVER_ADMM;
    defs[BUFFER_LAW_RECORDS] = (GpuBufferDef){
        "records of power laws", newton * real_size(f64) * records_before(model, ELEMENT_KIND_COUNT),
        GPU_MEMORY_DEVICE, 0};
}

void power_law_find(VulkanDevice *device)
{
    const Model *model = device->base.model;
    for (int k = 0; k < ELEMENT_KIND_COUNT; ++k)
        if (has_laws(model, k)) {
            device->law_kinds |= 1u << k;
            device->first_records[k] = (uint32_t)records_before(model, k);
        }
    for (int32_t m = 0; m < model->material_count && device->law_kinds != 0; ++m)
        for (int law = 0; damping_law(model->materials[m].damping, law); ++law)
            device->law_sides |= 1u << damping_side(damping_law(model->materials[m].damping, law));
}

// ---------------------------------------------------------------- kernels

/// With the records of the stage.
static LawPush push_of(const VulkanDevice *device, int kind, double time, uint32_t argument)
{
    LawPush push = {.elements = elements_push_kind(device, kind, argument),
                    .first_law = device->first_records[kind],
                    .law_size = record_size(device->base.model, kind),
                    .stretches_at =
                        record_sizes[kind] - (uint32_t)device->base.model->groups[kind].kind->columns};
    exact_store(device->f64, &push.inverse, 0, 1 / time);
    exact_store(device->f64, &push.duration, 0, time);
    return push;
}

/// Its argument, abi/damping.h.
static uint32_t motion_argument(const NodeMotion *motion, DampingSide side, uint32_t last)
{
    return motion->to | motion->from << DAMPING_FROM_SHIFT | last << DAMPING_SECTION_SHIFT |
           (uint32_t)side << DAMPING_SIDE_SHIFT;
}

VelaResult power_law_stage_set(VulkanDevice *device)
{
    for (int k = 0; k < ELEMENT_KIND_COUNT; ++k)
        if (device->law_kinds >> k & 1) {
            const LawPush push = push_of(device, k, 1, vulkan_slot(device, SLOT_STAGE));
            TRY(vulkan_run(device, vulkan_kind_kernel(device, KERNEL_POWER_LAW_AXES, k), &push,
                           push.elements.count));
        }
    return VELA_OK;
}

VelaResult power_law_linearize(VulkanDevice *device, DampingSide side, const NodeMotion *motion)
{
    for (int k = 0; k < ELEMENT_KIND_COUNT && device->law_sides >> side & 1; ++k)
        if (device->law_kinds >> k & 1) {
            const LawPush push = push_of(device, k, motion->time, motion_argument(motion, side, 0));
            TRY(vulkan_run(device, vulkan_kind_kernel(device, KERNEL_POWER_LAW_LINEARIZE, k), &push,
                           push.elements.count));
        }
    return VELA_OK;
}

VelaResult power_law_matrix(VulkanDevice *device)
{
    const Model *model = device->base.model;
    const uint32_t entries = device->matrix.entry_count;
    for (int k = 0; k < ELEMENT_KIND_COUNT; ++k)
        if (device->law_kinds >> k & 1) {
            const uint32_t push[] = {entries, device->places[k].first_start, device->first_records[k],
                                     true,    record_size(model, k),         most_laws(model)};
            TRY(vulkan_run(device, vulkan_kind_kernel(device, KERNEL_POWER_LAW_BLOCKS, k), push, entries));
        }
    return VELA_OK;
}

VelaResult power_law_trials(VulkanDevice *device, DampingSide side, const NodeMotion *motion,
                            uint32_t halvings)
{
    const KernelName kernel =
        side == DAMPED_LESS_RIGID ? KERNEL_POWER_LAW_RIGID_TRIALS : KERNEL_POWER_LAW_TRIALS;
    for (int k = 0; k < ELEMENT_KIND_COUNT && device->law_sides >> side & 1; ++k)
        if (device->law_kinds >> k & 1) {
            const LawPush push = push_of(device, k, motion->time, motion_argument(motion, side, halvings));
            TRY(vulkan_run_sum(device, vulkan_kind_kernel(device, kernel, k), &push, push.elements.count));
        }
    return VELA_OK;
}

/// With records where Newton's data are: the stretches stand in the form's place.
static LawPush push_elsewhere(const VulkanDevice *device, int kind, double time, uint32_t argument)
{
    LawPush push = push_of(device, kind, time, argument);
    push.first_law = device->places[kind].first_data;
    push.law_size = vulkan_kinds[kind].data;
    push.stretches_at = 0;
    return push;
}

VelaResult power_law_shape(VulkanDevice *device, DampingSide side, uint32_t argument, double time)
{
    for (int k = 0; k < ELEMENT_KIND_COUNT && device->law_sides >> side & 1; ++k)
        if (device->law_kinds >> k & 1) {
            const LawPush push = push_elsewhere(device, k, time, argument);
            TRY(vulkan_run(device, vulkan_kind_kernel(device, KERNEL_POWER_LAW_SHAPE, k), &push,
                           push.elements.count));
        }
    return VELA_OK;
}

VelaResult power_law_forces(VulkanDevice *device, DampingSide side, uint32_t position,
                            const NodeMotion *motion, uint32_t section)
{
    for (int k = 0; k < ELEMENT_KIND_COUNT && device->law_sides >> side & 1; ++k)
        if (device->law_kinds >> k & 1) {
            LawPush push = push_elsewhere(device, k, motion->time, position);
            TRY(vulkan_run(device, vulkan_kind_kernel(device, KERNEL_POWER_LAW_OTHER_AXES, k), &push,
                           push.elements.count));
            push.elements.argument = motion_argument(motion, side, section);
            TRY(vulkan_run_sum(device, vulkan_kind_kernel(device, KERNEL_POWER_LAW_FORCES, k), &push,
                               push.elements.count));
        }
    return VELA_OK;
}
