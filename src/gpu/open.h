/// Opening and closing a device.
#ifndef GPU_OPEN_H
#define GPU_OPEN_H

#include "gpu/device.h"

GpuDeviceDef gpu_default_device_def(void);
VelaResult gpu_device_create(GpuInstance *instance, int32_t index, const GpuDeviceDef *def,
                             GpuDevice **device);
/// Waits for the device to be idle, writes the pipeline cache. NULL is allowed.
void gpu_device_destroy(GpuDevice *device);

#endif
