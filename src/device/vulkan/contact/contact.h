/// Contact that works with the surface's vertices on the Vulkan device: the barrier and friction (theory.md section 8), with the
/// list of candidates (broad_phase.h), the twin of device/cpu/contact/barrier_contact.h; and penalty contact as far as penalty.h
/// has it. What Newton's method, forces and diagnostics want of it, in kernels; contact.c describes the data flow.
#ifndef DEVICE_VULKAN_CONTACT_CONTACT_H
#define DEVICE_VULKAN_CONTACT_CONTACT_H

#include "device/vulkan/vulkan_device.h"

/// Whether the model has such contact.
bool contact_has_pairs(const Model *model);
/// Sizes of the buffers of contact: what grows, as it begins.
void contact_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT]);
/// VELA_OK at once without such contact, like all that follows.
VelaResult contact_create(VulkanDevice *device);

/// A stage begins (device_stage_set); recorded with what first needs it.
void contact_stage_set(VulkanDevice *device);
/// Records what the stage begins with, unless that has been done: candidates at SLOT_STAGE, what rubs.
VelaResult contact_begin_stage(VulkanDevice *device);
/// What was recorded has been done, and all of it fitted.
void contact_stage_begun(VulkanDevice *device);
/// Records gradient and matrix of contact and friction at SLOT_STAGE: joins the gradient and the diagonal of newton_nodes, and
/// makes the list of blocks beside the matrix.
VelaResult contact_linearize(VulkanDevice *device);
/// Records what the blocks beside the matrix, of contact_linearize, add to the coarse space's.
VelaResult contact_join_coarse(VulkanDevice *device);
/// Records candidates along the direction, and the largest admissible step into the sections of the trials.
VelaResult contact_bound(VulkanDevice *device);
/// Records contact's and friction's part of the trials.
VelaResult contact_trials(VulkanDevice *device, uint32_t halvings);
/// Records energy, smallest gap and closest pair at a slot; the next linearization needs a new stage or direction.
VelaResult contact_measure(VulkanDevice *device, Slot at);
void contact_collect_measure(const VulkanDevice *device, Diagnosis *diagnosis);

/// Records the copies that the next three look at; returns their bytes.
int64_t contact_read(VulkanDevice *device, GpuCommands *commands);
/// Pairs within the barrier's range, of the last readback; -1 without a barrier.
int32_t contact_active_count(const VulkanDevice *device);
/// After a wait: makes room for what did not fit. `again`: something did not, so what was recorded has to be done again.
VelaResult contact_grow(VulkanDevice *device, bool *again);

/// destination -= M^-1 grad of contact at a slot, or with `forces` grad at all nodes; waits for the device.
VelaResult contact_acceleration(VulkanDevice *device, Slot destination, Slot at, bool forces);
/// Likewise with the dissipative forces of the stage at SLOT_STAGE.
VelaResult contact_dissipation(VulkanDevice *device, Slot destination, bool forces);
/// Gradients of what rubs in the stage, `count` of them in order, the first pairs of BUFFER_PAIRS, each at its first vertex; with friction
/// only. Waits for the device.
VelaResult contact_friction_pairs(VulkanDevice *device, uint32_t *count);
/// The rows of the device table of the same names.
VelaResult vulkan_dissipation_loss(Device *base, Slot from, Slot to, double duration, DissipationLoss *loss);
VelaResult vulkan_admissible_step(Device *base, Slot from, Slot to, double *step);

#endif
