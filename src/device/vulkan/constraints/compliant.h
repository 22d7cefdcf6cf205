/// The linear system of constraints on the Vulkan device: row compliant_direction of the device table.
#ifndef DEVICE_VULKAN_CONSTRAINTS_COMPLIANT_H
#define DEVICE_VULKAN_CONSTRAINTS_COMPLIANT_H

#include "device/vulkan/vulkan_device.h"

VelaResult vulkan_compliant_direction(Device *base, const CompliantSettings *settings,
                                      CompliantReport *report);

#endif
