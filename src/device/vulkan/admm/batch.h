/// Many iterations of ADMM in one command buffer.
#ifndef DEVICE_VULKAN_ADMM_BATCH_H
#define DEVICE_VULKAN_ADMM_BATCH_H

#include "device/vulkan/vulkan_device.h"

/// Runs one submission of iterations and waits; `seconds` gets how long that took.
VelaResult batch_submit(VulkanDevice *device, double *seconds);

#endif
