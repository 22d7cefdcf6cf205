/// Groups of nodes that contact holds together, in the two-level preconditioner of Newton's method on Vulkan.
#ifndef DEVICE_VULKAN_LINEAR_CONTACT_GROUPS_H
#define DEVICE_VULKAN_LINEAR_CONTACT_GROUPS_H

#include "device/vulkan/vulkan_device.h"

/// Whether there may be groups in a scene with pairs in contact (contact_has_pairs); and so what follows.
bool contact_groups_are_used(const Model *model);
/// Workgroups of coarse_forward that have groups; 0: there are none.
uint32_t contact_groups_workgroups(const Model *model);
/// The buffers whose size is the model's; those that grow are contact's.
void contact_groups_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT]);
/// Records the groups of the matrix that newton_start has left, and their roots.
VelaResult contact_groups_prepare(VulkanDevice *device);

#endif
