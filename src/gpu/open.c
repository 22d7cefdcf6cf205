#include "gpu/open.h"

#include "gpu/pipeline.h"
#include "gpu/pipeline_cache.h"
#include "gpu/transfer.h"

enum { DEVICE_COOKIE = 0x67707564 };

GpuDeviceDef gpu_default_device_def(void)
{
    return (GpuDeviceDef){.float64 = true,
                          .timestamps = true,
                          .subgroups = true,
                          .pipeline_cache = true,
                          .timeout = 120,
                          .cookie = DEVICE_COOKIE};
}

/// The family that can compute and draw, else one that can compute.
static void choose_queue(GpuDevice *device)
{
    VkQueueFamilyProperties families[32];
    uint32_t count = 32;
    device->vk.GetPhysicalDeviceQueueFamilyProperties(device->physical, &count, families);
    bool found = false, graphics = false;
    for (uint32_t i = 0; i < count; ++i) {
        const bool draws = (families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0;
        if (!(families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) || (found && (graphics || !draws)))
            continue;
        found = true;
        graphics = draws;
        device->queue_family = i;
        const uint32_t bits = families[i].timestampValidBits;
        device->timestamp_mask = bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    }
    device->timestamps =
        device->def.timestamps && device->timestamp_mask > 0 && device->properties.limits.timestampPeriod > 0;
}

static VelaResult create_handle(GpuDevice *device)
{
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = device->queue_family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const bool subgroups = device->subgroups.size > 1;
    VkPhysicalDeviceSubgroupSizeControlFeaturesEXT sizes = gpu_subgroups_features(&device->subgroups);
    VkPhysicalDeviceVulkan12Features features12 = {.sType =
                                                       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                   .pNext = subgroups ? &sizes : NULL,
                                                   .scalarBlockLayout = VK_TRUE};
    const char *const extensions[] = {gpu_subgroups_extension};
    const VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                                .pNext = &features12,
                                                .features = {.shaderFloat64 = device->float64}};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &features,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = subgroups ? 1 : 0,
                                     .ppEnabledExtensionNames = extensions};
    GpuFunctions *vk = &device->vk;
    TRY(gpu_result(device, vk->CreateDevice(device->physical, &info, NULL, &device->handle),
                   "opening the device"));
#define LOAD(function)                                                                                       \
    vk->function = (PFN_vk##function)vk->GetDeviceProcAddr(device->handle, "vk" #function);                  \
    FAIL_IF(device->context, !vk->function, VELA_ERROR_DEVICE, "%s: the driver has no vk" #function,         \
            device->info.name);
    GPU_DEVICE_FUNCTIONS(LOAD)
#undef LOAD
    vk->GetDeviceQueue(device->handle, device->queue_family, 0, &device->queue);
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = device->queue_family};
    return gpu_result(device, vk->CreateCommandPool(device->handle, &pool, NULL, &device->command_pool),
                      "making a command pool");
}

static void read_properties(GpuDevice *device)
{
    const GpuFunctions *vk = &device->vk;
    vk->GetPhysicalDeviceMemoryProperties(device->physical, &device->memory);
    VkPhysicalDeviceMaintenance3Properties maintenance = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &maintenance};
    vk->GetPhysicalDeviceProperties2(device->physical, &properties);
    device->properties = properties.properties;
    device->max_allocation = maintenance.maxMemoryAllocationSize;
    device->float64 = device->def.float64 && device->info.float64;
    device->subgroups = device->def.subgroups ? gpu_subgroups_find(device->instance, device->physical)
                                              : (GpuSubgroups){.size = 1};
}

VelaResult gpu_device_create(GpuInstance *instance, int32_t index, const GpuDeviceDef *def,
                             GpuDevice **device)
{
    *device = NULL;
    VelaContext *context = instance->context;
    REQUIRE(context, def->cookie == DEVICE_COOKIE);
    REQUIRE(context, index >= 0 && index < instance->device_count);
    const GpuDeviceInfo *info = &instance->devices[index];
    FAIL_IF(context, !info->usable, VELA_ERROR_NO_DEVICE, "%s cannot be used: %s", info->name, info->reason);
    FAIL_IF(context, def->graphics && !info->graphics, VELA_ERROR_NO_DEVICE, "%s cannot draw", info->name);
    GpuDevice *created = context_allocate(context, sizeof *created);
    FAIL_IF(context, !created, VELA_ERROR_OUT_OF_MEMORY, "out of memory while opening %s", info->name);
    created->context = context;
    created->instance = instance;
    created->info = *info;
    created->def = *def;
    created->vk = instance->vk;
    created->physical = instance->physical[index];
    read_properties(created);
    choose_queue(created);
    VelaResult result;
    TRY_GOTO(result, create_handle(created), failed);
    TRY_GOTO(result, gpu_pipeline_cache_load(created), failed);
    *device = created;
    return VELA_OK;
failed:
    gpu_device_destroy(created);
    return result;
}

void gpu_device_destroy(GpuDevice *device)
{
    if (!device)
        return;
    const GpuFunctions *vk = &device->vk;
    if (device->handle) {
        if (vk->DeviceWaitIdle)
            vk->DeviceWaitIdle(device->handle);
        gpu_staging_destroy(device);
        gpu_kernels_destroy(device);
        if (device->pipeline_cache) {
            gpu_pipeline_cache_save(device);
            vk->DestroyPipelineCache(device->handle, device->pipeline_cache, NULL);
        }
        if (device->command_pool)
            vk->DestroyCommandPool(device->handle, device->command_pool, NULL);
        if (vk->DestroyDevice)
            vk->DestroyDevice(device->handle, NULL);
    }
    context_free(device->context, device->cache_path);
    context_free(device->context, device);
}
