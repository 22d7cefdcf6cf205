#include "device/vulkan/vulkan_device.h"

#include <math.h>

static VelaResult record(VulkanDevice *device, Slot position, Slot velocity, GpuCommands **out)
{
    const SceneDef *scene = device->base.model->scene;
    GpuCommands *commands;
    TRY(vulkan_open(device, &commands));
    gpu_fill(commands, vulkan_buffer(device, BUFFER_INDICES), 0, 0, UINT32_MAX);
    gpu_barrier(commands);
    struct {
        ExactNumber gravity[3];
        uint32_t node_count, plane_count, position, velocity;
    } nodes = {.node_count = device->node_count,
               .plane_count = device->plane_count,
               .position = position,
               .velocity = velocity};
    for (size_t k = 0; k < 3; ++k)
        exact_store(device->f64, nodes.gravity, k, scene->gravity[k]);
    gpu_dispatch(commands, &device->kernels[KERNEL_DIAGNOSE_NODES], &nodes, device->groups_nodes);
    gpu_barrier(commands);
    for (uint32_t m = 0; m < MODELS_MOST; ++m) {
        const ModelRange *range = &device->ranges[m];
        const uint32_t groups = (range->count + GROUP_TETS - 1) / GROUP_TETS;
        const uint32_t push[] = {
            range->first,       range->count, range->never_inverting,   device->tet_count,
            device->node_count, position,     m * DIAGNOSE_MODEL_GROUPS};
        if (groups == 0)
            continue;
        gpu_dispatch(commands, &device->model_kernels[KERNEL_DIAGNOSE_TETS - KERNEL_FIRST_OF_MODEL][m], push,
                     groups < DIAGNOSE_MODEL_GROUPS ? groups : DIAGNOSE_MODEL_GROUPS);
        gpu_barrier(commands);
    }
    const GpuBuffer *readback = vulkan_buffer(device, BUFFER_READBACK);
    for (uint64_t section = 0; section < DIAGNOSE_SECTIONS; ++section) {
        const uint64_t offset = section * SUM_GROUPS_MOST * sizeof(double);
        const uint64_t entries = section < DIAGNOSE_ELASTIC ? device->groups_nodes : SUM_GROUPS_MOST;
        gpu_copy(commands, vulkan_buffer(device, BUFFER_DIAGNOSIS), offset, readback,
                 READBACK_DIAGNOSIS + offset, entries * sizeof(double));
        device->gpu->statistics.downloaded += (int64_t)(entries * sizeof(double));
    }
    gpu_copy(commands, vulkan_buffer(device, BUFFER_INDICES), 0, readback, READBACK_INDICES,
             4 * DIAGNOSE_INDICES);
    gpu_barrier(commands);
    device->gpu->statistics.downloaded += 4 * DIAGNOSE_INDICES;
    *out = commands;
    return VELA_OK;
}

static double entry(const VulkanDevice *device, const void *diagnosis, size_t section, size_t group)
{
    return exact_load(device->f64, diagnosis, section * SUM_GROUPS_MOST + group);
}

static void collect_nodes(const VulkanDevice *device, const void *sums, Diagnosis *diagnosis)
{
    double totals[DIAGNOSE_NODE_SUMS] = {0}, gap = INFINITY;
    for (size_t g = 0; g < device->groups_nodes; ++g) {
        for (size_t v = 0; v < DIAGNOSE_NODE_SUMS; ++v)
            totals[v] += entry(device, sums, v, g);
        const double smallest = entry(device, sums, DIAGNOSE_GAP, g);
        gap = smallest < gap ? smallest : gap;
    }
    diagnosis->kinetic = totals[DIAGNOSE_KINETIC];
    diagnosis->gravitational = totals[DIAGNOSE_GRAVITATIONAL];
    diagnosis->contact = totals[DIAGNOSE_CONTACT];
    for (int k = 0; k < 3; ++k) {
        diagnosis->linear_momentum[k] = totals[DIAGNOSE_MOMENTUM + k];
        diagnosis->angular_momentum[k] = totals[DIAGNOSE_ANGULAR + k];
        diagnosis->center[k] = totals[DIAGNOSE_CENTER + k] / totals[DIAGNOSE_MASS];
    }
    diagnosis->min_distance = gap < 1e38 ? gap : INFINITY;
}

static void collect_tets(const VulkanDevice *device, const void *sums, Diagnosis *diagnosis)
{
    diagnosis->min_det_f = INFINITY;
    for (size_t m = 0; m < MODELS_MOST; ++m) {
        const size_t groups = (device->ranges[m].count + GROUP_TETS - 1) / GROUP_TETS;
        for (size_t g = 0; g < groups && g < DIAGNOSE_MODEL_GROUPS; ++g) {
            diagnosis->elastic += entry(device, sums, DIAGNOSE_ELASTIC, m * DIAGNOSE_MODEL_GROUPS + g);
            const double det = entry(device, sums, DIAGNOSE_DETERMINANT, m * DIAGNOSE_MODEL_GROUPS + g);
            diagnosis->min_det_f = det < diagnosis->min_det_f ? det : diagnosis->min_det_f;
        }
    }
}

VelaResult vulkan_diagnose(Device *base, Slot position, Slot velocity, double time, Diagnosis *diagnosis)
{
    VulkanDevice *device = (VulkanDevice *)base;
    GpuCommands *commands;
    TRY(vulkan_write_planes(device, time));
    TRY(record(device, position, velocity, &commands));
    TRY(vulkan_finish(device));
    const char *readback = vulkan_buffer(device, BUFFER_READBACK)->mapped;
    const uint32_t *indices = (const uint32_t *)(readback + READBACK_INDICES);
    collect_nodes(device, readback + READBACK_DIAGNOSIS, diagnosis);
    collect_tets(device, readback + READBACK_DIAGNOSIS, diagnosis);
    if (indices[DIAGNOSE_INFINITE] != UINT32_MAX)
        diagnosis->elastic = INFINITY;
    diagnosis->bad_node = (int32_t)indices[DIAGNOSE_BAD_NODE];
    diagnosis->inverted_tet = (int32_t)indices[DIAGNOSE_INVERTED];
    return VELA_OK;
}
