#include "device/vulkan/vulkan.h"

#include "device/vulkan/admm/admm.h"
#include "device/vulkan/admm/damping_copies.h"
#include "device/vulkan/admm/solver_state.h"
#include "device/vulkan/buffers.h"
#include "device/vulkan/constraints/compliant.h"
#include "device/vulkan/constraints/constraint_term.h"
#include "device/vulkan/contact/broad_phase.h"
#include "device/vulkan/contact/contact.h"
#include "device/vulkan/contact/friction.h"
#include "device/vulkan/contact/penalty_forces.h"
#include "device/vulkan/diagnosis/diagnosis.h"
#include "device/vulkan/diagnosis/fields.h"
#include "device/vulkan/exact.h"
#include "device/vulkan/kernels.h"
#include "device/vulkan/linear/coarse.h"
#include "device/vulkan/linear/matrix.h"
#include "device/vulkan/newton/newton.h"
#include "device/vulkan/recording.h"
#include "device/vulkan/terms/air.h"
#include "device/vulkan/terms/damping.h"
#include "device/vulkan/terms/elements.h"
#include "device/vulkan/terms/loads.h"
#include "gpu/memory.h"
#include "gpu/open.h"
#include "gpu/self_test.h"
#include "gpu/transfer.h"
#include "model/constraints.h"

#include <string.h>

_Static_assert(ABI_SLOT_POSITION == SLOT_POSITION && ABI_SLOT_TARGET == SLOT_TARGET &&
                   ABI_SLOT_STAGE == SLOT_STAGE,
               "abi/nodes.h numbers as device.h does the slots that every device has");
_Static_assert(TRIALS_MOST == NEWTON_TRIALS && TRIAL_SECTIONS <= DIAGNOSE_SECTIONS,
               "sections for every trial");

static void destroy(Device *base)
{
    VulkanDevice *device = (VulkanDevice *)base;
    gpu_commands_destroy(device->batch.commands);
    for (int i = 0; i < NEWTON_BATCHES; ++i)
        gpu_commands_destroy(device->newton_batches[i].commands);
    constraints_destroy(device);
    for (int i = 0; i < 2; ++i)
        gpu_commands_destroy(device->open[i]);
    gpu_pipelines_destroy(device->pipelines);
    gpu_pool_destroy(device->pool);
    if (device->owned_instance) {
        gpu_device_destroy(device->gpu);
        gpu_instance_destroy(device->owned_instance);
    }
    Arena arena = device->arena;
    arena_clear(&arena);
}

static uint64_t slot_bytes(const VulkanDevice *device)
{
    return 3 * sizeof(double) * (uint64_t)device->node_count;
}

static VelaResult state_read(Device *base, Slot slot, double *values)
{
    VulkanDevice *device = (VulkanDevice *)base;
    TRY(vulkan_finish(device));
    // Both representations take as many bytes as the doubles they become: converted in place.
    TRY(gpu_download(device->gpu, vulkan_buffer(device, BUFFER_SLOTS),
                     vulkan_slot(device, slot) * slot_bytes(device), values, slot_bytes(device)));
    for (size_t i = 0; i < device->node_count; ++i) {
        double value[3];
        exact3_load(device->f64, values, i, value);
        memcpy(values + 3 * i, value, sizeof value);
    }
    return VELA_OK;
}

static VelaResult state_write(Device *base, Slot slot, const double *values)
{
    VulkanDevice *device = (VulkanDevice *)base;
    TRY(vulkan_finish(device));
    Arena scratch = arena_make(base->context);
    void *packed;
    TRY(arena_allocate(&scratch, device->node_count, 3 * sizeof(double), &packed));
    for (size_t i = 0; i < device->node_count; ++i)
        exact3_store(device->f64, packed, i, values + 3 * i);
    const VelaResult result =
        gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_SLOTS),
                   vulkan_slot(device, slot) * slot_bytes(device), packed, slot_bytes(device));
    arena_clear(&scratch);
    return result;
}

