/// Dispatches over what contact counts on the device.
#ifndef DEVICE_VULKAN_CONTACT_DISPATCH_H
#define DEVICE_VULKAN_CONTACT_DISPATCH_H

#include "device/vulkan/vulkan_device.h"

/// Records a kernel over one of the counts of abi/barrier.h, and a barrier behind it.
VelaResult contact_run(VulkanDevice *device, KernelName kernel, const void *push, uint32_t count_of);
/// The same for a kernel that goes over candidates or contacts that rub with PAIR_SUM_GROUPS workgroups.
VelaResult contact_run_sum(VulkanDevice *device, KernelName kernel, const void *push);

#endif
