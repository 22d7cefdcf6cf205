/// One open Vulkan device for all simulations of a test program, whatever source begins them. It keeps its kernels: on a software driver,
/// compiling them takes most of the time of a short run.
#ifndef TESTS_SHARED_GPU_H
#define TESTS_SHARED_GPU_H

#include "check_main.h"
#include "device/vulkan/vulkan.h"
#include "gpu/open.h"
#include "sim/start.h"

#include <string.h>

__attribute__((weak)) struct SharedGpu {
    GpuInstance *instance;
    GpuDevice *gpu; ///< NULL: not open
} shared_gpu;       ///< weak: one for all sources

/// As simulation_start, with the device "vulkan" being the shared one. `simulation` has the context that the program has from here on until
/// shared_gpu_close.
static inline VelaResult shared_gpu_start(Simulation *simulation, const DeviceChoice *choice)
{
    if (strcmp(choice->device, "vulkan") != 0)
        return simulation_start(simulation, choice);
    VelaContext *context = simulation->context;
    if (!shared_gpu.gpu) {
        const GpuInstanceDef instance_def = gpu_default_instance_def();
        const GpuDeviceDef device_def = gpu_default_device_def();
        int32_t index;
        TRY(gpu_instance_create(context, &instance_def, &shared_gpu.instance));
        TRY(gpu_instance_choose(shared_gpu.instance, choice->device, &index));
        TRY(gpu_device_create(shared_gpu.instance, index, &device_def, &shared_gpu.gpu));
    }
    REQUIRE(context, shared_gpu.gpu->context == context);
    Device *device;
    TRY(vulkan_device_create(context, shared_gpu.gpu, &simulation->model,
                             strcmp(choice->precision, "f64") == 0, &device));
    return simulation_start_on(simulation, device);
}

/// Before the context is destroyed. Returns how many messages the validation layer had, 0 without it.
static inline int shared_gpu_close(void)
{
    gpu_device_destroy(shared_gpu.gpu);
    const int messages = shared_gpu.instance ? atomic_load(&shared_gpu.instance->validation_messages) : 0;
    gpu_instance_destroy(shared_gpu.instance);
    shared_gpu = (struct SharedGpu){0};
    return messages;
}

#endif
