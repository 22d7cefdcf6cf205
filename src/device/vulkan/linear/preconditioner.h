/// Preconditioners of Newton's linear solve and of ADMM's.
#ifndef DEVICE_VULKAN_LINEAR_PRECONDITIONER_H
#define DEVICE_VULKAN_LINEAR_PRECONDITIONER_H

#include "device/vulkan/vulkan_device.h"

/// Chooses the scene's preconditioner and uploads what does not change.
VelaResult vulkan_preconditioner_create(VulkanDevice *device);
/// Records what follows new values of the matrix, whose diagonal blocks are factored already.
VelaResult vulkan_preconditioner_update(VulkanDevice *device);
/// Records the start of a solve: z = P^-1 r and the partial sums of r.z, parity 0.
VelaResult vulkan_preconditioner_begin(VulkanDevice *device);
/// The same of ADMM, whose solves begin on the device: with block Jacobi admm_right has done it.
void vulkan_preconditioner_record_begin(VulkanDevice *device, GpuCommands *commands);
/// Kernels that vulkan_preconditioner_iterate records.
int vulkan_preconditioner_kernels(const VulkanDevice *device);
/// Records the second half of an iteration: x += alpha p, r -= alpha A p, z = P^-1 r and r.z. Its workgroups are counted in
/// BUFFER_CONTROL.
void vulkan_preconditioner_iterate(VulkanDevice *device, GpuCommands *commands, const LinearPush *push);
/// Where BUFFER_CONTROL has the workgroups of newton_apply, or cg_apply: it goes over the rows as the preconditioner does.
uint32_t vulkan_linear_arguments(const VulkanDevice *device);
/// What does not change in the push constants of a linear solve.
LinearPush vulkan_linear_push(const VulkanDevice *device);

#endif
