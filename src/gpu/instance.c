#include "gpu/instance.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INSTANCE_COOKIE = 0x67707569 };

static const char validation_layer[] = "VK_LAYER_KHRONOS_validation";

GpuInstanceDef gpu_default_instance_def(void)
{
    return (GpuInstanceDef){.cookie = INSTANCE_COOKIE};
}

const char *gpu_device_type_name(GpuDeviceType type)
{
    static const char *const names[] = {"software", "virtual GPU", "integrated GPU", "discrete GPU"};
    return names[type];
}

static VKAPI_ATTR VkBool32 VKAPI_CALL receive_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                      VkDebugUtilsMessageTypeFlagsEXT types,
                                                      const VkDebugUtilsMessengerCallbackDataEXT *data,
                                                      void *user)
{
    GpuInstance *instance = user;
    // Messages of the loader itself (types GENERAL) tell of drivers that do not fit this machine: not ours. Nor is what the layer says of
    // an instance's function being asked of a device: NVIDIA's driver does that when a device is made (580.159).
    const bool validation =
        (types & (VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                  VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT)) &&
        !strstr(data->pMessage, "vkGetDeviceProcAddr(): pName is trying to grab vkGetPhysicalDevice");
    if (validation)
        atomic_fetch_add(&instance->validation_messages, 1);
    context_log(instance->context, validation ? VELA_LOG_ERROR : VELA_LOG_DEBUG, "Vulkan %s: %s",
                severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT ? "error" : "warning",
                data->pMessage);
    return VK_FALSE;
}

static VkDebugUtilsMessengerCreateInfoEXT messenger_info(GpuInstance *instance)
{
    return (VkDebugUtilsMessengerCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity =
            VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
        .pfnUserCallback = receive_message,
        .pUserData = instance,
    };
}

static VelaResult load_library(GpuInstance *instance)
{
    instance->library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!instance->library)
        instance->library = dlopen("libvulkan.so", RTLD_NOW | RTLD_LOCAL);
    FAIL_IF(instance->context, !instance->library, VELA_ERROR_NO_DEVICE,
            "no Vulkan loader: libvulkan.so.1 was not found; install the package libvulkan1 (Fedora, Arch: "
            "vulkan-loader, vulkan-icd-loader)");
    GpuFunctions *vk = &instance->vk;
    void *symbol = dlsym(instance->library, "vkGetInstanceProcAddr");
    memcpy(&vk->GetInstanceProcAddr, &symbol, sizeof symbol);
    FAIL_IF(instance->context, !symbol, VELA_ERROR_NO_DEVICE,
            "libvulkan.so.1 has no vkGetInstanceProcAddr: reinstall the package libvulkan1");
