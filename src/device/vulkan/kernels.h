/// The kernels of a device, bound to its buffers.
#ifndef DEVICE_VULKAN_KERNELS_H
#define DEVICE_VULKAN_KERNELS_H

#include "device/vulkan/vulkan_device.h"

VelaResult vulkan_kernels_create(VulkanDevice *device);
/// Binds them again, after buffers have been made larger.
void vulkan_kernels_rebind(VulkanDevice *device);
/// The name of a row's shader: of a kind of element (vulkan_kinds), or NULL.
void vulkan_kernel_shader(const KernelRow *row, const char *kind, bool f64, char *shader, size_t size);

#endif
