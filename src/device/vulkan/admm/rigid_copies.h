/// Copies in ADMM on the Vulkan device that see velocities less those of rigid motions, D P x (theory.md section 7, angular momentum): what they
/// take beside the others of admm/damping_copies.h. Where no material asks for it nothing is planned and nothing recorded.
#ifndef DEVICE_VULKAN_ADMM_RIGID_COPIES_H
#define DEVICE_VULKAN_ADMM_RIGID_COPIES_H

#include "device/vulkan/vulkan_device.h"

/// Sizes of their buffers.
void rigid_copies_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT]);
/// With the others.
VelaResult rigid_copies_create(VulkanDevice *device);

/// Records where the stage's damping stands.
VelaResult rigid_copies_stage_set(VulkanDevice *device);
/// Records P x at the start of the stage, at its base and where the step starts.
VelaResult rigid_copies_begin(VulkanDevice *device);

/// Parts of an iteration: P^T of the copies' forces behind the projections, P x behind the increment, P^T behind the dual residual.
void rigid_copies_record_local(VulkanDevice *device, GpuCommands *commands);
void rigid_copies_record_after(VulkanDevice *device, GpuCommands *commands);
void rigid_copies_record_dual(VulkanDevice *device, GpuCommands *commands);
/// Of an iteration of the conjugate gradients, before cg_apply: P^T Q P of the direction to BUFFER_NODE_GRADIENT.
void rigid_copies_record_product(VulkanDevice *device, GpuCommands *commands);

#endif
