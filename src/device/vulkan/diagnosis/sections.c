// Sums and smallest values that kernels leave one a workgroup, in sections of BUFFER_DIAGNOSIS; the host joins them, in order.
#include "device/vulkan/diagnosis/sections.h"

#include "device/vulkan/exact.h"

static const uint64_t section_bytes = SUM_GROUPS_MOST * sizeof(double);

void sections_begin(VulkanDevice *device, GpuCommands *commands, uint64_t sums, uint64_t smallest,
                    uint32_t indices)
{
    const GpuBuffer *sections = vulkan_buffer(device, BUFFER_DIAGNOSIS);
    if (sums > 0)
        gpu_fill(commands, sections, 0, sums * section_bytes, 0);
    if (smallest > 0)
        gpu_fill(commands, sections, sums * section_bytes, smallest * section_bytes, SMALLEST_BEFORE);
    gpu_fill(commands, vulkan_buffer(device, BUFFER_INDICES), 0, 0, indices);
    gpu_barrier(commands);
}

int64_t sections_read(VulkanDevice *device, GpuCommands *commands, uint64_t count)
{
    const GpuBuffer *readback = vulkan_buffer(device, BUFFER_READBACK);
    const uint64_t used = device->groups_most * sizeof(double);
    for (uint64_t section = 0; section < count; ++section)
        gpu_copy(commands, vulkan_buffer(device, BUFFER_DIAGNOSIS), section * section_bytes, readback,
                 READBACK_DIAGNOSIS + section * section_bytes, used);
    gpu_copy(commands, vulkan_buffer(device, BUFFER_INDICES), 0, readback, READBACK_INDICES,
             4 * DIAGNOSE_INDICES);
    gpu_barrier(commands);
    return (int64_t)(count * used + 4 * DIAGNOSE_INDICES);
}

static double entry(const VulkanDevice *device, size_t section, size_t group)
{
    const char *sections = (const char *)vulkan_buffer(device, BUFFER_READBACK)->mapped + READBACK_DIAGNOSIS;
    return exact_load(device->f64, sections, section * SUM_GROUPS_MOST + group);
}

double section_sum(const VulkanDevice *device, size_t section)
{
    double sum = 0;
    for (size_t g = 0; g < device->groups_most; ++g)
        sum += entry(device, section, g);
    return sum;
}

double section_smallest(const VulkanDevice *device, size_t section)
{
    double smallest = entry(device, section, 0);
    for (size_t g = 1; g < device->groups_most; ++g) {
        const double value = entry(device, section, g);
        smallest = value < smallest ? value : smallest;
    }
    return smallest;
}

uint32_t section_index(const VulkanDevice *device, size_t index)
{
    const char *readback = vulkan_buffer(device, BUFFER_READBACK)->mapped;
    return ((const uint32_t *)(readback + READBACK_INDICES))[index];
}
