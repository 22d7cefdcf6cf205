/// What ADMM carries from step to step: rows of the device table (device/device.h).
#ifndef DEVICE_VULKAN_ADMM_SOLVER_STATE_H
#define DEVICE_VULKAN_ADMM_SOLVER_STATE_H

#include "device/vulkan/vulkan_device.h"

size_t vulkan_solver_state_size(const Device *device);
VelaResult vulkan_solver_state_read(Device *device, double *values);
VelaResult vulkan_solver_state_write(Device *device, const double *values);

#endif