static VelaResult combine(Device *base, Slot destination, int count, const double *coefficients,
                          const Slot *slots)
{
    VulkanDevice *device = (VulkanDevice *)base;
    uint32_t sources[4];
    for (int k = 0; k < count; ++k)
        sources[k] = vulkan_slot(device, slots[k]);
    return vulkan_combine(device, vulkan_slot(device, destination), count, coefficients, sources);
}

static VelaResult prescribe(Device *base, Slot destination, const double *values)
{
    VulkanDevice *device = (VulkanDevice *)base;
    const uint32_t count = (uint32_t)model_prescribed_count(base->model);
    void *memory;
    TRY(vulkan_write(device, BUFFER_PIN_POSITIONS, 0, 3 * sizeof(double) * (uint64_t)count, &memory));
    for (size_t p = 0; p < count; ++p)
        exact3_store(device->f64, memory, p, values + 3 * p);
    const uint32_t push[] = {vulkan_slot(device, destination), count, device->node_count};
    return vulkan_run(device, &device->kernels[KERNEL_PRESCRIBE], push, count);
}

static VelaResult evaluate_forces(VulkanDevice *device, Slot destination, Slot at, double time, bool forces)
{
    TRY(vulkan_write_planes(device, time));
    TRY(loads_write(device, time));
    TRY(elements_run(device, KERNEL_ELEMENT_FORCES, vulkan_slot(device, at), false));
    const uint32_t push[] = {device->node_count, vulkan_node_planes(device), vulkan_slot(device, at),
                             vulkan_slot(device, destination), forces};
    return vulkan_run(device, &device->kernels[KERNEL_ACCELERATION], push, device->node_count);
}

static VelaResult acceleration(Device *base, Slot destination, Slot at, double time)
{
    VulkanDevice *device = (VulkanDevice *)base;
    TRY(evaluate_forces(device, destination, at, time, false));
    return contact_acceleration(device, destination, at, false);
}

static VelaResult add_dissipation(VulkanDevice *device, Slot destination, bool forces)
{
    TRY(contact_dissipation(device, destination, forces));
    return damping_dissipation(device, destination, forces);
}

static VelaResult forces(Device *base, Slot destination, Slot at, double time, bool dissipation)
{
    VulkanDevice *device = (VulkanDevice *)base;
    TRY(evaluate_forces(device, destination, at, time, true));
    TRY(constraints_forces(device, destination, at));
    // What the stage has lagged comes before anything looks for contacts elsewhere.
    if (dissipation)
        TRY(add_dissipation(device, destination, true));
    return contact_acceleration(device, destination, at, true);
}

static VelaResult dissipation_acceleration(Device *base, Slot destination)
{
    return add_dissipation((VulkanDevice *)base, destination, false);
}

static VelaResult stage_set(Device *base, const Stage *stage)
{
    VulkanDevice *device = (VulkanDevice *)base;
    device->stage = *stage;
    contact_stage_set(device);
    TRY(vulkan_solver(device) == SOLVER_ADMM ? copies_stage_set(device) : damping_stage_set(device));
    return air_stage_set(device);
}

static void information(const Device *base, DeviceInfo *info)
{
    const VulkanDevice *device = (const VulkanDevice *)base;
    const GpuStatistics *statistics = &device->gpu->statistics;
    info->kind = "vulkan";
    info->name = device->gpu->info.name;
    info->driver = device->gpu->info.driver;
    info->precision = device->f64 ? "f64" : "f32";
    info->memory = (size_t)device->pool->bytes;
    info->dispatches = statistics->dispatches;
    info->host_waits = statistics->host_waits;
    info->bytes_transferred = statistics->uploaded + statistics->downloaded;
}

static VelaResult timings(Device *base, int32_t *count, const DeviceTiming **list)
{
    VulkanDevice *device = (VulkanDevice *)base;
    TRY(vulkan_finish(device));
    const GpuStatistics *statistics = &device->gpu->statistics;
    *count = 0;
    for (int32_t i = 0; i < statistics->timer_count; ++i) {
        const GpuTimer *timer = &statistics->timers[i];
        if (timer->count > 0)
            device->timings[(*count)++] =
                (DeviceTiming){timer->name, timer->count, 1e-6 * timer->nanoseconds};
    }
    *list = device->timings;
    return VELA_OK;
}

