/// Sums and extremes that kernels leave in sections of BUFFER_DIAGNOSIS.
#ifndef DEVICE_VULKAN_DIAGNOSIS_SECTIONS_H
#define DEVICE_VULKAN_DIAGNOSIS_SECTIONS_H

#include "device/vulkan/vulkan_device.h"

/// Records the beginning of sums: `sums` sections of BUFFER_DIAGNOSIS are 0 then, the `smallest` ones behind them hold a
/// large number, BUFFER_INDICES `indices`.
void sections_begin(VulkanDevice *device, GpuCommands *commands, uint64_t sums, uint64_t smallest,
                    uint32_t indices);
/// Records copies of the first `count` sections and of the indices to the host; returns their bytes.
int64_t sections_read(VulkanDevice *device, GpuCommands *commands, uint64_t count);
/// What was read, once the host has waited: the sum of a section's entries, the smallest one.
double section_sum(const VulkanDevice *device, size_t section);
double section_smallest(const VulkanDevice *device, size_t section);
uint32_t section_index(const VulkanDevice *device, size_t index);

#endif
