/// The CPU device: double precision, the reference, and what people without a GPU run.
#ifndef DEVICE_CPU_CPU_H
#define DEVICE_CPU_CPU_H

#include "device/device.h"

/// `model` must outlive the device. Free with device_destroy.
VelaResult cpu_device_create(VelaContext *context, const Model *model, Device **device);
/// Bytes the CPU device plans for a model (without the factor, whose size only factoring tells).
size_t cpu_device_memory(const Model *model);

#endif
