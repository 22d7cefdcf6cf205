/// What a buffer is; memory.h makes them.
#ifndef GPU_BUFFER_H
#define GPU_BUFFER_H

#include "gpu/device.h"

typedef enum GpuMemoryKind {
    GPU_MEMORY_DEVICE,   ///< the device's own; contents go through gpu_upload and gpu_download
    GPU_MEMORY_UPLOAD,   ///< written by the host through `mapped`, read by the device
    GPU_MEMORY_READBACK, ///< written by the device, read by the host through `mapped`
} GpuMemoryKind;

typedef struct GpuBufferDef {
    const char *name; ///< static string, for messages
    uint64_t size;    ///< bytes, at most GpuDeviceInfo.binding if bound to a kernel; 0 is made 16
    GpuMemoryKind kind;
    /// 0: storage; vertex, index, uniform, indirect as needed. Transfers are always allowed.
    VkBufferUsageFlags usage;
} GpuBufferDef;

typedef struct GpuBuffer {
    VkBuffer handle;
    uint64_t size; ///< as asked for (at least 16)
    void *mapped;  ///< NULL for GPU_MEMORY_DEVICE
    const char *name;
    VkBufferUsageFlags usage; ///< besides transfers
} GpuBuffer;

#endif
