/// Loads on the device: forces in BUFFER_LOADS, pressures among the parameters of their elements.
#ifndef DEVICE_VULKAN_TERMS_LOADS_H
#define DEVICE_VULKAN_TERMS_LOADS_H

#include "device/vulkan/vulkan_device.h"

/// What loads_write uploads at most, bytes.
uint64_t loads_bytes(const Model *model, bool f64);
/// Forces and pressures become those at `time`; recorded, and only where they are others.
VelaResult loads_write(VulkanDevice *device, double time);
/// Their potential at the places of a slot, J; waits for the device where there are any.
VelaResult loads_energy(VulkanDevice *device, Slot position, double time, double *energy);

#endif
