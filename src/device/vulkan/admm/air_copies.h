/// The air in ADMM on the Vulkan device (theory.md sections 6 and 7): copies of vertices' positions; twin of device/cpu/admm/air_copies.h. Without
/// air nothing is planned and nothing recorded.
#ifndef DEVICE_VULKAN_ADMM_AIR_COPIES_H
#define DEVICE_VULKAN_ADMM_AIR_COPIES_H

#include "device/vulkan/vulkan_device.h"

struct AirCopies {
    uint32_t vertex_count;
    uint32_t numbers;         ///< three for each vertex that moves
    uint32_t first_sum, sums; ///< entries of the elements' partial sums
    double length;            ///< model_air_length
    double *shares, *weights; ///< model/air_copies.h
    double a, duration;       ///< that the weights are for; 0: none yet
};

/// Sizes of their buffers.
void air_split_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT]);
/// After the copies for damping.
VelaResult air_split_create(VulkanDevice *device);

/// Weights of the stage, before its matrix is made.
VelaResult air_split_weigh(VulkanDevice *device);
/// Records the start of the stage, before SLOT_STAGE is where the iteration begins, slot number `start`.
VelaResult air_split_begin(VulkanDevice *device, uint32_t start);

/// Parts of an iteration, behind those of the elements.
void air_split_record_local(VulkanDevice *device, GpuCommands *commands);
void air_split_record_residual(VulkanDevice *device, GpuCommands *commands);
void air_split_record_dual(VulkanDevice *device, GpuCommands *commands);

/// The multipliers, three numbers a vertex, carried from step to step.
size_t air_split_state_size(const VulkanDevice *device);
VelaResult air_split_state_read(VulkanDevice *device, Arena *scratch, double *values);
VelaResult air_split_state_write(VulkanDevice *device, Arena *scratch, const double *values);

#endif