#define LOAD(name)                                                                                           \
    vk->name = (PFN_vk##name)vk->GetInstanceProcAddr(NULL, "vk" #name);                                      \
    FAIL_IF(instance->context, !vk->name, VELA_ERROR_NO_DEVICE,                                              \
            "the Vulkan loader has no vk" #name ": version 1.1 or newer is needed (package libvulkan1)");
    GPU_GLOBAL_FUNCTIONS(LOAD)
#undef LOAD
    return VELA_OK;
}

static bool has_instance_extension(GpuInstance *instance, const char *layer, const char *name)
{
    VkExtensionProperties properties[128];
    uint32_t count = 128;
    const VkResult result = instance->vk.EnumerateInstanceExtensionProperties(layer, &count, properties);
    if (result != VK_SUCCESS && result != VK_INCOMPLETE)
        return false;
    for (uint32_t i = 0; i < count; ++i)
        if (strcmp(properties[i].extensionName, name) == 0)
            return true;
    return false;
}

static bool has_layer(GpuInstance *instance, const char *name)
{
    VkLayerProperties properties[64];
    uint32_t count = 64;
    const VkResult result = instance->vk.EnumerateInstanceLayerProperties(&count, properties);
    if (result != VK_SUCCESS && result != VK_INCOMPLETE)
        return false;
    for (uint32_t i = 0; i < count; ++i)
        if (strcmp(properties[i].layerName, name) == 0)
            return true;
    return false;
}

static VelaResult create_handle(GpuInstance *instance, const GpuInstanceDef *def)
{
    VelaContext *context = instance->context;
    const bool installed = has_layer(instance, validation_layer);
    const char *layers = getenv("VK_INSTANCE_LAYERS");
    const bool enable_layer = def->validation && installed;
    instance->validation = installed && (def->validation || (layers && strstr(layers, validation_layer)));
    const char *extensions[2];
    uint32_t extension_count = 0;
    const bool debug = has_instance_extension(instance, NULL, VK_EXT_DEBUG_UTILS_EXTENSION_NAME) ||
                       (enable_layer && has_instance_extension(instance, validation_layer,
                                                               VK_EXT_DEBUG_UTILS_EXTENSION_NAME));
    if (debug)
        extensions[extension_count++] = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info(instance);
    const VkValidationFeatureEnableEXT enables[] = {
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
    const VkValidationFeaturesEXT features = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                              .enabledValidationFeatureCount = 1,
                                              .pEnabledValidationFeatures = enables};
    if (enable_layer)
        messenger.pNext = &features;
    uint32_t loader_version = 0;
    instance->vk.EnumerateInstanceVersion(&loader_version);
    FAIL_IF(context, loader_version < VK_API_VERSION_1_2, VELA_ERROR_NO_DEVICE,
            "the Vulkan loader is version %u.%u, 1.2 is needed (package libvulkan1)",
            VK_API_VERSION_MAJOR(loader_version), VK_API_VERSION_MINOR(loader_version));
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .pApplicationName = "vela",
                                           .pEngineName = "vela",
                                           .apiVersion = VK_API_VERSION_1_2};
    const char *const enabled_layers[] = {validation_layer};
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = debug ? &messenger : NULL,
        .pApplicationInfo = &application,
        .enabledLayerCount = enable_layer ? 1 : 0,
        .ppEnabledLayerNames = enabled_layers,
        .enabledExtensionCount = extension_count,
        .ppEnabledExtensionNames = extensions,
    };
    const VkResult result = instance->vk.CreateInstance(&info, NULL, &instance->handle);
    FAIL_IF(context, result == VK_ERROR_OUT_OF_HOST_MEMORY, VELA_ERROR_OUT_OF_MEMORY,
            "out of memory while starting Vulkan");
    FAIL_IF(context, result != VK_SUCCESS, VELA_ERROR_NO_DEVICE,
            "no Vulkan driver (vkCreateInstance answered %d): install your GPU's driver, or the package "
            "mesa-vulkan-drivers, which also brings a software one",
            (int)result);
    GpuFunctions *vk = &instance->vk;
#define LOAD(name) vk->name = (PFN_vk##name)vk->GetInstanceProcAddr(instance->handle, "vk" #name);
    GPU_INSTANCE_FUNCTIONS(LOAD)
    GPU_DEBUG_FUNCTIONS(LOAD)
#undef LOAD
    if (debug && vk->CreateDebugUtilsMessengerEXT) {
        messenger.pNext = NULL;
        vk->CreateDebugUtilsMessengerEXT(instance->handle, &messenger, NULL, &instance->messenger);
    }
    return VELA_OK;
}