static const DeviceOperations operations = {
    .destroy = destroy,
    .state_read = state_read,
    .state_write = state_write,
    .combine = combine,
    .prescribe = prescribe,
    .acceleration = acceleration,
    .forces = forces,
    .stage_set = stage_set,
    .admm_begin = vulkan_admm_begin,
    .admm_iterate = vulkan_admm_iterate,
    .admm_scale_penalty = vulkan_admm_scale_penalty,
    .newton_direction = vulkan_newton_direction,
    .newton_trials = vulkan_newton_trials,
    .newton_way = vulkan_newton_way,
    .newton_accept = vulkan_newton_accept,
    .compliant_direction = vulkan_compliant_direction,
    .mass_dot = vulkan_mass_dot,
    .stage_acceleration = vulkan_stage_acceleration,
    .dissipation_acceleration = dissipation_acceleration,
    .dissipation_loss = vulkan_dissipation_loss,
    .damping_acceleration = vulkan_damping_acceleration,
    .damping_loss = vulkan_damping_loss,
    .penalty_friction = vulkan_penalty_friction,
    .admissible_step = vulkan_admissible_step,
    .diagnose = vulkan_diagnose,
    .fields = vulkan_fields,
    .solver_state_size = vulkan_solver_state_size,
    .solver_state_read = vulkan_solver_state_read,
    .solver_state_write = vulkan_solver_state_write,
    .information = information,
    .timings = timings,
};

static VelaResult lay_out_matrix(VulkanDevice *device)
{
    const Model *model = device->base.model;
    const bool hands_on = coarse_hands_blocks_on(model);
    CoarseTable table;
    Arena scratch = arena_make(device->base.context);
    VelaResult result = hands_on ? coarse_table_make(model, &scratch, &table) : VELA_OK;
    if (result == VELA_OK)
        result = matrix_layout(model, hands_on ? &table : NULL, &device->arena, &device->matrix);
    arena_clear(&scratch);
    return result;
}

static VelaResult build(VulkanDevice *device)
{
    const Model *model = device->base.model;
    GpuBufferDef defs[BUFFER_COUNT];
    TRY(ARENA_ARRAY(&device->arena, device->penalties, model->element_count));
    device->all_penalties = device->penalties;
    TRY(ARENA_ARRAY(&device->arena, device->shapes, model->penalty_count));
    TRY(ARENA_ARRAY(&device->arena, device->timings, GPU_MAX_TIMERS));
    TRY(lay_out_matrix(device));
    vulkan_plan(model, device->f64, defs);
    TRY(gpu_pool_create(device->gpu, BUFFER_COUNT, defs, &device->pool));
    TRY(gpu_pipelines_create(device->gpu, &device->pipelines));
    TRY(vulkan_model_upload(device));
    TRY(contact_create(device));
    TRY(vulkan_kernels_create(device));
    for (int i = 0; i < 2; ++i)
        TRY(gpu_commands_create(device->gpu, 256, &device->open[i]));
    TRY(gpu_commands_create(device->gpu, 8192, &device->batch.commands));
    model_penalty_shapes(model, 0, device->shapes);
    return vulkan_write_scalars(device);
}

