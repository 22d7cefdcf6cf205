/// How nodes move, for kernels that ask for it.
#ifndef DEVICE_VULKAN_TERMS_NODE_MOTION_H
#define DEVICE_VULKAN_TERMS_NODE_MOTION_H

#include "device/vulkan/vulkan_device.h"

#include "abi/damping.h"

/// From one slot's places to the other's in `time`, or from DAMPING_NO_SLOT with the velocities of a slot, `time` 1.
typedef struct NodeMotion {
    uint32_t from, to;
    double time;
} NodeMotion;

/// What passes from the base position to the stage's solution, s.
static inline double stage_time(const VulkanDevice *device)
{
    return device->stage.slip_time > 0 ? device->stage.slip_time : device->stage.a;
}

/// From there to there.
static inline NodeMotion stage_motion(const VulkanDevice *device)
{
    return (NodeMotion){vulkan_slot(device, SLOT_BASE_POSITION), vulkan_slot(device, SLOT_STAGE),
                        stage_time(device)};
}

#endif
