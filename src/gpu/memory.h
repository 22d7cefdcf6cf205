/// Buffers. Everything a computation needs is planned as one list of sizes and allocated at once.
#ifndef GPU_MEMORY_H
#define GPU_MEMORY_H

#include "gpu/device.h"

typedef enum GpuMemoryKind {
    GPU_MEMORY_DEVICE,   ///< the device's own; contents go through gpu_upload and gpu_download
    GPU_MEMORY_UPLOAD,   ///< written by the host through `mapped`, read by the device
    GPU_MEMORY_READBACK, ///< written by the device, read by the host through `mapped`
} GpuMemoryKind;

typedef struct GpuBufferDef {
    const char *name; ///< static string, for messages
    uint64_t size;    ///< bytes, at most GPU_BINDING_LIMIT if bound to a kernel; 0 is made 16
    GpuMemoryKind kind;
    /// 0: storage; vertex, index, uniform, indirect as needed. Transfers are always allowed.
    VkBufferUsageFlags usage;
} GpuBufferDef;

typedef struct GpuBuffer {
    VkBuffer handle;
    uint64_t size; ///< as asked for (at least 16)
    void *mapped;  ///< NULL for GPU_MEMORY_DEVICE
    const char *name;
} GpuBuffer;

typedef struct GpuPool {
    GpuDevice *device;
    uint64_t bytes;
    int32_t count;
    GpuBuffer *buffers; ///< in the order of the defs
    int32_t memory_count;
    VkDeviceMemory *memories;
} GpuPool;

/// Bytes a pool of these buffers takes, alignment included; needs no device.
uint64_t gpu_pool_plan(int32_t count, const GpuBufferDef *defs);
/// Zeroed device memory. VELA_ERROR_OUT_OF_MEMORY with the sizes in the message when the heap is too small or refuses,
/// VELA_ERROR_UNSUPPORTED for a storage buffer larger than GPU_BINDING_LIMIT.
VelaResult gpu_pool_create(GpuDevice *device, int32_t count, const GpuBufferDef *defs, GpuPool **pool);
/// NULL is allowed. The device must not be using it.
void gpu_pool_destroy(GpuPool *pool);

/// Copies host memory to a buffer and waits.
VelaResult gpu_upload(GpuDevice *device, const GpuBuffer *buffer, uint64_t offset, const void *data,
                      uint64_t size);
/// Copies a buffer to host memory and waits.
VelaResult gpu_download(GpuDevice *device, const GpuBuffer *buffer, uint64_t offset, void *data,
                        uint64_t size);
void gpu_staging_destroy(GpuDevice *device);

/// The first memory type among `bits` with all `wanted` properties, or -1.
int32_t gpu_memory_type(const GpuDevice *device, uint32_t bits, VkMemoryPropertyFlags wanted);
VelaResult gpu_memory_allocate(GpuDevice *device, uint64_t size, uint32_t type, const char *what,
                               VkDeviceMemory *memory);

#endif
