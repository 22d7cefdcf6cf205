/// Damping of materials (physics/dissipation/damping.h, theory.md section 7) on the Vulkan device, in its lagged form: twin of
/// device/cpu/terms/damping.h. Without damping nothing is planned and nothing recorded.
#ifndef DEVICE_VULKAN_TERMS_DAMPING_H
#define DEVICE_VULKAN_TERMS_DAMPING_H

#include "device/vulkan/vulkan_device.h"

/// Types of damping whose R is quadratic in velocities, bits.
#define DAMPING_LINEAR_TYPES (((1u << DAMPING_TYPES) - 1) & ~(1u << DAMPING_POWER_LAW))

/// Sizes of its buffers.
void damping_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT]);
/// Finds the damped kinds and uploads what does not change. After elements_sort.
VelaResult damping_upload(VulkanDevice *device, Arena *scratch);

/// Records what the stage that begins needs of the shape at SLOT_STAGE: C for Newton's method, ADMM's local problems.
VelaResult damping_stage_set(VulkanDevice *device);
/// Records what it adds to Newton's matrix and gradient at SLOT_STAGE. After the elements' parts of both.
VelaResult damping_linearize(VulkanDevice *device);
/// Records its part of the trials.
VelaResult damping_trials(VulkanDevice *device, uint32_t halvings);
/// Records -M^-1 C v of the stage at SLOT_STAGE, added to an acceleration, or -C v on all nodes, to forces; C as it is there.
VelaResult damping_dissipation(VulkanDevice *device, Slot destination, bool forces);

/// What all power laws take, W. The host waits for it.
VelaResult damping_law_power(VulkanDevice *device, Slot position, Slot velocity, double *power);

/// As of device/device.h.
VelaResult vulkan_damping_acceleration(Device *device, Slot destination, Slot position, Slot velocity,
                                       double step);
VelaResult vulkan_damping_loss(Device *device, Slot position, Slot velocity, double duration,
                               DissipationLoss *loss);

#endif
