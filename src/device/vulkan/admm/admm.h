/// ADMM on the Vulkan device: rows of the device table (device/device.h).
#ifndef DEVICE_VULKAN_ADMM_ADMM_H
#define DEVICE_VULKAN_ADMM_ADMM_H

#include "device/vulkan/vulkan_device.h"

VelaResult vulkan_admm_begin(Device *device, const AdmmSettings *settings);
VelaResult vulkan_admm_iterate(Device *device, int32_t count, AdmmReport *report);
VelaResult vulkan_admm_scale_penalty(Device *device, double factor);
VelaResult vulkan_stage_acceleration(Device *device, Slot destination);

#endif
