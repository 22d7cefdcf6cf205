/// Stretch and energy density of the elements on the Vulkan device.
#ifndef DEVICE_VULKAN_DIAGNOSIS_FIELDS_H
#define DEVICE_VULKAN_DIAGNOSIS_FIELDS_H

#include "device/vulkan/vulkan_device.h"

VelaResult vulkan_fields(Device *device, Slot position, float *stretch, float *densities);

#endif