/// The reason why the device cannot be used, "" if it can.
static void judge(const GpuInstance *instance, VkPhysicalDevice physical,
                  const VkPhysicalDeviceProperties *properties, bool has_compute, char *reason, size_t size)
{
    const VkPhysicalDeviceLimits *limits = &properties->limits;
    reason[0] = 0;
    if (properties->apiVersion < VK_API_VERSION_1_2) {
        snprintf(reason, size, "Vulkan %u.%u, 1.2 is needed", VK_API_VERSION_MAJOR(properties->apiVersion),
                 VK_API_VERSION_MINOR(properties->apiVersion));
        return;
    }
    VkPhysicalDeviceVulkan12Features features12 = {.sType =
                                                       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &features12};
    instance->vk.GetPhysicalDeviceFeatures2(physical, &features);
    if (!has_compute)
        snprintf(reason, size, "no compute queue");
    else if (!features12.scalarBlockLayout)
        snprintf(reason, size, "the feature scalarBlockLayout is missing");
    else if (limits->maxStorageBufferRange < GPU_BINDING_LEAST)
        snprintf(reason, size, "storage buffers up to %u MiB, %u are needed",
                 limits->maxStorageBufferRange >> 20, (unsigned)(GPU_BINDING_LEAST >> 20));
    else if (limits->maxComputeWorkGroupSize[0] < 256 || limits->maxComputeWorkGroupInvocations < 256)
        snprintf(reason, size, "workgroups of up to %u, 256 are needed",
                 limits->maxComputeWorkGroupInvocations);
    else if (limits->maxPerStageDescriptorStorageBuffers < 16)
        snprintf(reason, size, "%u storage buffers a kernel, 16 are needed",
                 limits->maxPerStageDescriptorStorageBuffers);
    else if (limits->maxComputeSharedMemorySize < 16384)
        snprintf(reason, size, "%u bytes of shared memory, 16384 are needed",
                 limits->maxComputeSharedMemorySize);
}

static GpuDeviceType device_type(VkPhysicalDeviceType type)
{
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return GPU_DEVICE_DISCRETE;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return GPU_DEVICE_INTEGRATED;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return GPU_DEVICE_SOFTWARE;
    default:
        return GPU_DEVICE_VIRTUAL;
    }
}

static void describe(GpuInstance *instance, int32_t index)
{
    const GpuFunctions *vk = &instance->vk;
    VkPhysicalDevice physical = instance->physical[index];
    GpuDeviceInfo *info = &instance->devices[index];
    VkPhysicalDeviceProperties plain;
    vk->GetPhysicalDeviceProperties(physical, &plain);
    VkPhysicalDeviceDriverProperties driver = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceSubgroupProperties subgroup = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES, .pNext = &driver};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &subgroup};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    if (plain.apiVersion >= VK_API_VERSION_1_2) {
        vk->GetPhysicalDeviceProperties2(physical, &properties);
        vk->GetPhysicalDeviceFeatures2(physical, &features);
    }
    info->index = index;
    snprintf(info->name, sizeof info->name, "%s", plain.deviceName);
    snprintf(info->driver, sizeof info->driver, "%s%s%s", driver.driverName, driver.driverInfo[0] ? " " : "",
             driver.driverInfo);
    info->type = device_type(plain.deviceType);
    info->api_version = plain.apiVersion;
    info->binding = plain.limits.maxStorageBufferRange;
    info->subgroup_size = subgroup.subgroupSize;
    info->float64 = features.features.shaderFloat64;
    VkPhysicalDeviceMemoryProperties memory;
    vk->GetPhysicalDeviceMemoryProperties(physical, &memory);
    for (uint32_t i = 0; i < memory.memoryHeapCount; ++i)
        if ((memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) &&
            memory.memoryHeaps[i].size > info->memory)
            info->memory = memory.memoryHeaps[i].size;
    VkQueueFamilyProperties families[32];
    uint32_t count = 32;
    vk->GetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    bool compute = false;
    for (uint32_t i = 0; i < count; ++i) {
        if (!(families[i].queueFlags & VK_QUEUE_COMPUTE_BIT))
            continue;
        compute = true;
        info->timestamps |= families[i].timestampValidBits > 0;
        info->graphics |= (families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0;
    }
    judge(instance, physical, &plain, compute, info->reason, sizeof info->reason);
    info->usable = info->reason[0] == 0;
}

