#include "device/vulkan/sort/sort.h"

const GpuKernelDef sort_kernel_defs[SORT_KERNEL_COUNT] = {
    [SORT_KERNEL_ARGUMENTS] = {"compute/sort_arguments", 2, 8, .workgroup_size = 1},
    [SORT_KERNEL_SUMS] = {"compute/scan_sums", 3, 4, .workgroup_size = SORT_GROUP},
    [SORT_KERNEL_PARTIALS] = {"compute/scan_partials", 2, 12, .workgroup_size = SORT_GROUP},
    [SORT_KERNEL_PLACES] = {"compute/scan_places", 3, 4, .workgroup_size = SORT_GROUP},
    [SORT_KERNEL_COUNTS] = {"compute/radix_counts", 3, 12, .workgroup_size = SORT_GROUP},
    [SORT_KERNEL_SCATTER] = {"compute/radix_scatter", 6, 12, .workgroup_size = SORT_GROUP},
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
    return (GpuBufferDef){"work of scans and sorts", 4 * SORT_WORK_COUNT, GPU_MEMORY_DEVICE,
                          VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT};
}

#define BIND(kernels, kernel, binding, ...)                                                                  \
    gpu_bind((kernels)->pipelines, (kernels)->kernels[kernel], (const GpuBuffer *const[]){__VA_ARGS__},      \
             binding)

/// Sets the work buffer's arguments for counts[count_place] items.
static void record_arguments(GpuCommands *commands, const GpuBinding *binding, uint32_t count_place)
{
    const uint32_t push[] = {count_place, gpu_groups_in_row(commands->device)};
    gpu_dispatch(commands, binding, push, 1);
    gpu_barrier(commands);
}

static void record_tiles(GpuCommands *commands, const GpuBinding *binding, const void *push,
                         const GpuBuffer *work)
{
    gpu_dispatch_indirect(commands, binding, push, work, 4 * SORT_ARGUMENTS);
    gpu_barrier(commands);
}

static void record_partials(GpuCommands *commands, const GpuBinding *binding, uint32_t count_place,
                            uint32_t digits, uint32_t total_place)
{
    const uint32_t push[] = {count_place, digits, total_place};
    gpu_dispatch(commands, binding, push, 1);
    gpu_barrier(commands);
}

VelaResult scan_bind(const SortKernels *kernels, const GpuBuffer *values, const GpuBuffer *counts,
                     const GpuBuffer *work, Scan *scan)
{
    scan->work = work;
    TRY(BIND(kernels, SORT_KERNEL_ARGUMENTS, &scan->arguments, counts, work));
    TRY(BIND(kernels, SORT_KERNEL_SUMS, &scan->sums, counts, work, values));
    TRY(BIND(kernels, SORT_KERNEL_PARTIALS, &scan->partials, counts, work));
    return BIND(kernels, SORT_KERNEL_PLACES, &scan->places, counts, work, values);
}

void scan_record(GpuCommands *commands, const Scan *scan, uint32_t count_place, uint32_t total_place)
{
    record_arguments(commands, &scan->arguments, count_place);
    record_tiles(commands, &scan->sums, &count_place, scan->work);
    record_partials(commands, &scan->partials, count_place, 1, total_place);
    record_tiles(commands, &scan->places, &count_place, scan->work);
}

VelaResult radix_sort_bind(const SortKernels *kernels, const RadixSortBuffers *buffers, RadixSort *sort)
{
    const GpuBuffer *counts = buffers->counts, *work = buffers->work;
    sort->work = work;
    TRY(BIND(kernels, SORT_KERNEL_ARGUMENTS, &sort->arguments, counts, work));
    TRY(BIND(kernels, SORT_KERNEL_PARTIALS, &sort->partials, counts, work));
    TRY(BIND(kernels, SORT_KERNEL_COUNTS, &sort->counts[0], counts, work, buffers->keys));
    TRY(BIND(kernels, SORT_KERNEL_COUNTS, &sort->counts[1], counts, work, buffers->other_keys));
    TRY(BIND(kernels, SORT_KERNEL_SCATTER, &sort->scatter[0], counts, work, buffers->keys, buffers->payload,
             buffers->other_keys, buffers->other_payload));
    return BIND(kernels, SORT_KERNEL_SCATTER, &sort->scatter[1], counts, work, buffers->other_keys,
                buffers->other_payload, buffers->keys, buffers->payload);
}

void radix_sort_record(GpuCommands *commands, const RadixSort *sort, uint32_t count_place, uint32_t key_words,
                       uint32_t key_bits)
{
    // Two passes at a time, so that the items end where they were.
    const uint32_t passes = 2 * ((key_bits + 2 * SORT_DIGIT_BITS - 1) / (2 * SORT_DIGIT_BITS));
    record_arguments(commands, &sort->arguments, count_place);
    for (uint32_t pass = 0; pass < passes; ++pass) {
        const uint32_t push[] = {count_place, key_words, SORT_DIGIT_BITS * pass};
        record_tiles(commands, &sort->counts[pass % 2], push, sort->work);
        record_partials(commands, &sort->partials, count_place, SORT_DIGITS, SORT_NO_TOTAL);
        record_tiles(commands, &sort->scatter[pass % 2], push, sort->work);
    }
}
