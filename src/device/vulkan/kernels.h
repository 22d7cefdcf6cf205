/// The kernels of a device, bound to its buffers.
#ifndef DEVICE_VULKAN_KERNELS_H
#define DEVICE_VULKAN_KERNELS_H

#include "device/vulkan/vulkan_device.h"

VelaResult vulkan_kernels_create(VulkanDevice *device);

#endif
