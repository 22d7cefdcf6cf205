/// The surface map (model/surface_map.h) on the device, where contact or the air ask for it.
#ifndef DEVICE_VULKAN_TERMS_SURFACE_H
#define DEVICE_VULKAN_TERMS_SURFACE_H

#include "device/vulkan/vulkan_device.h"

/// Sizes of its buffers, BUFFER_SURFACE_STARTS to BUFFER_SURFACE_WEIGHTS.
void surface_plan(const Model *model, GpuBufferDef defs[BUFFER_COUNT]);
/// Uploads it.
VelaResult surface_upload(VulkanDevice *device, Arena *scratch);

#endif
