/// Damping of materials (physics/dissipation/damping.h, theory.md section 7) on the Vulkan device, in its lagged form: twin of
/// device/cpu/terms/damping.h. Without damping nothing is planned and nothing recorded.
#ifndef DEVICE_VULKAN_TERMS_DAMPING_H
#define DEVICE_VULKAN_TERMS_DAMPING_H

#include "device/vulkan/vulkan_device.h"

/// Sizes of its buffers.
void damping_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT]);
/// Finds the damped kinds and uploads what does not change. After elements_sort.
VelaResult damping_upload(VulkanDevice *device, Arena *scratch);

/// Records C of the stage that begins, at SLOT_STAGE.
VelaResult damping_stage_set(VulkanDevice *device);
/// Records what it adds to Newton's matrix and gradient at SLOT_STAGE. After the elements' parts of both.
VelaResult damping_linearize(VulkanDevice *device);
/// Records its part of the trials.
VelaResult damping_trials(VulkanDevice *device, uint32_t halvings);
/// Records -M^-1 C v of the stage at SLOT_STAGE, added to an acceleration, or -C v on all nodes, to forces; C as it is there.
VelaResult damping_dissipation(VulkanDevice *device, Slot destination, bool forces);

/// As of device/device.h.
VelaResult vulkan_damping_acceleration(Device *device, Slot destination, Slot position, Slot velocity,
                                       double step);
VelaResult vulkan_damping_loss(Device *device, Slot position, Slot velocity, double duration,
                               DissipationLoss *loss);

#endif
