#include "gpu/memory.h"

#include "gpu/commands.h"

#include <string.h>

/// Buffers begin at multiples of this; no device asks for more in practice (offset alignments are at most 256).
enum { BUFFER_ALIGNMENT = 256 };
enum { KIND_COUNT = GPU_MEMORY_READBACK + 1 };
#define SMALLEST_BUFFER ((uint64_t)16)

static uint64_t align(uint64_t size, uint64_t alignment)
{
    return (size + alignment - 1) / alignment * alignment;
}

static uint64_t buffer_size(const GpuBufferDef *def)
{
    return def->size < SMALLEST_BUFFER ? SMALLEST_BUFFER : align(def->size, 4);
}

uint64_t gpu_pool_plan(int32_t count, const GpuBufferDef *defs)
{
    uint64_t total = 0;
    for (int32_t i = 0; i < count; ++i)
        total += align(buffer_size(&defs[i]), BUFFER_ALIGNMENT);
    return total;
}

int32_t gpu_memory_type(const GpuDevice *device, uint32_t bits, VkMemoryPropertyFlags wanted)
{
    for (uint32_t i = 0; i < device->memory.memoryTypeCount; ++i)
        if ((bits & (1u << i)) && (device->memory.memoryTypes[i].propertyFlags & wanted) == wanted)
            return (int32_t)i;
    return -1;
}

/// The best type for what a kind is used for; never -1 on a conforming driver.
static int32_t kind_type(const GpuDevice *device, GpuMemoryKind kind, uint32_t bits)
{
    const VkMemoryPropertyFlags host =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    int32_t type = -1;
    if (kind == GPU_MEMORY_DEVICE) {
        type = gpu_memory_type(device, bits, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
        return type >= 0 ? type : gpu_memory_type(device, bits, 0);
    }
    if (kind == GPU_MEMORY_READBACK)
        type = gpu_memory_type(device, bits, host | VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
    return type >= 0 ? type : gpu_memory_type(device, bits, host);
}

VelaResult gpu_memory_allocate(GpuDevice *device, uint64_t size, uint32_t type, const char *what,
                               VkDeviceMemory *memory)
{
    const uint64_t heap = device->memory.memoryHeaps[device->memory.memoryTypes[type].heapIndex].size;
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = size, .memoryTypeIndex = type};
    VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    if (size <= heap)
        result = device->vk.AllocateMemory(device->handle, &info, NULL, memory);
    FAIL_IF(
        device->context, result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY,
        VELA_ERROR_OUT_OF_MEMORY,
        "%s: %.1f MiB cannot be had from %s (its memory: %.0f MiB); close other programs that use it, take a "
        "smaller scene or another device",
        what, (double)size / 1048576, device->info.name, (double)heap / 1048576);
    TRY(gpu_result(device, result, what));
    device->statistics.memory += (int64_t)size;
    return VELA_OK;
}

static VelaResult create_buffer(GpuDevice *device, const GpuBufferDef *def, GpuBuffer *buffer)
{
    *buffer = (GpuBuffer){
        .name = def->name,
        .size = buffer_size(def),
        .usage = def->usage ? def->usage : VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
    };
    FAIL_IF(
        device->context,
        (buffer->usage & VK_BUFFER_USAGE_STORAGE_BUFFER_BIT) && buffer->size > device->info.binding,
        VELA_ERROR_UNSUPPORTED,
        "the buffer \"%s\" needs %.1f MiB, %s binds at most %.0f MiB at once: take a smaller scene, another "
        "device or the CPU path (--device cpu)",
        def->name, (double)buffer->size / 1048576, device->info.name, (double)device->info.binding / 1048576);
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = buffer->size,
        .usage = buffer->usage | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
    };
    return gpu_result(device, device->vk.CreateBuffer(device->handle, &info, NULL, &buffer->handle),
                      def->name);
}

static VelaResult create_buffers(GpuPool *pool, const GpuBufferDef *defs)
{
    for (int32_t i = 0; i < pool->count; ++i)
        TRY(create_buffer(pool->device, &defs[i], &pool->buffers[i]));
    return VELA_OK;
}

