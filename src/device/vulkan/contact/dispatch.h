/// Dispatches over what contact counts on the device, and how it counts.
#ifndef DEVICE_VULKAN_CONTACT_DISPATCH_H
#define DEVICE_VULKAN_CONTACT_DISPATCH_H

#include "device/vulkan/vulkan_device.h"

/// Records a kernel over one of the counts of abi/barrier.h, and a barrier behind it.
VelaResult contact_run(VulkanDevice *device, KernelName kernel, const void *push, uint32_t count_of);
/// The same for a kernel that goes over candidates or contacts that rub with PAIR_SUM_GROUPS workgroups.
VelaResult contact_run_sum(VulkanDevice *device, KernelName kernel, const void *push);
/// Records the places of the surface's vertices in a slot, and their motion: VERTICES_STAND, VERTICES_ALONG or VERTICES_TO `to`
/// (abi/barrier.h).
VelaResult contact_find_vertices(VulkanDevice *device, Slot at, uint32_t motion, Slot to);
/// Records a scan of as many as the count `count` says; their sum is what is wanted of the count `total`.
VelaResult contact_scan(VulkanDevice *device, const Scan *scan, uint32_t count, uint32_t total);
/// Records that what was wanted of a count becomes the count, as far as there is room. Of PAIR_ACTIVE: the count of pairs too,
/// `rubs`: with what rubs behind them.
VelaResult contact_plan_count(VulkanDevice *device, uint32_t of, uint32_t room, bool rubs);

#endif
