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
