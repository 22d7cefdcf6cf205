/// Many iterations of ADMM in one command buffer.
#ifndef DEVICE_VULKAN_ADMM_BATCH_H
#define DEVICE_VULKAN_ADMM_BATCH_H

#include "device/vulkan/vulkan_device.h"

/// Push constants of the kernels of nodes: each has some of the first words.
typedef struct AdmmNodesPush {
    uint32_t node_count, surface_count, plane_count, split_count;
    uint32_t base;   ///< the slot where slips of friction begin
    uint32_t rubs;   ///< 1: there is friction of penalty contact
    uint32_t is_new; ///< 1: the stage has not begun before
    uint32_t body_count;
    uint32_t again; ///< admm_begin_nodes: the stage begins where it ended before, not at xt
} AdmmNodesPush;

AdmmNodesPush admm_nodes_push(const VulkanDevice *device);

/// Runs one submission of iterations and waits; `seconds` gets how long that took.
VelaResult batch_submit(VulkanDevice *device, double *seconds);

#endif
