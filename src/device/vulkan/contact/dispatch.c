#include "device/vulkan/contact/dispatch.h"

#include "device/vulkan/recording.h"

VelaResult contact_run(VulkanDevice *device, KernelName kernel, const void *push, uint32_t count_of)
{
    GpuCommands *commands;
    TRY(vulkan_open(device, &commands));
    gpu_dispatch_indirect(commands, &device->kernels[kernel], push,
                          vulkan_buffer(device, BUFFER_PAIR_CONTROL),
                          4 * (PAIR_ARGUMENTS + 3 * (uint64_t)count_of));
    gpu_barrier(commands);
    return VELA_OK;
}

VelaResult contact_run_sum(VulkanDevice *device, KernelName kernel, const void *push)
{
    return vulkan_run_groups(device, &device->kernels[kernel], push, PAIR_SUM_GROUPS);
}

VelaResult contact_find_vertices(VulkanDevice *device, Slot at, uint32_t motion, Slot to)
{
    const uint32_t count = (uint32_t)device->base.model->surface.map.vertex_count;
    const uint32_t push[] = {count, device->node_count, vulkan_slot(device, at), motion,
                             vulkan_slot(device, to)};
    return vulkan_run(device, &device->kernels[KERNEL_SURFACE_VERTICES], push, count);
}

VelaResult contact_scan(VulkanDevice *device, const Scan *scan, uint32_t count, uint32_t total)
{
    GpuCommands *commands;
    TRY(vulkan_open(device, &commands));
    scan_record(commands, scan, count, PAIR_WANTED + total);
    return VELA_OK;
}

VelaResult contact_plan_count(VulkanDevice *device, uint32_t of, uint32_t room, bool rubs)
{
    const uint32_t push[] = {of, room, rubs, device->contact->rooms.pairs, gpu_groups_in_row(device->gpu)};
    return vulkan_run_groups(device, &device->kernels[KERNEL_BARRIER_PLAN], push, 1);
}
