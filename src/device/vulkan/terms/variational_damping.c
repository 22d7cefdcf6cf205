// The elements once more, with the kernels of elasticity, but with rest shapes, energies and data of their own, made anew in every step. With q
// where the step begins its end is q + (x - q)/alpha: at y = x - (1 - alpha) q, an own slot, and with the rest shapes of q over alpha, D y
// is that of the end, and derivatives over y are those over x.
//
//     variational_rest (elements: rest shapes; a stage)
//     newton_elements   corner_sums (nodes)   newton_blocks   newton_bound   newton_trial_elements      (an iteration)
#include "device/vulkan/terms/variational_damping.h"

#include "abi/damping.h"
#include "device/vulkan/exact.h"
#include "device/vulkan/recording.h"
#include "device/vulkan/terms/damping_lists.h"
#include "device/vulkan/terms/elements.h"
#include "device/vulkan/terms/node_motion.h"

static bool is_asked_for(const Model *model)
{
    return damping_types(model, DAMPED_AS_IS) >> DAMPING_VARIATIONAL & 1;
}

/// Parts of a number of a shape: kinds that ask for exact D x may have two.
static uint64_t shape_parts(bool f64)
{
    return f64 ? 1 : 2;
}

void variational_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT])
{
    ElementPlaces places[ELEMENT_KIND_COUNT];
    const ElementTotals totals = elements_place(model, places);
    const uint64_t real = is_asked_for(model) ? real_size(f64) : 0;
    defs[BUFFER_VARIATIONAL_SHAPES] = (GpuBufferDef){
        "rest shapes of the step", real * shape_parts(f64) * totals.shapes, GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_VARIATIONAL_PARAMETERS] =
        (GpuBufferDef){"energies of the step", real * 2 * totals.elements, GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_VARIATIONAL_DATA] = (GpuBufferDef){
        "Hessians of the step's energies",
        model->scene->solver.type == SOLVER_NEWTON ? real * totals.data : 0, GPU_MEMORY_DEVICE, 0};
}

void variational_find(VulkanDevice *device)
{
    const Model *model = device->base.model;
    for (int k = 0; k < ELEMENT_KIND_COUNT && is_asked_for(model); ++k)
        if (DAMPED_KINDS >> k & 1 && model->groups[k].count > 0)
            device->variational_kinds |= 1u << k;
}

// ---------------------------------------------------------------- kernels

/// Push constants of variational_rest.
typedef struct RestPush {
    ElementPush elements;
    uint32_t padding; ///< exact numbers of double precision begin at eight bytes
    ExactNumber shape_scale, energy_scale;
} RestPush;
_Static_assert(sizeof(RestPush) == 4 * SHAPE_WORDS, "kernels.c has its size");

static ElementPush adapt(const VulkanDevice *device, ElementPush push)
{
    push.first_shape *= (uint32_t)shape_parts(device->f64);
    push.argument |= device->f64 ? 0 : ELEMENT_SHAPES_OF_TWO;
    return push;
}

/// `rest`: the number of a slot.
static VelaResult record_rest(VulkanDevice *device, uint32_t rest, double shape_scale, double energy_scale)
{
    for (int k = 0; k < ELEMENT_KIND_COUNT; ++k) {
        RestPush push = {.elements = elements_push_kind(device, k, rest)};
        if (!(device->variational_kinds >> k & 1))
            continue;
        push.elements.first_shape *= (uint32_t)shape_parts(device->f64);
        exact_store(device->f64, &push.shape_scale, 0, shape_scale);
        exact_store(device->f64, &push.energy_scale, 0, energy_scale);
        TRY(vulkan_run(device, vulkan_kind_kernel(device, KERNEL_VARIATIONAL_REST, k), &push,
                       push.elements.count));
    }
    return VELA_OK;
}

static VelaResult record_ranges(VulkanDevice *device, KernelName kernel, uint32_t argument, bool sums)
{
    for (uint32_t r = 0; r < device->range_count; ++r) {
        const ElementPush push = adapt(device, elements_push_range(device, r, argument));
        if (device->variational_kinds >> device->ranges[r].kind & 1)
            TRY((sums ? vulkan_run_sum : vulkan_run)(device, vulkan_range_kernel(device, kernel, r), &push,
                                                     push.count));
    }
    return VELA_OK;
}

VelaResult variational_gather(VulkanDevice *device, bool adds, bool free_only)
{
    const uint32_t push[] = {device->node_count, adds, free_only};
    return vulkan_run(device, &device->kernels[KERNEL_CORNER_SUMS], push, device->node_count);
}

