/// Buffers. Everything a computation needs is planned as one list of sizes and allocated at once.
#ifndef GPU_MEMORY_H
#define GPU_MEMORY_H

#include "gpu/buffer.h"

typedef struct GpuPool {
    GpuDevice *device;
    uint64_t bytes;
    int32_t count;
    GpuBuffer *buffers; ///< in the order of the defs
    int32_t memory_count;
    VkDeviceMemory *memories;
    VkDeviceMemory *grown; ///< of each buffer that was made again, its own; NULL: it lies in `memories`
    uint64_t *grown_bytes;
} GpuPool;

/// Bytes a pool of these buffers takes, alignment included; needs no device.
uint64_t gpu_pool_plan(int32_t count, const GpuBufferDef *defs);
/// Zeroed device memory. VELA_ERROR_OUT_OF_MEMORY with the sizes in the message when the heap is too small or refuses,
/// VELA_ERROR_UNSUPPORTED for a storage buffer larger than the device binds.
VelaResult gpu_pool_create(GpuDevice *device, int32_t count, const GpuBufferDef *defs, GpuPool **pool);
/// Makes buffer number `index`, of GPU_MEMORY_DEVICE, again with `size` bytes, at least as many as it had. Its contents are 0
/// afterwards, and kernels bound to it have to be bound again (gpu_rebind). The device must not be using it. Errors as of
/// gpu_pool_create; then the buffer is what it was.
VelaResult gpu_pool_grow(GpuPool *pool, int32_t index, uint64_t size);
/// NULL is allowed. The device must not be using it.
void gpu_pool_destroy(GpuPool *pool);

/// The first memory type among `bits` with all `wanted` properties, or -1.
int32_t gpu_memory_type(const GpuDevice *device, uint32_t bits, VkMemoryPropertyFlags wanted);
VelaResult gpu_memory_allocate(GpuDevice *device, uint64_t size, uint32_t type, const char *what,
                               VkDeviceMemory *memory);

#endif
