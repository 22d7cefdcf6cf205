/// Energies, momenta and extremes of a state on the Vulkan device.
#ifndef DEVICE_VULKAN_DIAGNOSIS_DIAGNOSIS_H
#define DEVICE_VULKAN_DIAGNOSIS_DIAGNOSIS_H

#include "device/vulkan/vulkan_device.h"

VelaResult vulkan_diagnose(Device *device, Slot position, Slot velocity, double time, Diagnosis *diagnosis);
VelaResult vulkan_mass_dot(Device *device, int count, const Slot (*pairs)[2], double *values);

#endif