// ---------------------------------------------------------------- the implicit step

static double alpha_of(const VulkanDevice *device)
{
    return device->base.model->scene->alpha;
}

/// The own slot of y, where the stage is.
static VelaResult record_end(VulkanDevice *device)
{
    return vulkan_combine(
        device, vulkan_own_slot(device, OWN_SLOT_END), 2, (double[]){1, alpha_of(device) - 1},
        (uint32_t[]){vulkan_slot(device, SLOT_STAGE), vulkan_slot(device, SLOT_BASE_POSITION)});
}

static uint32_t end_argument(const VulkanDevice *device, uint32_t own)
{
    return own | vulkan_own_slot(device, OWN_SLOT_END) << NEWTON_SLOT_SHIFT;
}

// The stage minimises alpha/((1 - alpha) h) k_D W at the step's end.
VelaResult variational_stage_set(VulkanDevice *device)
{
    const double alpha = alpha_of(device), step = stage_time(device) / alpha;
    return device->variational_kinds != 0 ? record_rest(device, vulkan_slot(device, SLOT_BASE_POSITION),
                                                        1 / alpha, alpha / ((1 - alpha) * step))
                                          : VELA_OK;
}

VelaResult variational_linearize(VulkanDevice *device, bool project)
{
    const uint32_t entries = device->matrix.entry_count;
    if (device->variational_kinds == 0)
        return VELA_OK;
    TRY(record_end(device));
    TRY(vulkan_clear(device, BUFFER_CORNER_FORCES));
    TRY(record_ranges(device, KERNEL_VARIATIONAL_ELEMENTS, end_argument(device, project), false));
    TRY(variational_gather(device, true, true));
    for (int k = 0; k < ELEMENT_KIND_COUNT; ++k) {
        const uint32_t push[] = {entries, device->places[k].first_start, device->places[k].first_data, true};
        if (device->variational_kinds >> k & 1)
            TRY(vulkan_run(device, vulkan_kind_kernel(device, KERNEL_VARIATIONAL_BLOCKS, k), push, entries));
    }
    return VELA_OK;
}

VelaResult variational_bound(VulkanDevice *device)
{
    for (uint32_t r = 0; r < device->range_count; ++r) {
        const int kind = device->ranges[r].kind;
        const ElementPush push = adapt(device, elements_push_range(device, r, end_argument(device, 0)));
        if (device->variational_kinds >> kind & 1)
            TRY(vulkan_run_sum(device, vulkan_kind_kernel(device, KERNEL_VARIATIONAL_BOUND, kind), &push,
                               push.never_inverting));
    }
    return VELA_OK;
}

VelaResult variational_trials(VulkanDevice *device, uint32_t halvings)
{
    return record_ranges(device, KERNEL_VARIATIONAL_TRIALS, end_argument(device, halvings), true);
}

// ---------------------------------------------------------------- elsewhere

VelaResult variational_impulse(VulkanDevice *device, bool adds)
{
    const double alpha = alpha_of(device), step = stage_time(device) / alpha;
    if (device->variational_kinds == 0)
        return VELA_OK;
    TRY(record_rest(device, vulkan_slot(device, SLOT_BASE_POSITION), 1 / alpha, alpha / step));
    TRY(record_end(device));
    TRY(vulkan_clear(device, BUFFER_CORNER_FORCES));
    TRY(record_ranges(device, KERNEL_VARIATIONAL_FORCES, vulkan_own_slot(device, OWN_SLOT_END), false));
    return variational_gather(device, adds, false);
}

VelaResult variational_forces(VulkanDevice *device, Slot position, Slot velocity, double duration)
{
    // How far into the step the position is: alpha, or at its end where there is no stage.
    const double reach = scene_is_explicit(device->base.model->scene) ? 1 : alpha_of(device);
    const uint32_t rest = vulkan_own_slot(device, OWN_SLOT_REST), end = vulkan_own_slot(device, OWN_SLOT_END),
                   sources[] = {vulkan_slot(device, position), vulkan_slot(device, velocity)};
    TRY(vulkan_combine(device, rest, 2, (double[]){1, -reach * duration}, sources));
    TRY(vulkan_combine(device, end, 2, (double[]){1, (1 - reach) * duration}, sources));
    TRY(record_rest(device, rest, 1, 1 / duration));
    TRY(vulkan_clear(device, BUFFER_CORNER_FORCES));
    return record_ranges(device, KERNEL_VARIATIONAL_FORCES, end, false);
}
