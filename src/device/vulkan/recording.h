/// Operations are recorded one behind the other and submitted when the host needs an answer.
#ifndef DEVICE_VULKAN_RECORDING_H
#define DEVICE_VULKAN_RECORDING_H

#include "device/vulkan/vulkan_device.h"

/// The command buffer that operations are appended to.
VelaResult vulkan_open(VulkanDevice *device, GpuCommands **commands);
/// Submits what is open.
VelaResult vulkan_flush(VulkanDevice *device);
/// Submits what is open and waits for everything.
VelaResult vulkan_finish(VulkanDevice *device);
/// What vulkan_finish does after its wait: the host has waited for something submitted later than all that is open.
VelaResult vulkan_settle(VulkanDevice *device);
/// Room for `size` bytes that a recorded copy brings to `buffer` at `offset`.
VelaResult vulkan_write(VulkanDevice *device, BufferName buffer, uint64_t offset, uint64_t size,
                        void **memory);
/// Records one kernel over `count` invocations and a barrier behind it.
VelaResult vulkan_run(VulkanDevice *device, const GpuBinding *binding, const void *push, uint32_t count);
/// The same for a number of workgroups.
VelaResult vulkan_run_groups(VulkanDevice *device, const GpuBinding *binding, const void *push,
                             uint32_t groups);
/// The same for a kernel that goes over them with at most SUM_GROUPS_MOST workgroups.
VelaResult vulkan_run_sum(VulkanDevice *device, const GpuBinding *binding, const void *push, uint32_t count);
/// Records that a buffer is filled with 0.
VelaResult vulkan_clear(VulkanDevice *device, BufferName buffer);
/// Records a sum of node vectors, up to four, by the numbers of their slots.
VelaResult vulkan_combine(VulkanDevice *device, uint32_t destination, int count, const double *coefficients,
                          const uint32_t *sources);
/// The obstacles of penalty contact as they stand at `time` to BUFFER_PLANES.
VelaResult vulkan_write_planes(VulkanDevice *device, double time);
/// Likewise others, plane_count of them, from place `first` on.
VelaResult vulkan_write_shapes(VulkanDevice *device, const PenaltyShape *shapes, double time, uint32_t first);
/// What penalty contact adds to ADMM's matrix at a surface node for each unit of plane_penalty_weight and of m/a^2, added to numbers
/// 00 11 22 01 02 12.
void vulkan_plane_blocks(const VulkanDevice *device, double across[6], double along[6]);
VelaResult vulkan_write_scalars(VulkanDevice *device);
/// Records a dispatch that takes its size from `arguments` of BUFFER_CONTROL, and a barrier behind it.
void vulkan_run_indirect(VulkanDevice *device, GpuCommands *commands, const GpuBinding *binding,
                         const void *push, uint32_t arguments);
/// The same of a kernel that writes no sizes of dispatches.
void vulkan_run_indirect_data(VulkanDevice *device, GpuCommands *commands, const GpuBinding *binding,
                              const void *push, uint32_t arguments);
/// Records copies of BUFFER_CONTROL and BUFFER_SCALARS to the host; returns their bytes.
int64_t vulkan_read_control(VulkanDevice *device, GpuCommands *commands);
/// Submits `commands` behind what is open and waits for both; `seconds` gets how long that took. VELA_ERROR_INTERRUPTED as of
/// context_breathe.
VelaResult vulkan_submit(VulkanDevice *device, GpuCommands *commands, double *seconds);
/// What a submission should stay below, s: operating systems take a GPU from a program that holds it for seconds.
#define VULKAN_SUBMISSION_SECONDS 0.5

#endif
