/// The damping of the variational integrators themselves (theory.md section 7) on the Vulkan device: twin of
/// device/cpu/terms/variational_damping.h. Where no material has it nothing is planned and nothing recorded.
#ifndef DEVICE_VULKAN_TERMS_VARIATIONAL_DAMPING_H
#define DEVICE_VULKAN_TERMS_VARIATIONAL_DAMPING_H

#include "device/vulkan/vulkan_device.h"

/// Sizes of its buffers.
void variational_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT]);
/// Finds the kinds of element that have it. After the elements are placed.
void variational_find(VulkanDevice *device);

/// Records the rest shapes of the stage that begins, at SLOT_BASE_POSITION.
VelaResult variational_stage_set(VulkanDevice *device);
/// Records what it adds to Newton's matrix and gradient at SLOT_STAGE. After the nodes and the elements' blocks.
VelaResult variational_linearize(VulkanDevice *device, bool project);
/// Records how far the direction may go until an element that must not invert nearly does at the step's end.
VelaResult variational_bound(VulkanDevice *device);
/// Records its part of the trials.
VelaResult variational_trials(VulkanDevice *device, uint32_t halvings);

/// Records the impulse of the stage at SLOT_STAGE over the step's length, to BUFFER_NODE_GRADIENT or added to it.
VelaResult variational_impulse(VulkanDevice *device, bool adds);
/// Records corner forces of a step of `duration`, s, with the velocity of a slot, which is at a position on its way, over the duration.
/// Clears the others' first.
VelaResult variational_forces(VulkanDevice *device, Slot position, Slot velocity, double duration);
/// Records that those join BUFFER_NODE_GRADIENT.
VelaResult variational_gather(VulkanDevice *device, bool adds, bool free_only);

#endif