VelaResult vulkan_device_fits(VelaContext *context, const Model *model, bool f64, const GpuDeviceInfo *info)
{
    GpuBufferDef defs[BUFFER_COUNT];
    const SolverDef *solver = &model->scene->solver;
    FAIL_IF(
        context,
        model_has_constraint_solver(model->scene) && solver->linear_solve_is_named &&
            solver->linear_solve == CONSTRAINT_SOLVE_DIRECT,
        VELA_ERROR_UNSUPPORTED,
        "%s: solver.linear.type \"direct\" on a GPU: expected \"minres\", or run on the CPU (--device cpu)",
        model->scene->path);
    FAIL_IF(context, f64 && !info->float64, VELA_ERROR_UNSUPPORTED,
            "%s has no double precision: run with --precision f32, or on the CPU (--device cpu)", info->name);
    vulkan_plan(model, f64, defs);
    const uint64_t planned = gpu_pool_plan(BUFFER_COUNT, defs);
    FAIL_IF(
        context, planned > info->memory, VELA_ERROR_INVALID_INPUT,
        "%s: %d nodes and %d elements need %.1f MiB on %s, expected at most the %.1f MiB it has: run on the "
        "CPU (--device cpu) or another device",
        model->scene->path, model->node_count, model->element_count, (double)planned / 1048576, info->name,
        (double)info->memory / 1048576);
    for (int b = 0; b < BUFFER_COUNT; ++b)
        FAIL_IF(
            context, defs[b].size > info->binding, VELA_ERROR_INVALID_INPUT,
            "%s: %d nodes and %d elements need %.1f MiB for \"%s\" on %s, expected at most the %.1f MiB that "
            "its kernels can bind: run on the CPU (--device cpu) or another device",
            model->scene->path, model->node_count, model->element_count, (double)defs[b].size / 1048576,
            defs[b].name, info->name, (double)info->binding / 1048576);
    return VELA_OK;
}

VelaResult vulkan_device_create(VelaContext *context, GpuDevice *gpu, const Model *model, bool f64,
                                Device **out)
{
    *out = NULL;
    GpuDeviceInfo info = gpu->info;
    info.float64 = gpu->float64;
    TRY(vulkan_device_fits(context, model, f64, &info));
    if (!f64)
        TRY(gpu_self_test(gpu));
    if (model_has_constraint_solver(model->scene) && !model->scene->solver.linear_solve_is_named)
        context_log(context, VELA_LOG_INFO, "%s: solver.linear.type is minres on a GPU; direct is the CPU's",
                    model->scene->path);
    Arena arena = arena_make(context);
    VulkanDevice *device;
    TRY(ARENA_ARRAY(&arena, device, 1));
    device->base = (Device){.operations = &operations,
                            .context = context,
                            .model = model,
                            .constraint_solve = CONSTRAINT_SOLVE_MINRES,
                            .slots = scene_slots(model->scene),
                            .dissipates = model->contact.has_friction || model->is_damped};
    device->arena = arena;
    device->gpu = gpu;
    device->f64 = f64;
    device->node_count = (uint32_t)model->node_count;
    device->element_count = (uint32_t)model->element_count;
    device->local_count = (uint32_t)model->local_count;
    device->surface_count = (uint32_t)model_surface_vertices(model);
    device->plane_count = (uint32_t)model->penalty_count;
    device->contact_count = device->surface_count * device->plane_count;
    device->split_count = (uint32_t)model_penalty_coordinates(model);
    device->depth_most = model->scene->solver.anderson ? model->scene->solver.depth : 0;
    device->penalty_factor = -1;
    device->penalty_scale = 1;
    device->solve_iterations[0] = device->solve_iterations[1] = 64;
    device->submission_seconds = VULKAN_SUBMISSION_SECONDS;
    device->wanted_iterations = 8;
    device->wanted_cg_iterations = 32;
    const VelaResult result = build(device);
    if (result != VELA_OK) {
        destroy(&device->base);
        return result;
    }
    *out = &device->base;
    return VELA_OK;
}

VelaResult vulkan_device_open(VelaContext *context, const char *name, const Model *model, bool f64,
                              Device **out)
{
    *out = NULL;
    const GpuInstanceDef instance_def = gpu_default_instance_def();
    const GpuDeviceDef device_def = gpu_default_device_def();
    GpuInstance *instance;
    GpuDevice *gpu = NULL;
    int32_t index;
    TRY(gpu_instance_create(context, &instance_def, &instance));
    VelaResult result = gpu_instance_choose(instance, name, &index);
    if (result == VELA_OK)
        result = gpu_device_create(instance, index, &device_def, &gpu);
    if (result == VELA_OK)
        result = vulkan_device_create(context, gpu, model, f64, out);
    if (result != VELA_OK) {
        gpu_device_destroy(gpu);
        gpu_instance_destroy(instance);
        return result;
    }
    ((VulkanDevice *)*out)->owned_instance = instance;
    return VELA_OK;
}
