#include "device/vulkan/contact/penalty_forces.h"

#include "device/vulkan/contact/contact.h"
#include "device/vulkan/contact/penalty_friction.h"
#include "device/vulkan/exact.h"
#include "device/vulkan/recording.h"
#include "gpu/transfer.h"

VelaResult penalty_forces_solved(VulkanDevice *device)
{
    if (!penalty_rubs(device->base.model))
        return VELA_OK;
    for (bool again = true; again;) {
        GpuCommands *commands;
        TRY(penalty_friction_list_solved(device));
        TRY(vulkan_open(device, &commands));
        device->gpu->statistics.downloaded += contact_read(device, commands);
        TRY(vulkan_finish(device));
        TRY(contact_grow(device, &again));
    }
    device->contact->solved = true;
    contact_stage_begun(device);
    return VELA_OK;
}

VelaResult vulkan_penalty_friction(Device *base, double *pulls)
{
    VulkanDevice *device = (VulkanDevice *)base;
    if (!penalty_rubs(base->model))
        return VELA_OK;
    uint32_t count;
    TRY(contact_friction_pairs(device, &count));
    const size_t real = real_size(device->f64), pair = 3 * PAIR_DATA;
    Arena scratch = arena_make(base->context);
    uint32_t *contacts;
    void *pairs;
    VelaResult result = ARENA_ARRAY(&scratch, contacts, count);
    if (result == VELA_OK)
        result = arena_allocate(&scratch, count * pair, real, &pairs);
    if (result == VELA_OK && count > 0)
        result = gpu_download(device->gpu, vulkan_buffer(device, BUFFER_ACTIVE), 0, contacts, 4 * count);
    if (result == VELA_OK && count > 0)
        result =
            gpu_download(device->gpu, vulkan_buffer(device, BUFFER_PAIRS), 0, pairs, real * pair * count);
    for (size_t c = 0; result == VELA_OK && c < count; ++c)
        for (size_t k = 0; k < 3; ++k)
            pulls[3 * (size_t)contacts[c] + k] = real_load(device->f64, pairs, pair * c + k);
    arena_clear(&scratch);
    return result;
}
