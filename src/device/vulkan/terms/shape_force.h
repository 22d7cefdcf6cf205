/// What forms of damping other than the lagged one bring on the Vulkan device (theory.md section 7): t dR/dx, found where a stage begins and
/// lagged as the shape is. Without such forms nothing is planned and nothing recorded.
#ifndef DEVICE_VULKAN_TERMS_SHAPE_FORCE_H
#define DEVICE_VULKAN_TERMS_SHAPE_FORCE_H

#include "device/vulkan/vulkan_device.h"

/// Size of its buffer.
void shape_force_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT]);
/// Finds the sides that have such forms.
void shape_force_find(VulkanDevice *device);

/// Records the forces of the stage that begins, at SLOT_STAGE.
VelaResult shape_force_stage_set(VulkanDevice *device);
/// Records that they join the gradient of Newton's method.
VelaResult shape_force_linearize(VulkanDevice *device);
/// Records their part of the trials.
VelaResult shape_force_trials(VulkanDevice *device, uint32_t halvings);
/// Records those where the stage has ended, to BUFFER_NODE_GRADIENT or added to it, at all nodes.
VelaResult shape_force_add(VulkanDevice *device, bool adds);

#endif
