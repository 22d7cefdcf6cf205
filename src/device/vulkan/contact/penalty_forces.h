/// Forces of friction of penalty contact on the Vulkan device: those that ADMM has found, and what the host asks for.
#ifndef DEVICE_VULKAN_CONTACT_PENALTY_FORCES_H
#define DEVICE_VULKAN_CONTACT_PENALTY_FORCES_H

#include "device/vulkan/vulkan_device.h"

/// ADMM is done: what rubs is what it has found, for the rest of the stage. Waits for the device; VELA_OK at once without friction.
VelaResult penalty_forces_solved(VulkanDevice *device);
/// The row of the device table of this name.
VelaResult vulkan_penalty_friction(Device *device, double *pulls);

#endif
