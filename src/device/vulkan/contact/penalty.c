#include "device/vulkan/contact/penalty.h"

#include "device/vulkan/contact/dispatch.h"
#include "device/vulkan/recording.h"
#include "gpu/transfer.h"

bool penalty_has_pairs(const Model *model)
{
    return model->penalty_count > 0 && (model->surface.map.most > 1 || model->contact.has_friction);
}

uint64_t penalty_contacts(const Model *model)
{
    return (uint64_t)model->penalty_count * (uint64_t)model_surface_vertices(model);
}

/// All contacts there are, always: what a scan goes over.
VelaResult penalty_upload(VulkanDevice *device)
{
    return gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_PAIR_CONTROL), 4 * PAIR_CANDIDATES,
                      &device->contact_count, sizeof device->contact_count);
}

VelaResult penalty_pairs(VulkanDevice *device, bool rubs)
{
    const VulkanContact *contact = device->contact;
    const GpuBinding *kernel = &device->kernels[KERNEL_PENALTY_PAIRS];
    uint32_t push[] = {0, device->surface_count};
    TRY(vulkan_run(device, kernel, push, device->contact_count));
    TRY(contact_scan(device, &contact->scan_active, PAIR_CANDIDATES, PAIR_ACTIVE));
    TRY(contact_plan_count(device, PAIR_ACTIVE, contact->rooms.pairs, rubs));
    push[0] = 1;
    return vulkan_run(device, kernel, push, device->contact_count);
}

VelaResult penalty_trials(VulkanDevice *device, uint32_t halvings)
{
    const uint32_t push[] = {device->surface_count, halvings};
    return contact_run_sum(device, KERNEL_PENALTY_TRIALS, push);
}

VelaResult penalty_measure(VulkanDevice *device)
{
    return contact_run_sum(device, KERNEL_PENALTY_MEASURE, &device->surface_count);
}
