#include "device/vulkan/sort/sort.h"

const GpuKernelDef sort_kernel_defs[SORT_KERNEL_COUNT] = {
    [SORT_KERNEL_SUMS] = {"compute/scan_sums", 3, 4, .workgroup_size = SORT_GROUP},
    [SORT_KERNEL_PLACES] = {"compute/scan_places", 3, 8, .workgroup_size = SORT_GROUP},
    [SORT_KERNEL_COUNTS] = {"compute/radix_counts", 3, 12, .workgroup_size = SORT_GROUP},
    [SORT_KERNEL_SCATTER] = {"compute/radix_scatter", 6, 20, .workgroup_size = SORT_GROUP},
};

VelaResult sort_kernels_create(GpuPipelines *pipelines, SortKernels *kernels)
{
    kernels->pipelines = pipelines;
    for (int k = 0; k < SORT_KERNEL_COUNT; ++k)
        TRY(gpu_kernel_create(pipelines, &sort_kernel_defs[k], &kernels->kernels[k]));
    return VELA_OK;
}

GpuBufferDef sort_work_def(void)
{
    return (GpuBufferDef){"work of scans and sorts", 4 * SORT_WORK_COUNT, GPU_MEMORY_DEVICE, 0};
}

#define BIND(kernels, kernel, binding, ...)                                                                  \
    gpu_bind((kernels)->pipelines, (kernels)->kernels[kernel], (const GpuBuffer *const[]){__VA_ARGS__},      \
             binding)

/// For as many words as a buffer has. Workgroups without a tile cost less than a dispatch that says how many have one.
static uint32_t groups_for(const GpuBuffer *words)
{
    const uint64_t tiles = (words->size / 4 + SORT_TILE - 1) / SORT_TILE;
    return tiles < SORT_GROUPS_MOST ? (uint32_t)tiles : SORT_GROUPS_MOST;
}

VelaResult scan_bind(const SortKernels *kernels, const GpuBuffer *values, const GpuBuffer *counts,
                     const GpuBuffer *work, Scan *scan)
{
    scan->groups = groups_for(values);
    TRY(BIND(kernels, SORT_KERNEL_SUMS, &scan->sums, counts, work, values));
    return BIND(kernels, SORT_KERNEL_PLACES, &scan->places, counts, work, values);
}

void scan_record(GpuCommands *commands, const Scan *scan, uint32_t count_place, uint32_t total_place)
{
    const uint32_t push[] = {count_place, total_place};
    gpu_dispatch(commands, &scan->sums, &count_place, scan->groups);
    gpu_barrier_of_data(commands);
    gpu_dispatch(commands, &scan->places, push, scan->groups);
    gpu_barrier(commands);
}

VelaResult radix_sort_bind(const SortKernels *kernels, const RadixSortBuffers *buffers, RadixSort *sort)
{
    const GpuBuffer *counts = buffers->counts, *work = buffers->work;
    sort->groups = groups_for(buffers->payload);
    TRY(BIND(kernels, SORT_KERNEL_COUNTS, &sort->counts, counts, work, buffers->keys));
    TRY(BIND(kernels, SORT_KERNEL_SCATTER, &sort->scatter[0], counts, work, buffers->keys, buffers->payload,
             buffers->other_keys, buffers->other_payload));
    return BIND(kernels, SORT_KERNEL_SCATTER, &sort->scatter[1], counts, work, buffers->other_keys,
                buffers->other_payload, buffers->keys, buffers->payload);
}

void radix_sort_record(GpuCommands *commands, const RadixSort *sort, uint32_t count_place, uint32_t key_words,
                       uint32_t key_bits)
{
    // Two passes at a time, so that the items end where they were. The fewer digits there are, the longer are runs of equal ones.
    const uint32_t passes = 2 * ((key_bits + 2 * SORT_DIGIT_BITS_MOST - 1) / (2 * SORT_DIGIT_BITS_MOST));
    if (passes == 0)
        return;
    uint32_t push[] = {count_place, key_words, (key_bits + passes - 1) / passes, 0, passes};
    gpu_dispatch(commands, &sort->counts, push, sort->groups);
    gpu_barrier_of_data(commands);
    for (uint32_t pass = 0; pass < passes; ++pass) {
        push[3] = pass;
        gpu_dispatch(commands, &sort->scatter[pass % 2], push, sort->groups);
        gpu_barrier_of_data(commands);
    }
}
