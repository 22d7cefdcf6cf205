/// What the tests of formulas in GLSL against those in C share: a device, and a kernel of tests/shaders over many cases.
#ifndef TESTS_FORMULA_PARITY_H
#define TESTS_FORMULA_PARITY_H

#include "check_main.h"
#include "gpu/commands.h"
#include "gpu/instance.h"
#include "gpu/memory.h"
#include "gpu/open.h"

typedef struct FormulaParity {
    VelaContext *context;
    GpuInstance *instance;
    GpuDevice *device;
} FormulaParity;

/// Returns how many messages the validation layer had, 0 without it.
static inline int formula_parity_end(FormulaParity *parity)
{
    gpu_device_destroy(parity->device);
    const int messages = parity->instance ? atomic_load(&parity->instance->validation_messages) : 0;
    gpu_instance_destroy(parity->instance);
    vela_context_destroy(parity->context);
    return messages;
}

/// 0, or the exit code of main: there is no device (the reason is printed), or it cannot be used.
static inline int formula_parity_begin(FormulaParity *parity)
{
    const VelaContextDef context_def = vela_default_context_def();
    const GpuInstanceDef instance_def = gpu_default_instance_def();
    const GpuDeviceDef device_def = gpu_default_device_def();
    int32_t index;
    *parity = (FormulaParity){0};
    if (vela_context_create(&context_def, &parity->context) != VELA_OK)
        return EXIT_FAILURE;
    if (gpu_instance_create(parity->context, &instance_def, &parity->instance) != VELA_OK ||
        gpu_instance_choose(parity->instance, "vulkan", &index) != VELA_OK) {
        printf("skipped: %s\n", vela_context_message(parity->context));
        formula_parity_end(parity);
        return 77;
    }
    if (gpu_device_create(parity->instance, index, &device_def, &parity->device) != VELA_OK) {
        fprintf(stderr, "%s\n", vela_context_message(parity->context));
        formula_parity_end(parity);
        return EXIT_FAILURE;
    }
    printf("on %s\n", parity->device->info.name);
    return 0;
}

/// tests/shaders/<name>.comp over `cases` of them, a multiple of 64: push constants are their number and `model`, which is the
/// specialization constant 1 as well.
static inline void formula_parity_run(const FormulaParity *parity, const char *name, bool float64,
                                      uint32_t model, size_t cases, size_t input_count, const double *inputs,
                                      size_t output_count, double *outputs)
{
    const uint64_t size = float64 ? sizeof(double) : sizeof(float);
    const GpuBufferDef defs[] = {
        {"parity inputs", cases * input_count * size, GPU_MEMORY_UPLOAD, 0},
        {"parity outputs", cases * output_count * size, GPU_MEMORY_READBACK, 0},
    };
    char shader[64];
    snprintf(shader, sizeof shader, "test/%s%s", name, float64 ? "_f64" : "");
    const GpuKernelDef def = {.shader = shader,
                              .binding_count = 2,
                              .push_size = 8,
                              .workgroup_size = 64,
                              .constant_count = 1,
                              .constants = {model}};
    GpuPool *pool;
    GpuPipelines *pipelines;
    GpuCommands *commands;
    const GpuKernel *kernel;
    GpuBinding binding;
    ASSERT_OK(parity->context, gpu_pool_create(parity->device, 2, defs, &pool));
    ASSERT_OK(parity->context, gpu_pipelines_create(parity->device, &pipelines));
    ASSERT_OK(parity->context, gpu_commands_create(parity->device, 0, &commands));
    ASSERT_OK(parity->context, gpu_kernel_create(pipelines, &def, &kernel));
    const GpuBuffer *const buffers[] = {&pool->buffers[0], &pool->buffers[1]};
    ASSERT_OK(parity->context, gpu_bind(pipelines, kernel, buffers, &binding));
    for (size_t i = 0; i < cases * input_count; ++i)
        if (float64)
            ((double *)pool->buffers[0].mapped)[i] = inputs[i];
        else
            ((float *)pool->buffers[0].mapped)[i] = (float)inputs[i];
    const uint32_t push[2] = {(uint32_t)cases, model};
    ASSERT_OK(parity->context, gpu_commands_begin(commands));
    gpu_dispatch(commands, &binding, push, (uint32_t)cases / 64);
    gpu_barrier(commands);
    ASSERT_OK(parity->context, gpu_commands_run(commands));
    for (size_t i = 0; i < cases * output_count; ++i)
        outputs[i] =
            float64 ? ((double *)pool->buffers[1].mapped)[i] : (double)((float *)pool->buffers[1].mapped)[i];
    gpu_commands_destroy(commands);
    gpu_pipelines_destroy(pipelines);
    gpu_pool_destroy(pool);
}

#endif
