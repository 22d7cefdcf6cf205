/// What damps the materials of a model, as the Vulkan device has it (abi/damping.h), and the buffers of terms/damping.h.
#ifndef DEVICE_VULKAN_TERMS_DAMPING_LISTS_H
#define DEVICE_VULKAN_TERMS_DAMPING_LISTS_H

#include "device/vulkan/vulkan_device.h"

/// Bits of types: all, and those that a matrix C has.
enum {
    DAMPING_ALL_TYPES = (1 << DAMPING_TYPES) - 1,
    DAMPING_LINEAR_TYPES =
        1 << DAMPING_STRAIN_RATE | 1 << DAMPING_RAYLEIGH | 1 << DAMPING_PRINCIPAL_STRAIN | 1 << DAMPING_SPLINE
};

/// The types that occur on a side, bits.
uint32_t damping_types(const Model *model, DampingSide side);
/// How many of its own slots a device has.
uint64_t damping_own_slots(const Model *model);
/// Sizes of its buffers.
void damping_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT]);
/// Finds the kinds that have damping that is linear, and its sides, and uploads what does not change. After elements_sort.
VelaResult damping_upload(VulkanDevice *device, Arena *scratch);

#endif
