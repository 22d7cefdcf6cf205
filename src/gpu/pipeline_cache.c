/// Compiled pipelines on disk. A cache that cannot be read, written or understood is never an error.
#include "gpu/pipeline_cache.h"

#include "base/file.h"
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// $XDG_CACHE_HOME/vela/pipelines-<device uuid>-<driver version>.bin; NULL without a home.
static char *cache_path(GpuDevice *device)
{
    char folder[1024];
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (device->def.cache_folder)
        snprintf(folder, sizeof folder, "%s", device->def.cache_folder);
    else if (cache && cache[0] == '/')
        snprintf(folder, sizeof folder, "%s/vela", cache);
    else if (home && home[0] == '/')
        snprintf(folder, sizeof folder, "%s/.cache/vela", home);
    else
        return NULL;
    char uuid[2 * VK_UUID_SIZE + 1];
    for (size_t i = 0; i < VK_UUID_SIZE; ++i)
        snprintf(uuid + 2 * i, 3, "%02x", device->properties.pipelineCacheUUID[i]);
    const size_t size = strlen(folder) + sizeof uuid + 64;
    char *path = context_allocate(device->context, size);
    if (path)
        snprintf(path, size, "%s/pipelines-%04x-%04x-%s-%08x.bin", folder, device->properties.vendorID,
                 device->properties.deviceID, uuid, device->properties.driverVersion);
    return path;
}

/// Vulkan's own header says which device made the data; drivers are not all careful with the rest.
static bool cache_fits(const GpuDevice *device, const char *data, size_t size)
{
    VkPipelineCacheHeaderVersionOne header;
    if (size < sizeof header)
        return false;
    memcpy(&header, data, sizeof header);
    return header.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE &&
           header.vendorID == device->properties.vendorID && header.deviceID == device->properties.deviceID &&
           memcmp(header.pipelineCacheUUID, device->properties.pipelineCacheUUID, VK_UUID_SIZE) == 0;
}

// The file: an 8-byte checksum of what follows, then the driver's data.
static uint64_t checksum(const char *data, size_t size)
{
    return hash_bytes(HASH_START, data, size);
}

VelaResult gpu_pipeline_cache_load(GpuDevice *device)
{
    Arena arena = arena_make(device->context);
    VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    if (device->def.pipeline_cache)
        device->cache_path = cache_path(device);
    FILE *file = device->cache_path ? fopen(device->cache_path, "rb") : NULL;
    if (file) {
        fclose(file);
        char *data;
        size_t size;
        uint64_t sum;
        if (file_read(device->context, device->cache_path, &arena, &data, &size) == VELA_OK &&
            size > sizeof sum) {
            memcpy(&sum, data, sizeof sum);
            if (sum == checksum(data + sizeof sum, size - sizeof sum) &&
                cache_fits(device, data + sizeof sum, size - sizeof sum)) {
                info.initialDataSize = size - sizeof sum;
                info.pInitialData = data + sizeof sum;
            }
        }
        if (!info.pInitialData)
            context_log(device->context, VELA_LOG_DEBUG, "%s: not usable, ignored", device->cache_path);
    }
    VkResult result = device->vk.CreatePipelineCache(device->handle, &info, NULL, &device->pipeline_cache);
    if (result != VK_SUCCESS && info.initialDataSize > 0) {
        info.initialDataSize = 0;
        result = device->vk.CreatePipelineCache(device->handle, &info, NULL, &device->pipeline_cache);
    }
    arena_clear(&arena);
    return gpu_result(device, result, "making a pipeline cache");
}

void gpu_pipeline_cache_save(GpuDevice *device)
{
    if (!device->cache_path || device->lost)
        return;
    size_t size = 0;
    uint64_t sum;
    if (device->vk.GetPipelineCacheData(device->handle, device->pipeline_cache, &size, NULL) != VK_SUCCESS ||
        size == 0)
        return;
    char *data = context_allocate(device->context, sizeof sum + size);
    if (!data)
        return;
    // A failed write must not replace the message of an error that is on its way to the user.
    char message[sizeof device->context->message];
    memcpy(message, device->context->message, sizeof message);
    char *slash = strrchr(device->cache_path, '/');
    *slash = 0;
    VelaResult result = file_make_folder(device->context, device->cache_path);
    *slash = '/';
    if (result == VELA_OK && device->vk.GetPipelineCacheData(device->handle, device->pipeline_cache, &size,
                                                             data + sizeof sum) == VK_SUCCESS) {
        sum = checksum(data + sizeof sum, size);
        memcpy(data, &sum, sizeof sum);
        result = file_write(device->context, device->cache_path, data, sizeof sum + size);
    }
    if (result != VELA_OK)
        context_log(device->context, VELA_LOG_DEBUG, "pipelines are not kept: %s", device->context->message);
    memcpy(device->context->message, message, sizeof message);
    context_free(device->context, data);
}
