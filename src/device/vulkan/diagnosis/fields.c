#include "device/vulkan/diagnosis/fields.h"

#include "device/vulkan/exact.h"
#include "device/vulkan/recording.h"
#include "device/vulkan/terms/elements.h"
#include "gpu/transfer.h"

/// From the order of the device to that of the model, from energies to densities.
static void place(const VulkanDevice *device, const void *fields, float *stretch, float *densities)
{
    const Model *model = device->base.model;
    for (int kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        const ElementGroup *group = &model->groups[kind];
        const size_t first = (size_t)group->first_element;
        for (size_t i = first; i < first + (size_t)group->count; ++i) {
            const size_t e = device->order[i];
            stretch[e] = (float)real_load(device->f64, fields, i);
            densities[e] = (float)(real_load(device->f64, fields, device->element_count + i) /
                                   group->volumes[e - first]);
        }
    }
}

VelaResult vulkan_fields(Device *base, Slot position, float *stretch, float *densities)
{
    VulkanDevice *device = (VulkanDevice *)base;
    const size_t bytes = 2 * real_size(device->f64) * device->element_count;
    if (bytes == 0)
        return VELA_OK;
    TRY(elements_run(device, KERNEL_ELEMENT_FIELDS, vulkan_slot(device, position), false));
    TRY(vulkan_finish(device));
    Arena scratch = arena_make(base->context);
    void *fields;
    VelaResult result = arena_allocate(&scratch, bytes, 1, &fields);
    if (result == VELA_OK)
        result = gpu_download(device->gpu, vulkan_buffer(device, BUFFER_FIELDS), 0, fields, bytes);
    if (result == VELA_OK)
        place(device, fields, stretch, densities);
    arena_clear(&scratch);
    return result;
}
