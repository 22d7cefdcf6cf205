/// The buffers of a model.
#ifndef DEVICE_VULKAN_BUFFERS_H
#define DEVICE_VULKAN_BUFFERS_H

#include "device/vulkan/vulkan_device.h"

/// Sizes of all buffers of a model: those of its solver, the others are empty.
void vulkan_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT]);
/// Fills what does not change: elements, masses, flags, lists.
VelaResult vulkan_model_upload(VulkanDevice *device);

#endif
