/// Bodies' motion as rigid ones (theory.md section 7, angular momentum) on the Vulkan device: twin of device/cpu/terms/rigid_motion.h. Ways,
/// and forces, go over the parts that nothing holds (model/rigid_parts.h); those of other nodes stay as they are. Where no damping asks for
/// it nothing is planned.
#ifndef DEVICE_VULKAN_TERMS_RIGID_MOTION_H
#define DEVICE_VULKAN_TERMS_RIGID_MOTION_H

#include "device/vulkan/terms/node_motion.h"

/// Sizes of its buffers.
void rigid_motion_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT]);
/// Uploads the chunks of nodes.
VelaResult rigid_motion_upload(VulkanDevice *device, Arena *scratch);

/// Records P w of a motion's ways w, about the places of slot number `position`, to one of the device's own slots; `seen` is the
/// motion that has it, in the same time.
VelaResult rigid_motion_ways(VulkanDevice *device, uint32_t position, const NodeMotion *motion, OwnSlot to,
                             NodeMotion *seen);
/// Records P d of the direction, to BUFFER_RIGID_INCREMENT.
VelaResult rigid_motion_increment(VulkanDevice *device, uint32_t position);
/// Records P^T f of the forces of BUFFER_RIGID_FORCE, with those on corners if asked for, to or added to BUFFER_NODE_GRADIENT.
VelaResult rigid_motion_forces(VulkanDevice *device, uint32_t position, bool gathers, bool adds);

/// The same in a recording of ADMM's iterations, about OWN_SLOT_SHAPE; dispatches take their size from `arguments`. Of ways as above; of the
/// direction of the conjugate gradients, to BUFFER_RIGID_INCREMENT; of forces to BUFFER_NODE_GRADIENT, RIGID_NODES_ALONE and so on of those of
/// BUFFER_RIGID_FORCE and BUFFER_RIGID_CORNERS.
void rigid_motion_record_ways(VulkanDevice *device, GpuCommands *commands, const NodeMotion *motion,
                              OwnSlot to, uint32_t arguments);
void rigid_motion_record_direction(VulkanDevice *device, GpuCommands *commands, uint32_t arguments);
void rigid_motion_record_forces(VulkanDevice *device, GpuCommands *commands, uint32_t gathers,
                                uint32_t arguments);

#endif
