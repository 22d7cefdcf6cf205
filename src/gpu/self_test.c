#include "gpu/self_test.h"

#include "abi/kernel.h"
#include "gpu/commands.h"
#include "gpu/memory.h"
#include "gpu/transfer.h"

#include <math.h>

enum { CASES = 256 };

/// Pairs of all ratios up to 2^24, of both signs; a fixed linear congruential sequence.
static void make_inputs(float inputs[CASES * SELF_TEST_INPUTS])
{
    uint32_t state = 1;
    for (int i = 0; i < CASES; ++i) {
        for (int j = 0; j < SELF_TEST_INPUTS; ++j) {
            state = state * 1664525u + 1013904223u;
            const double mantissa = 1 + (double)(state >> 8) / 16777216, sign = state & 128 ? -1 : 1;
            inputs[SELF_TEST_INPUTS * i + j] = (float)(sign * ldexp(mantissa, j ? -(i % 25) : 0));
        }
    }
}

/// Exact sum and product of two floats fit a double here, hi and lo follow by rounding.
static bool case_is_right(const float in[SELF_TEST_INPUTS], const float out[SELF_TEST_OUTPUTS])
{
    const double sum = (double)in[0] + (double)in[1], product = (double)in[0] * (double)in[1];
    const double square = (double)out[5] + (double)out[6];
    return (double)out[0] == (double)(float)sum && (double)out[0] + (double)out[1] == sum &&
           (double)out[2] == (double)(float)product && (double)out[2] + (double)out[3] == product &&
           out[4] == 0 && fabs(square - sum * sum) <= ldexp(sum * sum, -44);
}

static VelaResult run_cases(GpuDevice *device, GpuPool *pool, GpuPipelines *pipelines, GpuCommands *commands)
{
    const GpuKernelDef def = {
        .shader = "compute/self_test", .binding_count = 2, .push_size = 4, .workgroup_size = 64};
    const GpuKernel *kernel;
    GpuBinding binding;
    TRY(gpu_kernel_create(pipelines, &def, &kernel));
    const GpuBuffer *const buffers[] = {&pool->buffers[0], &pool->buffers[1]};
    TRY(gpu_bind(pipelines, kernel, buffers, &binding));
    make_inputs(pool->buffers[0].mapped);
    const uint32_t count = CASES;
    TRY(gpu_commands_begin(commands));
    gpu_dispatch(commands, &binding, &count, CASES / 64);
    gpu_barrier(commands);
    TRY(gpu_commands_run(commands));
    const float *inputs = pool->buffers[0].mapped, *outputs = pool->buffers[1].mapped;
    int wrong = 0;
    for (int i = 0; i < CASES; ++i)
        wrong += !case_is_right(inputs + SELF_TEST_INPUTS * i, outputs + SELF_TEST_OUTPUTS * i);
    FAIL_IF(device->context, wrong > 0, VELA_ERROR_DEVICE,
            "%s: float-float arithmetic is wrong in %d of %d cases, the driver's compiler ignores "
            "\"precise\"; try another driver (found: %s), --precision f64 or --device cpu",
            device->info.name, wrong, CASES, device->info.driver);
    return VELA_OK;
}

VelaResult gpu_self_test(GpuDevice *device)
{
    const GpuBufferDef defs[] = {
        {"self-test inputs", CASES * SELF_TEST_INPUTS * sizeof(float), GPU_MEMORY_UPLOAD, 0},
        {"self-test outputs", CASES * SELF_TEST_OUTPUTS * sizeof(float), GPU_MEMORY_READBACK, 0},
    };
    GpuPool *pool = NULL;
    GpuPipelines *pipelines = NULL;
    GpuCommands *commands = NULL;
    VelaResult result = gpu_pool_create(device, 2, defs, &pool);
    if (result == VELA_OK)
        result = gpu_pipelines_create(device, &pipelines);
    if (result == VELA_OK)
        result = gpu_commands_create(device, 0, &commands);
    if (result == VELA_OK)
        result = run_cases(device, pool, pipelines, commands);
    gpu_commands_destroy(commands);
    gpu_pipelines_destroy(pipelines);
    gpu_pool_destroy(pool);
    return result;
}
