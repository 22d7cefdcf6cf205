#include "gpu/device.h"

#include <string.h>

VelaResult gpu_result(GpuDevice *device, VkResult result, const char *what)
{
    VelaContext *context = device->context;
    const char *name = device->info.name;
    switch (result) {
    case VK_SUCCESS:
        return VELA_OK;
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return context_fail(context, VELA_ERROR_OUT_OF_MEMORY, "%s: out of host memory (%s)", what, name);
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        return context_fail(
            context, VELA_ERROR_OUT_OF_MEMORY,
            "%s: out of memory on %s; close other programs that use it, take a smaller scene or "
            "another device",
            what, name);
    case VK_ERROR_DEVICE_LOST:
        device->lost = true;
        return context_fail(context, VELA_ERROR_DEVICE,
                            "%s: %s was lost (the driver reset it); start again, or use another device", what,
                            name);
    default:
        return context_fail(context, VELA_ERROR_DEVICE,
                            "%s: %s answered with Vulkan error %d; try a newer driver (%s)", what, name,
                            (int)result, device->info.driver);
    }
}

#define KEPT(X)                                                                                              \
    X(Buffer)                                                                                                \
    X(CommandPool)                                                                                           \
    X(DescriptorPool)                                                                                        \
    X(DescriptorSetLayout)                                                                                   \
    X(Fence)                                                                                                 \
    X(Framebuffer)                                                                                           \
    X(Image)                                                                                                 \
    X(ImageView)                                                                                             \
    X(Pipeline)                                                                                              \
    X(PipelineCache)                                                                                         \
    X(PipelineLayout)                                                                                        \
    X(QueryPool)                                                                                             \
    X(RenderPass)                                                                                            \
    X(Sampler)

#define KEEP(type)                                                                                           \
    static VKAPI_ATTR void VKAPI_CALL keep##type(VkDevice device, Vk##type object,                           \
                                                 const VkAllocationCallbacks *allocator)                     \
    {                                                                                                        \
        (void)device, (void)object, (void)allocator;                                                         \
    }
KEPT(KEEP)
#undef KEEP

static VKAPI_ATTR void VKAPI_CALL keep_memory(VkDevice device, VkDeviceMemory memory,
                                              const VkAllocationCallbacks *allocator)
{
    (void)device, (void)memory, (void)allocator;
}

static VKAPI_ATTR void VKAPI_CALL keep_commands(VkDevice device, VkCommandPool pool, uint32_t count,
                                                const VkCommandBuffer *buffers)
{
    (void)device, (void)pool, (void)count, (void)buffers;
}

static VKAPI_ATTR void VKAPI_CALL keep_device(VkDevice device, const VkAllocationCallbacks *allocator)
{
    (void)device, (void)allocator;
}

static VKAPI_ATTR VkResult VKAPI_CALL do_not_wait(VkDevice device)
{
    (void)device;
    return VK_ERROR_DEVICE_LOST;
}

void gpu_device_keep(GpuDevice *device)
{
#define KEEP(type) device->vk.Destroy##type = keep##type;
    KEPT(KEEP)
#undef KEEP
    device->vk.FreeMemory = keep_memory;
    device->vk.FreeCommandBuffers = keep_commands;
    device->vk.DestroyDevice = keep_device;
    device->vk.DeviceWaitIdle = do_not_wait;
    device->instance->kept = true;
}

int32_t gpu_timer_find(GpuDevice *device, const char *name)
{
    GpuStatistics *statistics = &device->statistics;
    for (int32_t i = 0; i < statistics->timer_count; ++i)
        if (strcmp(statistics->timers[i].name, name) == 0)
            return i;
    if (statistics->timer_count == GPU_MAX_TIMERS)
        return -1;
    statistics->timers[statistics->timer_count].name = name;
    return statistics->timer_count++;
}
