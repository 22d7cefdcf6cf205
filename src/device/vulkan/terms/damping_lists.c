#include "device/vulkan/terms/damping_lists.h"

#include "abi/damping.h"
#include "device/vulkan/exact.h"
#include "gpu/transfer.h"
#include "model/mass_drag.h"

uint32_t damping_types(const Model *model, DampingSide side)
{
    uint32_t types = 0;
    for (int32_t m = 0; m < model->material_count; ++m) {
        const DampingList *list = model->materials[m].damping;
        for (const Damping *entry = damping_first(list); entry != damping_end(list); ++entry)
            types |= damping_side(entry) == side ? 1u << entry->type : 0;
    }
    return types;
}

static bool has_entries(const Model *model)
{
    return (damping_types(model, DAMPED_AS_IS) | damping_types(model, DAMPED_LESS_RIGID)) != 0;
}

uint64_t damping_own_slots(const Model *model)
{
    return damping_types(model, DAMPED_LESS_RIGID) != 0                    ? OWN_SLOT_COUNT
           : damping_types(model, DAMPED_AS_IS) >> DAMPING_VARIATIONAL & 1 ? OWN_SLOT_SHAPE
                                                                           : 0;
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
    static const struct {
        BufferName drag, product, rows[3];
        const char *names[5];
    } sides[DAMPING_SIDES] = {
        {BUFFER_DAMPING_DRAG,
         BUFFER_DAMPING_FORCE,
         {BUFFER_DAMPING_FIRST_ROWS, BUFFER_DAMPING_SECOND_ROWS, BUFFER_DAMPING_THIRD_ROWS},
         {"damping of masses", "damping's gradient", "first rows of the damping's blocks",
          "second rows of the damping's blocks", "third rows of the damping's blocks"}},
        {BUFFER_RIGID_DRAG,
         BUFFER_RIGID_PRODUCT,
         {BUFFER_RIGID_FIRST_ROWS, BUFFER_RIGID_SECOND_ROWS, BUFFER_RIGID_THIRD_ROWS},
         {"damping of masses less rigid motions", "gradient of damping less rigid motions",
          "first rows of damping less rigid motions", "second rows of damping less rigid motions",
          "third rows of damping less rigid motions"}},
    };
    const uint64_t real = real_size(f64), n = (uint64_t)model->node_count, some = has_entries(model);
    uint64_t words, numbers;
    count_lists(model, &words, &numbers);
    defs[BUFFER_DAMPING_LISTS] = (GpuBufferDef){"lists of damping", some * 4 * words, GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_DAMPING_NUMBERS] =
        (GpuBufferDef){"numbers of damping", some * real * numbers, GPU_MEMORY_DEVICE, 0};
    for (int side = 0; side < DAMPING_SIDES; ++side) {
        const uint32_t types = damping_types(model, (DampingSide)side);
        const uint64_t used = types != 0, linear = (types & DAMPING_LINEAR_TYPES) != 0;
        const char *const *names = sides[side].names;
        defs[sides[side].drag] = (GpuBufferDef){names[0], used * real * n, GPU_MEMORY_DEVICE, 0};
        defs[sides[side].product] = (GpuBufferDef){names[1], linear * 3 * real * n, GPU_MEMORY_DEVICE, 0};
        for (int row = 0; row < 3; ++row)
            defs[sides[side].rows[row]] =
                (GpuBufferDef){names[2 + row], linear * defs[BUFFER_FIRST_ROWS].size, GPU_MEMORY_DEVICE, 0};
    }
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
        words[*word + DAMPING_FORM] = (uint32_t)entry->form;
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

static bool has_linear(const DampingList *list)
{
    for (const Damping *entry = damping_first(list); entry != damping_end(list); ++entry)
        if (DAMPING_LINEAR_TYPES >> entry->type & 1)
            return true;
    return false;
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
            if (has_linear(model->materials[group->materials[element]].damping))
                device->damped_kinds |= 1u << k;
            real_store(device->f64, numbers, place, group->volumes[element]);
        }
    }
    device->damped_kinds &= DAMPED_KINDS | DAMPED_BY_HESSIAN_KINDS;
    TRY(gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_DAMPING_LISTS), 0, words, 4 * word_count));
    return gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_DAMPING_NUMBERS), 0, numbers,
                      real * number_count);
}

static VelaResult upload_drag(VulkanDevice *device, DampingSide side, BufferName buffer, Arena *scratch)
{
    double *drag;
    void *packed;
    if (damping_types(device->base.model, side) == 0)
        return VELA_OK;
    TRY(ARENA_ARRAY(scratch, drag, device->node_count));
    TRY(arena_allocate(scratch, device->node_count, real_size(device->f64), &packed));
    TRY(model_mass_drag(device->base.model, side, scratch, drag));
    for (size_t i = 0; i < device->node_count; ++i)
        real_store(device->f64, packed, i, drag[i]);
    return gpu_upload(device->gpu, vulkan_buffer(device, buffer), 0, packed,
                      device->node_count * real_size(device->f64));
}

VelaResult damping_upload(VulkanDevice *device, Arena *scratch)
{
    const Model *model = device->base.model;
    if (!has_entries(model))
        return VELA_OK;
    TRY(upload_lists(device, scratch));
    for (int side = 0; side < DAMPING_SIDES && device->damped_kinds != 0; ++side)
        if (damping_types(model, (DampingSide)side) & DAMPING_LINEAR_TYPES)
            device->damped_sides |= 1u << side;
    TRY(upload_drag(device, DAMPED_AS_IS, BUFFER_DAMPING_DRAG, scratch));
    return upload_drag(device, DAMPED_LESS_RIGID, BUFFER_RIGID_DRAG, scratch);
}
