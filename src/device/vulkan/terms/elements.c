// Elements lie kind after kind and within a kind sorted by energy model, so that one dispatch has one formula.
#include "device/vulkan/terms/elements.h"

#include "device/vulkan/exact.h"
#include "device/vulkan/recording.h"
#include "gpu/transfer.h"
#include "model/air_copies.h"
#include "model/damping_copies.h"
#include "physics/element/kinds.h"

#define ROW(number, prefix, local, corners, columns, data, name) [number] = {#prefix, data},
const VulkanKind vulkan_kinds[ELEMENT_KIND_COUNT] = {ELEMENT_KINDS(ROW)};

ElementTotals elements_place(const Model *model, ElementPlaces places[ELEMENT_KIND_COUNT])
{
    ElementTotals totals = {0};
    const uint32_t copied = model_damping_kinds(model);
    uint32_t occurring = model_has_air_copies(model), sums = 0; // the air has as many entries as a kind
    for (int k = 0; k < ELEMENT_KIND_COUNT; ++k) // copies sum as much as their elements, behind all of those
        occurring += (uint32_t)(model->groups[k].count > 0) + (copied >> k & 1);
    for (int k = 0; k < ELEMENT_KIND_COUNT; ++k) {
        const ElementGroup *group = &model->groups[k];
        const uint32_t groups = sum_groups((uint32_t)group->count, GROUP_ELEMENTS),
                       most = SUM_GROUPS_MOST / (occurring > 0 ? occurring : 1);
        const uint64_t count = (uint64_t)group->count, corners = (uint64_t)group->kind->corners;
        places[k] = (ElementPlaces){.count = (uint32_t)count,
                                    .first_element = (uint32_t)totals.elements,
                                    .first_corner = (uint32_t)totals.corners,
                                    .first_shape = (uint32_t)totals.shapes,
                                    .first_local = (uint32_t)totals.locals,
                                    .first_data = (uint32_t)totals.data,
                                    .first_sum = sums,
                                    .sum_groups = groups < most ? groups : most};
        totals.elements += count;
        totals.corners += corners * count;
        totals.shapes += (uint64_t)element_shape_size(group->kind) * count;
        totals.locals += (uint64_t)element_size(group->kind) * count;
        totals.data += vulkan_kinds[k].data * count;
        totals.pairs += corners * corners * count;
        sums += places[k].sum_groups;
    }
    return totals;
}

// ---------------------------------------------------------------- order
/// Appends the elements of a kind and energy model that do or do not accept inversion; returns how many they are.
static uint32_t append(VulkanDevice *device, const ElementRange *range, bool never_inverts, uint32_t place)
{
    const Model *model = device->base.model;
    const ElementGroup *group = &model->groups[range->kind];
    uint32_t count = 0;
    for (int32_t e = 0; e < group->count; ++e) {
        const ModelMaterial *material = &model->materials[group->materials[e]];
        if (material->formula.energy_model == range->energy_model && material->never_inverts == never_inverts)
            device->order[place + count++] = (uint32_t)(group->first_element + e);
    }
    return count;
}

VelaResult elements_sort(VulkanDevice *device)
{
    TRY(ARENA_ARRAY(&device->arena, device->order, device->element_count));
    uint32_t place = 0;
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind)
        for (int32_t energy = 0; energy < ENERGY_MODEL_COUNT; ++energy) {
            ElementRange range = {
                .kind = kind, .energy_model = energy, .first = place - device->places[kind].first_element};
            range.never_inverting = append(device, &range, true, place);
            range.count =
                range.never_inverting + append(device, &range, false, place + range.never_inverting);
            place += range.count;
            if (range.count > 0)
                device->ranges[device->range_count++] = range;
        }
    return VELA_OK;
}

// ---------------------------------------------------------------- contents
static VelaResult upload(VulkanDevice *device, BufferName name, const void *data, uint64_t size)
{
    return size ? gpu_upload(device->gpu, vulkan_buffer(device, name), 0, data, size) : VELA_OK;
}

/// The element within its group that is number e of the kind on the device.
static size_t element_of(const VulkanDevice *device, int kind, size_t e)
{
    return device->order[device->places[kind].first_element + e] - device->places[kind].first_element;
}

static VelaResult upload_corners(VulkanDevice *device, Arena *scratch)
{
    const Model *model = device->base.model;
    const size_t corners = (size_t)model->corner_count;
    uint32_t *gathered, *nodes, *places;
    TRY(ARENA_ARRAY(scratch, gathered, corners));
    TRY(ARENA_ARRAY(scratch, nodes, corners));
    TRY(ARENA_ARRAY(scratch, places, corners));
    for (size_t i = 0; i < corners; ++i)
        gathered[model->incidence[i]] = (uint32_t)i;
    for (int k = 0; k < ELEMENT_KIND_COUNT; ++k) {
        const ElementGroup *group = &model->groups[k];
        const size_t count = (size_t)group->count, size = (size_t)group->kind->corners,
                     first = device->places[k].first_corner;
        for (size_t e = 0; e < count; ++e)
            for (size_t c = 0; c < size; ++c) {
                const size_t from = size * element_of(device, k, e) + c;
                nodes[first + c * count + e] = (uint32_t)group->nodes[from];
                places[first + c * count + e] = gathered[first + from];
            }
    }
    TRY(upload(device, BUFFER_ELEMENT_NODES, nodes, 4 * (uint64_t)corners));
    return upload(device, BUFFER_CORNER_PLACES, places, 4 * (uint64_t)corners);
}

