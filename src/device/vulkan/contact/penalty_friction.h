/// Friction of penalty contact on the Vulkan device (theory.md sections 7 and 8), the twin of device/cpu/terms/penalty_friction.h: what
/// rubs is listed as the contacts of friction.h. For Newton's method they are lagged, where the stage begins; ADMM's kernels find
/// the forces (shaders/common/contact/penalty_prox.glsl), and what they have found is listed then (penalty_forces.h).
#ifndef DEVICE_VULKAN_CONTACT_PENALTY_FRICTION_H
#define DEVICE_VULKAN_CONTACT_PENALTY_FRICTION_H

#include "device/vulkan/vulkan_device.h"

/// Whether the model has such friction.
bool penalty_rubs(const Model *model);
/// Sizes of its buffers.
void penalty_friction_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT]);
/// Who rubs how. VELA_OK at once without such friction, like the next three.
VelaResult penalty_friction_upload(VulkanDevice *device);
/// Records what rubs at SLOT_STAGE, where the stage begins.
VelaResult penalty_friction_lag(VulkanDevice *device);
/// ADMM begins: records how obstacles move over the slip, for the kernel that finds where friction holds; that has been recorded.
VelaResult penalty_friction_prepare(VulkanDevice *device);
void penalty_friction_prepared(VulkanDevice *device);
/// Records what rubs by what ADMM has found.
VelaResult penalty_friction_list_solved(VulkanDevice *device);

#endif
