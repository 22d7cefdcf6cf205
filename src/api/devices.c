#include "vela/devices.h"

#include "gpu/instance.h"

#include <stdio.h>

static VelaDeviceType public_type(GpuDeviceType type)
{
    switch (type) {
    case GPU_DEVICE_DISCRETE:
        return VELA_DEVICE_DISCRETE;
    case GPU_DEVICE_INTEGRATED:
        return VELA_DEVICE_INTEGRATED;
    case GPU_DEVICE_VIRTUAL:
        return VELA_DEVICE_VIRTUAL;
    case GPU_DEVICE_SOFTWARE:
        return VELA_DEVICE_SOFTWARE;
    }
    return VELA_DEVICE_OTHER;
}

static void describe(const GpuDeviceInfo *found, bool automatic, VelaDeviceInfo *device)
{
    *device = (VelaDeviceInfo){.index = found->index,
                               .type = public_type(found->type),
                               .api_major = found->api_version >> 22 & 0x7f,
                               .api_minor = found->api_version >> 12 & 0x3ff,
                               .api_patch = found->api_version & 0xfff,
                               .memory = found->memory,
                               .subgroup_size = found->subgroup_size,
                               .float64 = found->float64,
                               .timestamps = found->timestamps,
                               .usable = found->usable,
                               .renders = found->usable && found->graphics,
                               .automatic = automatic};
    snprintf(device->name, sizeof device->name, "%s", found->name);
    snprintf(device->driver, sizeof device->driver, "%s", found->driver);
    snprintf(device->reason, sizeof device->reason, "%s",
             found->usable && !found->graphics ? "its queues cannot draw" : found->reason);
}

VelaResult vela_devices(VelaContext *context, int32_t capacity, VelaDeviceInfo *devices, int32_t *count)
{
    *count = 0;
    GpuInstance *instance;
    const GpuInstanceDef def = gpu_default_instance_def();
    const VelaResult result = gpu_instance_create(context, &def, &instance);
    if (result == VELA_ERROR_NO_DEVICE) {
        context_log(context, VELA_LOG_INFO, "%s", vela_context_message(context));
        return VELA_OK;
    }
    TRY(result);
    int32_t automatic;
    if (gpu_instance_choose(instance, "auto", &automatic) != VELA_OK)
        automatic = -1;
    *count = instance->device_count;
    for (int32_t i = 0; i < instance->device_count && i < capacity; ++i)
        describe(&instance->devices[i], i == automatic, &devices[i]);
    gpu_instance_destroy(instance);
    return VELA_OK;
}
