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
