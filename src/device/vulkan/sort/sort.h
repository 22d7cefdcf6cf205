/// Exclusive sums and stable sorts of unsigned integers that lie in device memory, as many as device memory says when it comes to
/// that. Both are recorded; the host waits for nothing. What they do depends on the integers alone.
///
/// A scan or a sort is bound to its buffers once and may be recorded any number of times. It has a work buffer; several may share
/// one where they run one behind the other.
#ifndef DEVICE_VULKAN_SORT_SORT_H
#define DEVICE_VULKAN_SORT_SORT_H

#include "abi/sort.h"
#include "gpu/commands.h"

typedef enum SortKernelName {
    SORT_KERNEL_SUMS,
    SORT_KERNEL_PLACES,
    SORT_KERNEL_COUNTS,
    SORT_KERNEL_SCATTER,
    SORT_KERNEL_COUNT
} SortKernelName;

extern const GpuKernelDef sort_kernel_defs[SORT_KERNEL_COUNT];

/// Made once, bound any number of times.
typedef struct SortKernels {
    GpuPipelines *pipelines;
    const GpuKernel *kernels[SORT_KERNEL_COUNT];
} SortKernels;

VelaResult sort_kernels_create(GpuPipelines *pipelines, SortKernels *kernels);

/// The buffer that a scan or a sort works in.
GpuBufferDef sort_work_def(void);

typedef struct Scan {
    GpuBinding sums, places;
    uint32_t groups; ///< of each dispatch: for all that the buffers have room for
} Scan;

/// `values` are scanned in place; how many they are, `counts` says. `counts` and `values` are of uint32_t.
VelaResult scan_bind(const SortKernels *kernels, const GpuBuffer *values, const GpuBuffer *counts,
                     const GpuBuffer *work, Scan *scan);
/// values[i] = the sum of all values[j < i] as they were, for i below counts[count_place]; counts[total_place], unless that is
/// SORT_NO_TOTAL, is the sum of all of them. Sums wrap at 2^32. A barrier comes behind it; before it is the caller's.
void scan_record(GpuCommands *commands, const Scan *scan, uint32_t count_place, uint32_t total_place);

/// Items are a key of one or two words, the less significant one first, and a payload of one.
typedef struct RadixSortBuffers {
    const GpuBuffer *keys, *payload;
    const GpuBuffer *other_keys, *other_payload; ///< of the same sizes; what is in them does not matter
    const GpuBuffer *counts, *work;
} RadixSortBuffers;

typedef struct RadixSort {
    GpuBinding counts, scatter[2]; ///< from the buffers to the others, and back
    uint32_t groups;
} RadixSort;

VelaResult radix_sort_bind(const SortKernels *kernels, const RadixSortBuffers *buffers, RadixSort *sort);
/// Sorts the first counts[count_place] items by their keys, which are below 2^key_bits; those with equal keys keep their order.
/// key_words: 1 or 2. A barrier of data comes behind it.
void radix_sort_record(GpuCommands *commands, const RadixSort *sort, uint32_t count_place, uint32_t key_words,
                       uint32_t key_bits);

#endif
