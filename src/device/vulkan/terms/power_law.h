/// Power laws of damping (physics/dissipation/power_law.h) on the Vulkan device: the part of terms/damping.h that no matrix of a stage has. Without
/// one nothing is planned and nothing recorded.
#ifndef DEVICE_VULKAN_TERMS_POWER_LAW_H
#define DEVICE_VULKAN_TERMS_POWER_LAW_H

#include "device/vulkan/terms/damping_lists.h"
#include "device/vulkan/terms/node_motion.h"

/// Sizes of its buffer.
void power_law_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT]);
/// Finds the kinds of element that have one, and the sides. After the elements are placed.
void power_law_find(VulkanDevice *device);

/// Records the axes of the stage that begins, at SLOT_STAGE.
VelaResult power_law_stage_set(VulkanDevice *device);
/// Records its forces on a side in the stage, in which nodes move so, added to those of the elements' corners, and what its Hessians are made
/// of. DAMPED_AS_IS comes first.
VelaResult power_law_linearize(VulkanDevice *device, DampingSide side, const NodeMotion *motion);
/// Records its part of Newton's matrix, added to that of the elements.
VelaResult power_law_matrix(VulkanDevice *device);
/// Records its part of the trials, of a side.
VelaResult power_law_trials(VulkanDevice *device, DampingSide side, const NodeMotion *motion,
                            uint32_t halvings);
/// Records its forces on a side elsewhere, added to those of the elements' corners, times the time of the motion; powers to a section.
VelaResult power_law_forces(VulkanDevice *device, DampingSide side, uint32_t position,
                            const NodeMotion *motion, uint32_t section);

/// Records what changes with the shape (terms/shape_force.h), added to the forces of corners; `argument` as of abi/damping.h, `time` that of the
/// motion.
VelaResult power_law_shape(VulkanDevice *device, DampingSide side, uint32_t argument, double time);

#endif
