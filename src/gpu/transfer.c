#include "gpu/transfer.h"

#include "gpu/commands.h"
#include "gpu/memory.h"

#include <string.h>

#define STAGING_SIZE ((uint64_t)4 << 20)

struct GpuStaging {
    GpuPool *pool; ///< [0] upload, [1] readback
    GpuCommands *commands;
};

static VelaResult staging_make(GpuDevice *device)
{
    if (device->staging)
        return VELA_OK;
    GpuStaging *staging = context_allocate(device->context, sizeof *staging);
    FAIL_IF(device->context, !staging, VELA_ERROR_OUT_OF_MEMORY, "out of memory while planning transfers");
    device->staging = staging;
    const GpuBufferDef defs[2] = {
        {"upload staging", STAGING_SIZE, GPU_MEMORY_UPLOAD, VK_BUFFER_USAGE_TRANSFER_SRC_BIT},
        {"readback staging", STAGING_SIZE, GPU_MEMORY_READBACK, VK_BUFFER_USAGE_TRANSFER_DST_BIT},
    };
    VelaResult result = gpu_pool_create(device, 2, defs, &staging->pool);
    if (result == VELA_OK)
        result = gpu_commands_create(device, 0, &staging->commands);
    if (result != VELA_OK)
        gpu_staging_destroy(device);
    return result;
}

void gpu_staging_destroy(GpuDevice *device)
{
    if (!device->staging)
        return;
    gpu_commands_destroy(device->staging->commands);
    gpu_pool_destroy(device->staging->pool);
    context_free(device->context, device->staging);
    device->staging = NULL;
}

VelaResult gpu_upload(GpuDevice *device, const GpuBuffer *buffer, uint64_t offset, const void *data,
                      uint64_t size)
{
    if (buffer->mapped) {
        memcpy((char *)buffer->mapped + offset, data, size);
        return VELA_OK;
    }
    TRY(staging_make(device));
    const GpuBuffer *source = &device->staging->pool->buffers[0];
    GpuCommands *commands = device->staging->commands;
    for (uint64_t done = 0; done < size;) {
        const uint64_t part = size - done < STAGING_SIZE ? size - done : STAGING_SIZE;
        memcpy(source->mapped, (const char *)data + done, part);
        TRY(gpu_commands_begin(commands));
        gpu_copy(commands, source, 0, buffer, offset + done, part);
        gpu_barrier(commands);
        TRY(gpu_commands_run(commands));
        done += part;
    }
    device->statistics.uploaded += (int64_t)size;
    return VELA_OK;
}

VelaResult gpu_download(GpuDevice *device, const GpuBuffer *buffer, uint64_t offset, void *data,
                        uint64_t size)
{
    if (buffer->mapped) {
        memcpy(data, (const char *)buffer->mapped + offset, size);
        return VELA_OK;
    }
    TRY(staging_make(device));
    const GpuBuffer *destination = &device->staging->pool->buffers[1];
    GpuCommands *commands = device->staging->commands;
    for (uint64_t done = 0; done < size;) {
        const uint64_t part = size - done < STAGING_SIZE ? size - done : STAGING_SIZE;
        TRY(gpu_commands_begin(commands));
        gpu_barrier(commands);
        gpu_copy(commands, buffer, offset + done, destination, 0, part);
        gpu_barrier(commands);
        TRY(gpu_commands_run(commands));
        memcpy((char *)data + done, destination->mapped, part);
        done += part;
    }
    device->statistics.downloaded += (int64_t)size;
    return VELA_OK;
}
