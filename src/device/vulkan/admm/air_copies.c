// An iteration of ADMM in air takes three dispatches more, and one where the dual residual is looked at:
//
//     LOCAL  admm_air_project (vertices: S, Z)   admm_air_forces (nodes)
//     AFTER  admm_air_residual (vertices: J, norms)
//     DUAL   admm_air_forces
//
// Like those for damping, numbers are less what the stage's base positions have.
#include "device/vulkan/admm/air_copies.h"

#include "abi/air.h"
#include "device/vulkan/admm/damping_copies.h"
#include "device/vulkan/exact.h"
#include "device/vulkan/recording.h"
#include "device/vulkan/terms/node_motion.h"
#include "gpu/transfer.h"
#include "model/air_copies.h"

#include <string.h>

void air_split_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT])
{
    const SolverDef *solver = &model->scene->solver;
    const uint64_t vertices = model_has_air_copies(model) ? (uint64_t)model_surface_vertices(model) : 0;
    // Without acceleration there is no history; with it the images' differences come behind all of the residuals'.
    const uint64_t sections = solver->anderson ? AIR_COPY_IMAGE_DIFFERENCES + (uint64_t)solver->depth
                                               : AIR_COPY_RESIDUAL_DIFFERENCES;
    defs[BUFFER_AIR_COPIES] =
        (GpuBufferDef){"copies for the air", sections * 3 * real_size(f64) * vertices, GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_AIR_WEIGHTS] =
        (GpuBufferDef){"weights of copies for the air", real_size(f64) * vertices, GPU_MEMORY_DEVICE, 0};
}

VelaResult air_split_create(VulkanDevice *device)
{
    const Model *model = device->base.model;
    Arena *arena = &device->arena;
    AirCopies *copies;
    if (!model_has_air_copies(model))
        return VELA_OK;
    TRY(ARENA_ARRAY(arena, copies, 1));
    copies->vertex_count = (uint32_t)model_surface_vertices(model);
    TRY(ARENA_ARRAY(arena, copies->shares, copies->vertex_count));
    TRY(ARENA_ARRAY(arena, copies->weights, copies->vertex_count));
    TRY(ARENA_ARRAY(arena, device->air_diagonal, device->node_count));
    if (model_air_couples_nodes(model))
        TRY(ARENA_ARRAY(arena, device->air_coupling, model->row_start[device->node_count]));
    model_air_shares(model, copies->shares);
    copies->length = model_air_length(model, copies->shares);
    for (uint32_t v = 0; v < copies->vertex_count; ++v)
        copies->numbers += model->surface.map.is_free[v] ? 3 : 0;
    for (int kind = 0; kind < ELEMENT_KIND_COUNT; ++kind)
        copies->first_sum += device->places[kind].sum_groups;
    copies->first_sum += device->copies ? device->copies->sums : 0;
    const uint32_t room = SUM_GROUPS_MOST - copies->first_sum;
    copies->sums = device->groups_nodes < room ? device->groups_nodes : room;
    device->air_copies = copies;
    return VELA_OK;
}

// ---------------------------------------------------------------- weights

static VelaResult upload_weights(VulkanDevice *device, Arena *scratch)
{
    const AirCopies *copies = device->air_copies;
    const uint64_t bytes = copies->vertex_count * real_size(device->f64);
    void *packed;
    TRY(arena_allocate(scratch, bytes, 1, &packed));
    for (uint32_t v = 0; v < copies->vertex_count; ++v)
        real_store(device->f64, packed, v, copies->weights[v]);
    return gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_AIR_WEIGHTS), 0, packed, bytes);
}

VelaResult air_split_weigh(VulkanDevice *device)
{
    const Model *model = device->base.model;
    AirCopies *copies = device->air_copies;
    if (!copies || (copies->a == device->stage.a && copies->duration == stage_time(device)))
        return VELA_OK;
    copies->a = device->stage.a;
    copies->duration = stage_time(device);
    model_air_weights(model, copies->shares, copies->a, copies->duration, copies->weights);
    memset(device->air_diagonal, 0, device->node_count * sizeof *device->air_diagonal);
    if (device->air_coupling)
        memset(device->air_coupling, 0,
               (size_t)model->row_start[device->node_count] * sizeof *device->air_coupling);
    model_air_matrix(model, copies->weights, device->air_diagonal, device->air_coupling);
    device->matrix.a = 0;
    TRY(vulkan_finish(device));
    Arena scratch = arena_make(device->base.context);
    const VelaResult result = upload_weights(device, &scratch);
    arena_clear(&scratch);
    return result;
}

