/// The air (physics/dissipation/air.h, theory.md section 7) on the Vulkan device: twin of device/cpu/terms/air.h. Without air nothing is
/// planned and nothing recorded.
#ifndef DEVICE_VULKAN_TERMS_AIR_H
#define DEVICE_VULKAN_TERMS_AIR_H

#include "device/device.h"
#include "device/vulkan/terms/node_motion.h"

/// Sections that air_forces adds to: what it takes, that of the free nodes' motion, what the wind puts in.
enum { AIR_TAKEN, AIR_FREE, AIR_DRIVEN, AIR_SECTIONS };

bool air_is_there(const Model *model);
/// Sizes of its buffers.
void air_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT]);
/// Uploads what does not change.
VelaResult air_upload(VulkanDevice *device, Arena *scratch);

/// Records B of the stage that begins, at SLOT_STAGE.
VelaResult air_stage_set(VulkanDevice *device);
/// Records what it adds to Newton's matrix and gradient at SLOT_STAGE. After the elements' parts of both.
VelaResult air_linearize(VulkanDevice *device);
/// Records its part of the trials.
VelaResult air_trials(VulkanDevice *device, uint32_t halvings);
/// Records its force at a slot's places as a gradient, written to BUFFER_NODE_GRADIENT or with `adds` added to it, and its powers, added to
/// the AIR_SECTIONS sections from `section` on.
VelaResult air_forces(VulkanDevice *device, Slot position, const NodeMotion *motion, bool adds,
                      uint32_t section);

#endif
