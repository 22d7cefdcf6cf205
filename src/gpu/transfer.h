/// Copies between host memory and buffers.
#ifndef GPU_TRANSFER_H
#define GPU_TRANSFER_H

#include "gpu/buffer.h"

/// Copies host memory to a buffer and waits.
VelaResult gpu_upload(GpuDevice *device, const GpuBuffer *buffer, uint64_t offset, const void *data,
                      uint64_t size);
/// Copies a buffer to host memory and waits.
VelaResult gpu_download(GpuDevice *device, const GpuBuffer *buffer, uint64_t offset, void *data,
                        uint64_t size);
void gpu_staging_destroy(GpuDevice *device);

#endif