static VelaResult upload_shapes(VulkanDevice *device, Arena *scratch, uint64_t total)
{
    const Model *model = device->base.model;
    void *shapes;
    TRY(arena_allocate(scratch, total, real_size(device->f64), &shapes));
    for (int k = 0; k < ELEMENT_KIND_COUNT; ++k) {
        const ElementGroup *group = &model->groups[k];
        const size_t count = (size_t)group->count, size = (size_t)element_shape_size(group->kind);
        for (size_t e = 0; e < count; ++e)
            for (size_t i = 0; i < size; ++i)
                real_store(device->f64, shapes, device->places[k].first_shape + i * count + e,
                           group->shapes[size * element_of(device, k, e) + i]);
    }
    return upload(device, BUFFER_SHAPES, shapes, total * real_size(device->f64));
}

VelaResult elements_upload_parameter(VulkanDevice *device, uint32_t parameter, const double *values)
{
    const uint64_t bytes = device->element_count * real_size(device->f64);
    Arena scratch = arena_make(device->base.context);
    void *packed;
    VelaResult result;
    TRY_GOTO(result, arena_allocate(&scratch, bytes, 1, &packed), done);
    for (size_t e = 0; e < device->element_count; ++e)
        real_store(device->f64, packed, e, values[device->order[e]]);
    result =
        gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_PARAMETERS), parameter * bytes, packed, bytes);
done:
    arena_clear(&scratch);
    return result;
}

static VelaResult upload_stiffness(VulkanDevice *device, Arena *scratch)
{
    const Model *model = device->base.model;
    double *kappa, *lambda;
    TRY(ARENA_ARRAY(scratch, kappa, device->element_count));
    TRY(ARENA_ARRAY(scratch, lambda, device->element_count));
    for (int k = 0; k < ELEMENT_KIND_COUNT; ++k) {
        const ElementGroup *group = &model->groups[k];
        for (int32_t e = 0; e < group->count; ++e) {
            const ElementMaterial *material = &model->materials[group->materials[e]].formula;
            kappa[group->first_element + e] = group->volumes[e] * material->kappa;
            lambda[group->first_element + e] =
                group->rests ? group->rests[e] : group->volumes[e] * material->lambda;
        }
    }
    TRY(elements_upload_parameter(device, PARAMETER_KAPPA, kappa));
    return elements_upload_parameter(device, PARAMETER_LAMBDA, lambda);
}

VelaResult elements_upload(VulkanDevice *device, Arena *scratch)
{
    ElementPlaces places[ELEMENT_KIND_COUNT];
    const ElementTotals totals = elements_place(device->base.model, places);
    TRY(upload_corners(device, scratch));
    TRY(upload_shapes(device, scratch, totals.shapes));
    TRY(upload_stiffness(device, scratch));
    return upload(device, BUFFER_ELEMENT_NUMBERS, device->order, 4 * totals.elements);
}

// ---------------------------------------------------------------- kernels
ElementPush elements_push_kind(const VulkanDevice *device, int kind, uint32_t argument)
{
    const ElementPlaces *places = &device->places[kind];
    return (ElementPush){.count = places->count,
                         .kind_count = places->count,
                         .first_element = places->first_element,
                         .first_corner = places->first_corner,
                         .first_shape = places->first_shape,
                         .first_local = places->first_local,
                         .first_data = places->first_data,
                         .first_sum = places->first_sum,
                         .group_count = places->sum_groups,
                         .element_count = device->element_count,
                         .local_count = device->local_count,
                         .node_count = device->node_count,
                         .argument = argument};
}

ElementPush elements_push_range(const VulkanDevice *device, uint32_t r, uint32_t argument)
{
    const ElementRange *range = &device->ranges[r];
    ElementPush push = elements_push_kind(device, range->kind, argument);
    push.first = range->first;
    push.count = range->count;
    push.never_inverting = range->never_inverting;
    return push;
}

VelaResult elements_run(VulkanDevice *device, KernelName kernel, uint32_t argument, bool sums)
{
    return elements_run_kinds(device, kernel, argument, sums, UINT32_MAX);
}

VelaResult elements_run_kinds(VulkanDevice *device, KernelName kernel, uint32_t argument, bool sums,
                              uint32_t kinds)
{
    for (uint32_t r = 0; r < device->range_count; ++r) {
        if (!(kinds >> device->ranges[r].kind & 1))
            continue;
        const ElementPush push = elements_push_range(device, r, argument);
        const GpuBinding *binding = vulkan_range_kernel(device, kernel, r);
        TRY((sums ? vulkan_run_sum : vulkan_run)(device, binding, &push, push.count));
    }
    return VELA_OK;
}
