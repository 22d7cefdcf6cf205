/// Newton's method on the Vulkan device: rows of the device table (device/device.h).
#ifndef DEVICE_VULKAN_NEWTON_NEWTON_H
#define DEVICE_VULKAN_NEWTON_NEWTON_H

#include "device/vulkan/vulkan_device.h"

/// Records Newton's matrix and right-hand side at the stage's iterate, and the preconditioner's first level.
VelaResult vulkan_newton_record_system(VulkanDevice *device, const NewtonSettings *settings);
VelaResult vulkan_newton_direction(Device *base, const NewtonSettings *settings, NewtonDirection *direction);
VelaResult vulkan_newton_trials(Device *base, int32_t halvings, NewtonTrials *trials);
VelaResult vulkan_newton_way(Device *base, double part, bool turned);
VelaResult vulkan_newton_accept(Device *base, double step);

#endif
