/// The Vulkan device: float32 with float-float unknowns, or double precision where the GPU has it.
#ifndef DEVICE_VULKAN_VULKAN_H
#define DEVICE_VULKAN_VULKAN_H

#include "device/device.h"

/// gpu/device.h; whoever has one knows Vulkan, whoever opens a device by name need not.
typedef struct GpuDevice GpuDevice;
/// gpu/instance.h
typedef struct GpuDeviceInfo GpuDeviceInfo;

/// `model` and `gpu` must outlive the device. Runs the float-float self-test first (single precision). Free with
/// device_destroy. VELA_ERROR_UNSUPPORTED, VELA_ERROR_INVALID_INPUT: as of vulkan_device_fits; VELA_ERROR_OUT_OF_MEMORY;
/// VELA_ERROR_DEVICE.
VelaResult vulkan_device_create(VelaContext *context, GpuDevice *gpu, const Model *model, bool f64,
                                Device **device);
/// The same on the device of that name ("auto", "vulkan", "vulkan:N"; see gpu_instance_choose), which it opens and owns.
VelaResult vulkan_device_open(VelaContext *context, const char *name, const Model *model, bool f64,
                              Device **device);
/// Bytes the Vulkan device plans for a model, on the GPU and for transfers. Needs no GPU.
size_t vulkan_device_memory(const Model *model, bool f64);
/// VELA_OK where a device has room for a model; asks what is known of the device, not the device. VELA_ERROR_UNSUPPORTED: `f64`
/// on a device without float64; VELA_ERROR_INVALID_INPUT: a scene that needs more memory than the device has, or an array larger
/// than its kernels can bind.
VelaResult vulkan_device_fits(VelaContext *context, const Model *model, bool f64, const GpuDeviceInfo *info);

#endif
