/// Elements on the device: the kinds there are, where each has its elements, and how kernels go over them.
#ifndef DEVICE_VULKAN_TERMS_ELEMENTS_H
#define DEVICE_VULKAN_TERMS_ELEMENTS_H

#include "device/vulkan/vulkan_device.h"

/// What the device has to know of a kind beside its row of element_kinds.
typedef struct VulkanKind {
    const char *shader; ///< ending of its kernels' names, shaders/common/elements/name.glsl
    uint32_t data;      ///< reals an element leaves Newton's matrix (abi/elements.h)
} VulkanKind;

extern const VulkanKind vulkan_kinds[ELEMENT_KIND_COUNT];

/// Numbers of all elements.
typedef struct ElementTotals {
    uint64_t elements, corners, shapes, locals, data, pairs; ///< pairs: of corners of one element
} ElementTotals;

/// Where each kind's elements are; but for first_start, which is the matrix' business.
ElementTotals elements_place(const Model *model, ElementPlaces places[ELEMENT_KIND_COUNT]);
/// Sorts the elements by energy model: fills places, ranges and order of the device.
VelaResult elements_sort(VulkanDevice *device);
/// Uploads what does not change. After elements_sort.
VelaResult elements_upload(VulkanDevice *device, Arena *scratch);
/// One number of every element, in the order of the model, to a section of the parameters.
VelaResult elements_upload_parameter(VulkanDevice *device, uint32_t parameter, const double *values);

/// Push constants for all elements of a kind, for those of a range.
ElementPush elements_push_kind(const VulkanDevice *device, int kind, uint32_t argument);
ElementPush elements_push_range(const VulkanDevice *device, uint32_t range, uint32_t argument);
/// Records a kernel of ranges over all elements; as one that leaves sums where `sums`.
VelaResult elements_run(VulkanDevice *device, KernelName kernel, uint32_t argument, bool sums);
/// The same over the elements of some kinds, bits.
VelaResult elements_run_kinds(VulkanDevice *device, KernelName kernel, uint32_t argument, bool sums,
                              uint32_t kinds);

#endif
