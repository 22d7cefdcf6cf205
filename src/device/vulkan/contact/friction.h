/// Friction of the stage on the Vulkan device (theory.md section 8, "Friction, lagged"): that of barrier contact, and of penalty
/// contact once its contacts are listed (penalty_friction.h). All but the row of the device table are recorded.
#ifndef DEVICE_VULKAN_CONTACT_FRICTION_H
#define DEVICE_VULKAN_CONTACT_FRICTION_H

#include "device/vulkan/vulkan_device.h"

/// Sizes of its buffers that do not grow.
void friction_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT]);
/// What passes over the slip of the stage, s.
double friction_slip_time(const VulkanDevice *device);
/// Which coefficient holds between which surfaces, of barrier contact.
VelaResult friction_upload(VulkanDevice *device);
/// What rubs, from the pairs within range; those are as many as PAIR_FRICTION says.
VelaResult friction_lag(VulkanDevice *device);
/// Gradients and Hessians behind those of the barrier.
VelaResult friction_linearize(VulkanDevice *device);
VelaResult friction_trials(VulkanDevice *device, uint32_t halvings);
VelaResult vulkan_dissipation_loss(Device *base, Slot from, Slot to, double duration, DissipationLoss *loss);

#endif