/// Gives the buffers [first, last) of one kind one memory object.
static VelaResult bind_range(GpuPool *pool, const GpuBufferDef *defs, GpuMemoryKind kind, int32_t first,
                             int32_t last)
{
    GpuDevice *device = pool->device;
    const GpuFunctions *vk = &device->vk;
    uint64_t size = 0;
    uint32_t bits = UINT32_MAX;
    for (int32_t i = first; i < last; ++i) {
        if (defs[i].kind != kind)
            continue;
        VkMemoryRequirements requirements;
        vk->GetBufferMemoryRequirements(device->handle, pool->buffers[i].handle, &requirements);
        size = align(align(size, BUFFER_ALIGNMENT), requirements.alignment) + requirements.size;
        bits &= requirements.memoryTypeBits;
    }
    if (size == 0)
        return VELA_OK;
    const int32_t type = kind_type(device, kind, bits);
    FAIL_IF(device->context, type < 0, VELA_ERROR_DEVICE, "%s: no memory type for %s", device->info.name,
            defs[first].name);
    VkDeviceMemory memory;
    TRY(gpu_memory_allocate(device, size, (uint32_t)type, "planned buffers", &memory));
    pool->memories[pool->memory_count++] = memory;
    pool->bytes += size;
    char *mapped = NULL;
    if (kind != GPU_MEMORY_DEVICE)
        TRY(gpu_result(device, vk->MapMemory(device->handle, memory, 0, VK_WHOLE_SIZE, 0, (void **)&mapped),
                       "mapping memory"));
    uint64_t offset = 0;
    for (int32_t i = first; i < last; ++i) {
        if (defs[i].kind != kind)
            continue;
        VkMemoryRequirements requirements;
        vk->GetBufferMemoryRequirements(device->handle, pool->buffers[i].handle, &requirements);
        offset = align(align(offset, BUFFER_ALIGNMENT), requirements.alignment);
        TRY(gpu_result(device, vk->BindBufferMemory(device->handle, pool->buffers[i].handle, memory, offset),
                       "binding memory"));
        if (mapped)
            pool->buffers[i].mapped = memset(mapped + offset, 0, pool->buffers[i].size);
        offset += requirements.size;
    }
    return VELA_OK;
}

/// One memory object a kind, or several where the driver limits their size.
static VelaResult bind_memory(GpuPool *pool, const GpuBufferDef *defs)
{
    const uint64_t limit = pool->device->max_allocation;
    for (GpuMemoryKind kind = 0; kind <= GPU_MEMORY_READBACK; ++kind) {
        int32_t first = 0;
        uint64_t size = 0;
        for (int32_t i = 0; i < pool->count; ++i) {
            if (defs[i].kind != kind)
                continue;
            // Requirements may round a little further than the plan: leave room for it.
            const uint64_t needed = align(pool->buffers[i].size, 65536);
            if (size > 0 && size + needed > limit) {
                TRY(bind_range(pool, defs, kind, first, i));
                first = i;
                size = 0;
            }
            size += needed;
        }
        TRY(bind_range(pool, defs, kind, first, pool->count));
    }
    return VELA_OK;
}

static VelaResult clear_buffers(GpuDevice *device, int32_t count, const GpuBuffer *buffers)
{
    GpuCommands *commands;
    TRY(gpu_commands_create(device, 0, &commands));
    VelaResult result = gpu_commands_begin(commands);
    if (result == VELA_OK) {
        for (int32_t i = 0; i < count; ++i)
            if (!buffers[i].mapped)
                gpu_fill(commands, &buffers[i], 0, 0, 0);
        gpu_barrier(commands);
        result = gpu_commands_run(commands);
    }
    gpu_commands_destroy(commands);
    return result;
}

