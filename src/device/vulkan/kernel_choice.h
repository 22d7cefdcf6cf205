/// Which kernels a scene needs: those of the other solver, of another preconditioner, of contact or damping that is not are not made.
#ifndef DEVICE_VULKAN_KERNEL_CHOICE_H
#define DEVICE_VULKAN_KERNEL_CHOICE_H

#include "device/vulkan/vulkan_device.h"

/// `kernel`: a KernelName.
bool vulkan_kernel_is_needed(const VulkanDevice *device, int kernel);
/// Of kernels of elements, that are needed: with elements of a kind.
bool vulkan_kernel_is_needed_of(const VulkanDevice *device, int kernel, int kind);

#endif