// ---------------------------------------------------------------- kernels

VelaResult air_split_begin(VulkanDevice *device, uint32_t start)
{
    const AirCopies *copies = device->air_copies;
    if (!copies)
        return VELA_OK;
    const uint32_t push[] = {copies->vertex_count, device->node_count,
                             vulkan_slot(device, SLOT_BASE_POSITION), vulkan_slot(device, SLOT_STAGE), start};
    return vulkan_run(device, &device->kernels[KERNEL_ADMM_AIR_BEGIN], push, copies->vertex_count);
}

static void record_forces(VulkanDevice *device, GpuCommands *commands, uint32_t arguments, bool is_dual)
{
    const uint32_t push[] = {device->air_copies->vertex_count, device->node_count, is_dual};
    vulkan_run_indirect(device, commands, &device->kernels[KERNEL_ADMM_AIR_FORCES], push, arguments);
}

void air_split_record_local(VulkanDevice *device, GpuCommands *commands)
{
    struct {
        ExactNumber wind[3];
        uint32_t vertex_count, node_count;
    } push = {.node_count = device->node_count};
    if (!device->air_copies)
        return;
    push.vertex_count = device->air_copies->vertex_count;
    exact3_store(device->f64, push.wind, 0, device->base.model->scene->air.wind);
    vulkan_run_indirect(device, commands, &device->kernels[KERNEL_ADMM_AIR_PROJECT], &push,
                        ARGUMENTS_LOCAL_NODES);
    record_forces(device, commands, ARGUMENTS_LOCAL_NODES, false);
}

void air_split_record_residual(VulkanDevice *device, GpuCommands *commands)
{
    const AirCopies *copies = device->air_copies;
    if (!copies)
        return;
    const uint32_t push[] = {copies->vertex_count, device->node_count,
                             vulkan_slot(device, SLOT_BASE_POSITION), copies->first_sum, copies->sums};
    vulkan_run_indirect(device, commands, &device->kernels[KERNEL_ADMM_AIR_RESIDUAL], push,
                        ARGUMENTS_AFTER_NODES);
}

void air_split_record_dual(VulkanDevice *device, GpuCommands *commands)
{
    if (device->air_copies)
        record_forces(device, commands, ARGUMENTS_DUAL_NODES, true);
}

// ---------------------------------------------------------------- what is carried from step to step

size_t air_split_state_size(const VulkanDevice *device)
{
    return device->air_copies ? 3 * (size_t)device->air_copies->vertex_count : 0;
}

/// Bytes of the multipliers, which are one behind the other coordinate by coordinate.
static uint64_t section_bytes(const VulkanDevice *device)
{
    return air_split_state_size(device) * real_size(device->f64);
}

VelaResult air_split_state_read(VulkanDevice *device, Arena *scratch, double *values)
{
    const uint64_t bytes = section_bytes(device);
    const size_t vertices = air_split_state_size(device) / 3;
    void *section;
    if (vertices == 0)
        return VELA_OK;
    TRY(arena_allocate(scratch, bytes, 1, &section));
    TRY(gpu_download(device->gpu, vulkan_buffer(device, BUFFER_AIR_COPIES), AIR_COPY_MULTIPLIER * bytes,
                     section, bytes));
    for (size_t i = 0; i < 3 * vertices; ++i)
        values[i] = real_load(device->f64, section, i % 3 * vertices + i / 3);
    return VELA_OK;
}

VelaResult air_split_state_write(VulkanDevice *device, Arena *scratch, const double *values)
{
    const uint64_t bytes = section_bytes(device);
    const size_t vertices = air_split_state_size(device) / 3;
    void *section;
    if (vertices == 0)
        return VELA_OK;
    TRY(arena_allocate(scratch, bytes, 1, &section));
    for (size_t i = 0; i < 3 * vertices; ++i)
        real_store(device->f64, section, i % 3 * vertices + i / 3, values[i]);
    return gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_AIR_COPIES), AIR_COPY_MULTIPLIER * bytes,
                      section, bytes);
}
