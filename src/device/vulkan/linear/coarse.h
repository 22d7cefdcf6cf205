/// The coarse space of the two-level preconditioner.
#ifndef DEVICE_VULKAN_LINEAR_COARSE_H
#define DEVICE_VULKAN_LINEAR_COARSE_H

#include "device/vulkan/vulkan_device.h"

/// Sizes of the coarse space's buffers.
void coarse_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT]);
/// Groups, arms, and what each block of the coarse matrix sums.
VelaResult coarse_upload(VulkanDevice *device);
/// Records assembly and factorization.
VelaResult coarse_prepare(VulkanDevice *device);

#endif