VelaResult gpu_pool_create(GpuDevice *device, int32_t count, const GpuBufferDef *defs, GpuPool **pool)
{
    *pool = NULL;
    VelaContext *context = device->context;
    GpuPool *created = context_allocate(context, sizeof *created);
    FAIL_IF(context, !created, VELA_ERROR_OUT_OF_MEMORY, "out of memory while planning buffers");
    created->device = device;
    created->count = count;
    created->buffers = context_allocate(context, (size_t)count * sizeof *created->buffers);
    created->memories = context_allocate(context, ((size_t)count + KIND_COUNT) * sizeof *created->memories);
    created->grown = context_allocate(context, (size_t)count * sizeof *created->grown);
    created->grown_bytes = context_allocate(context, (size_t)count * sizeof *created->grown_bytes);
    VelaResult result;
    if (!created->buffers || !created->memories || !created->grown || !created->grown_bytes) {
        result = context_fail(context, VELA_ERROR_OUT_OF_MEMORY, "out of memory while planning buffers");
        goto failed;
    }
    TRY_GOTO(result, create_buffers(created, defs), failed);
    TRY_GOTO(result, bind_memory(created, defs), failed);
    TRY_GOTO(result, clear_buffers(device, count, created->buffers), failed);
    *pool = created;
    return VELA_OK;
failed:
    gpu_pool_destroy(created);
    return result;
}

static VelaResult bind_own_memory(GpuDevice *device, const GpuBuffer *buffer, VkDeviceMemory *memory,
                                  uint64_t *bytes)
{
    VkMemoryRequirements requirements;
    device->vk.GetBufferMemoryRequirements(device->handle, buffer->handle, &requirements);
    const int32_t type = kind_type(device, GPU_MEMORY_DEVICE, requirements.memoryTypeBits);
    FAIL_IF(device->context, type < 0, VELA_ERROR_DEVICE, "%s: no memory type for %s", device->info.name,
            buffer->name);
    TRY(gpu_memory_allocate(device, requirements.size, (uint32_t)type, buffer->name, memory));
    *bytes = requirements.size;
    return gpu_result(device, device->vk.BindBufferMemory(device->handle, buffer->handle, *memory, 0),
                      "binding memory");
}

VelaResult gpu_pool_grow(GpuPool *pool, int32_t index, uint64_t size)
{
    GpuDevice *device = pool->device;
    GpuBuffer *buffer = &pool->buffers[index], larger;
    REQUIRE(device->context, !buffer->mapped && size >= buffer->size);
    const GpuBufferDef def = {buffer->name, size, GPU_MEMORY_DEVICE, buffer->usage};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    uint64_t bytes = 0;
    VelaResult result;
    TRY_GOTO(result, create_buffer(device, &def, &larger), failed);
    TRY_GOTO(result, bind_own_memory(device, &larger, &memory, &bytes), failed);
    TRY_GOTO(result, clear_buffers(device, 1, &larger), failed);
    device->vk.DestroyBuffer(device->handle, buffer->handle, NULL);
    device->vk.FreeMemory(device->handle, pool->grown[index], NULL);
    device->statistics.memory -= (int64_t)pool->grown_bytes[index];
    pool->bytes += bytes - pool->grown_bytes[index];
    *buffer = larger;
    pool->grown[index] = memory;
    pool->grown_bytes[index] = bytes;
    return VELA_OK;
failed:
    device->vk.DestroyBuffer(device->handle, larger.handle, NULL);
    device->vk.FreeMemory(device->handle, memory, NULL);
    device->statistics.memory -= (int64_t)bytes;
    return result;
}

void gpu_pool_destroy(GpuPool *pool)
{
    if (!pool)
        return;
    GpuDevice *device = pool->device;
    for (int32_t i = 0; pool->grown && i < pool->count; ++i)
        device->vk.FreeMemory(device->handle, pool->grown[i], NULL);
    for (int32_t i = 0; pool->buffers && i < pool->count; ++i)
        if (pool->buffers[i].handle)
            device->vk.DestroyBuffer(device->handle, pool->buffers[i].handle, NULL);
    for (int32_t i = 0; i < pool->memory_count; ++i)
        device->vk.FreeMemory(device->handle, pool->memories[i], NULL);
    device->statistics.memory -= (int64_t)pool->bytes;
    context_free(device->context, pool->buffers);
    context_free(device->context, pool->memories);
    context_free(device->context, pool->grown);
    context_free(device->context, pool->grown_bytes);
    context_free(device->context, pool);
}
