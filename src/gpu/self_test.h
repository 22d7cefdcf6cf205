/// Whether single precision can be trusted on a device.
#ifndef GPU_SELF_TEST_H
#define GPU_SELF_TEST_H

#include "gpu/device.h"

/// Runs the float-float kernels on inputs whose exact results are known. VELA_ERROR_DEVICE if the driver's compiler
/// did not keep `precise`: single precision cannot be trusted there.
VelaResult gpu_self_test(GpuDevice *device);

#endif
