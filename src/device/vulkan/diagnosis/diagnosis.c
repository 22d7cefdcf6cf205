#include "device/vulkan/diagnosis/diagnosis.h"

#include "device/vulkan/constraints/constraint_term.h"
#include "device/vulkan/contact/contact.h"
#include "device/vulkan/diagnosis/sections.h"
#include "device/vulkan/exact.h"
#include "device/vulkan/recording.h"
#include "device/vulkan/terms/elements.h"
#include "device/vulkan/terms/loads.h"

#include <math.h>

static VelaResult record(VulkanDevice *device, Slot position, Slot velocity)
{
    const SceneDef *scene = device->base.model->scene;
    GpuCommands *commands;
    TRY(vulkan_open(device, &commands));
    sections_begin(device, commands, DIAGNOSE_SUMS, DIAGNOSE_SECTIONS - DIAGNOSE_SUMS, UINT32_MAX);
    struct {
        ExactNumber gravity[3];
        uint32_t node_count, plane_count, position, velocity;
    } nodes = {.node_count = device->node_count,
               .plane_count = vulkan_node_planes(device),
               .position = vulkan_slot(device, position),
               .velocity = vulkan_slot(device, velocity)};
    for (size_t k = 0; k < 3; ++k)
        exact_store(device->f64, nodes.gravity, k, scene->gravity[k]);
    TRY(vulkan_run_sum(device, &device->kernels[KERNEL_DIAGNOSE_NODES], &nodes, device->node_count));
    // The energy of pressures is the loads'.
    TRY(elements_run_kinds(device, KERNEL_DIAGNOSE_ELEMENTS, vulkan_slot(device, position), true,
                           ~(1u << ELEMENT_PRESSURE)));
    TRY(contact_measure(device, position));
    TRY(constraints_measure(device, position));
    TRY(vulkan_open(device, &commands));
    device->gpu->statistics.downloaded += sections_read(device, commands, DIAGNOSE_SECTIONS);
    device->gpu->statistics.downloaded += contact_read(device, commands);
    return VELA_OK;
}

static void collect(const VulkanDevice *device, Diagnosis *diagnosis)
{
    diagnosis->kinetic = section_sum(device, DIAGNOSE_KINETIC);
    diagnosis->gravitational = section_sum(device, DIAGNOSE_GRAVITATIONAL);
    diagnosis->contact = section_sum(device, DIAGNOSE_CONTACT);
    diagnosis->elastic = section_sum(device, DIAGNOSE_ELASTIC);
    diagnosis->constraint = section_sum(device, DIAGNOSE_CONSTRAINT);
    if (section_index(device, DIAGNOSE_INFINITE) != UINT32_MAX)
        diagnosis->elastic = INFINITY;
    const double mass = section_sum(device, DIAGNOSE_MASS);
    for (int k = 0; k < 3; ++k) {
        diagnosis->linear_momentum[k] = section_sum(device, (size_t)(DIAGNOSE_MOMENTUM + k));
        diagnosis->angular_momentum[k] = section_sum(device, (size_t)(DIAGNOSE_ANGULAR + k));
        diagnosis->center[k] = section_sum(device, (size_t)(DIAGNOSE_CENTER + k)) / mass;
    }
    const double gap = section_smallest(device, DIAGNOSE_GAP);
    diagnosis->min_distance = gap < 1e38 ? gap : INFINITY;
    const double det = section_smallest(device, DIAGNOSE_DETERMINANT);
    diagnosis->min_det_f = det < 1e38 ? det : INFINITY;
    diagnosis->bad_node = (int32_t)section_index(device, DIAGNOSE_BAD_NODE);
    diagnosis->inverted_element = (int32_t)section_index(device, DIAGNOSE_INVERTED);
    contact_collect_measure(device, diagnosis);
    if (device->constraints)
        diagnosis->constraint_error = fmax(-section_smallest(device, DIAGNOSE_UNMET), 0);
}

VelaResult vulkan_diagnose(Device *base, Slot position, Slot velocity, double time, Diagnosis *diagnosis)
{
    VulkanDevice *device = (VulkanDevice *)base;
    TRY(vulkan_write_planes(device, time));
    TRY(loads_write(device, time));
    for (bool again = true; again;) {
        TRY(record(device, position, velocity));
        TRY(vulkan_finish(device));
        TRY(contact_grow(device, &again));
    }
    collect(device, diagnosis);
    return loads_energy(device, position, time, &diagnosis->loads);
}

VelaResult vulkan_mass_dot(Device *base, int count, const Slot (*pairs)[2], double *values)
{
    VulkanDevice *device = (VulkanDevice *)base;
    struct {
        uint32_t pairs[8], count, node_count;
    } push = {.count = (uint32_t)count, .node_count = device->node_count};
    for (int p = 0; p < count; ++p)
        for (int k = 0; k < 2; ++k)
            push.pairs[2 * p + k] = vulkan_slot(device, pairs[p][k]);
    GpuCommands *commands;
    TRY(vulkan_open(device, &commands));
    sections_begin(device, commands, 4, 0, 0);
    TRY(vulkan_run_sum(device, &device->kernels[KERNEL_MASS_DOT], &push, device->node_count));
    device->gpu->statistics.downloaded += sections_read(device, commands, (uint64_t)count);
    TRY(vulkan_finish(device));
    for (int p = 0; p < count; ++p)
        values[p] = section_sum(device, (size_t)p);
    return VELA_OK;
}