static VelaResult enumerate(GpuInstance *instance)
{
    uint32_t count = GPU_MAX_DEVICES;
    const VkResult result =
        instance->vk.EnumeratePhysicalDevices(instance->handle, &count, instance->physical);
    FAIL_IF(instance->context, (result != VK_SUCCESS && result != VK_INCOMPLETE) || count == 0,
            VELA_ERROR_NO_DEVICE,
            "no Vulkan device was found: install your GPU's driver, or the package mesa-vulkan-drivers, "
            "which also brings a software one");
    instance->device_count = (int32_t)count;
    for (int32_t i = 0; i < instance->device_count; ++i)
        describe(instance, i);
    return VELA_OK;
}

VelaResult gpu_instance_create(VelaContext *context, const GpuInstanceDef *def, GpuInstance **instance)
{
    *instance = NULL;
    REQUIRE(context, def->cookie == INSTANCE_COOKIE);
    GpuInstance *created = context_allocate(context, sizeof *created);
    FAIL_IF(context, !created, VELA_ERROR_OUT_OF_MEMORY, "out of memory while starting Vulkan");
    created->context = context;
    VelaResult result;
    TRY_GOTO(result, load_library(created), failed);
    TRY_GOTO(result, create_handle(created, def), failed);
    TRY_GOTO(result, enumerate(created), failed);
    *instance = created;
    return VELA_OK;
failed:
    gpu_instance_destroy(created);
    return result;
}

void gpu_instance_destroy(GpuInstance *instance)
{
    if (!instance)
        return;
    if (instance->kept) {
        context_free(instance->context, instance);
        return;
    }
    if (instance->messenger)
        instance->vk.DestroyDebugUtilsMessengerEXT(instance->handle, instance->messenger, NULL);
    if (instance->handle)
        instance->vk.DestroyInstance(instance->handle, NULL);
    if (instance->library)
        dlclose(instance->library);
    context_free(instance->context, instance);
}

static VelaResult choose_best(GpuInstance *instance, bool real_only, int32_t *index)
{
    *index = -1;
    for (int32_t i = 0; i < instance->device_count; ++i) {
        const GpuDeviceInfo *info = &instance->devices[i];
        if (!info->usable || (real_only && info->type == GPU_DEVICE_SOFTWARE))
            continue;
        if (*index < 0 || info->type > instance->devices[*index].type)
            *index = i;
    }
    if (*index >= 0)
        return VELA_OK;
    const GpuDeviceInfo *first = &instance->devices[0];
    FAIL_IF(
        instance->context, first->usable, VELA_ERROR_NO_DEVICE,
        "no GPU: the only Vulkan device is a software driver (%s), which is used only when named (vulkan)",
        first->name);
    return context_fail(instance->context, VELA_ERROR_NO_DEVICE, "no usable Vulkan device: %s: %s",
                        first->name, first->reason);
}

VelaResult gpu_instance_choose(GpuInstance *instance, const char *name, int32_t *index)
{
    if (strcmp(name, "auto") == 0 || strcmp(name, "vulkan") == 0)
        return choose_best(instance, name[0] == 'a', index);
    char *end = NULL;
    const long number = strncmp(name, "vulkan:", 7) == 0 && name[7] >= '0' && name[7] <= '9'
                            ? strtol(name + 7, &end, 10)
                            : -1;
    FAIL_IF(instance->context, number < 0 || *end, VELA_ERROR_INVALID_INPUT,
            "device \"%s\": expected auto, cpu, vulkan or vulkan:N", name);
    FAIL_IF(instance->context, number >= instance->device_count, VELA_ERROR_INVALID_INPUT,
            "device \"%s\": there are %d Vulkan devices, vulkan:0 to vulkan:%d (see vela devices)", name,
            instance->device_count, instance->device_count - 1);
    *index = (int32_t)number;
    const GpuDeviceInfo *info = &instance->devices[number];
    FAIL_IF(instance->context, !info->usable, VELA_ERROR_NO_DEVICE, "%s (%s) cannot be used: %s", name,
            info->name, info->reason);
    return VELA_OK;
}
