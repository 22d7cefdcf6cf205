#include "device/cpu/cpu.h"

#include "device/cpu/admm/admm.h"
#include "device/cpu/admm/global.h"
#include "device/cpu/contact/filter.h"
#include "device/cpu/diagnosis/diagnosis.h"
#include "device/cpu/newton/newton.h"
#include "device/cpu/terms/corner_forces.h"

#include "base/matrix3.h"

#include <stdio.h>
#include <string.h>

static void destroy(Device *base)
{
    CpuDevice *device = (CpuDevice *)base;
    cpu_newton_destroy(device);
    global_destroy(device->global);
    barrier_destroy(device->barrier);
    Arena arena = device->arena;
    arena_clear(&arena);
}

static VelaResult state_read(Device *base, Slot slot, double *values)
{
    CpuDevice *device = (CpuDevice *)base;
    memcpy(values, device->slots[slot], 3 * (size_t)base->model->node_count * sizeof *values);
    return VELA_OK;
}

static VelaResult state_write(Device *base, Slot slot, const double *values)
{
    CpuDevice *device = (CpuDevice *)base;
    memcpy(device->slots[slot], values, 3 * (size_t)base->model->node_count * sizeof *values);
    return VELA_OK;
}

static VelaResult combine(Device *base, Slot destination, int count, const double *coefficients,
                          const Slot *slots)
{
    CpuDevice *device = (CpuDevice *)base;
    const size_t n = 3 * (size_t)base->model->node_count;
    double *out = device->slots[destination];
#pragma omp parallel for schedule(static) num_threads(device->node_threads)
    for (size_t i = 0; i < n; ++i) {
        double sum = coefficients[0] * device->slots[slots[0]][i];
        for (int k = 1; k < count; ++k)
            sum += coefficients[k] * device->slots[slots[k]][i];
        out[i] = sum;
    }
    return VELA_OK;
}

static VelaResult prescribe(Device *base, Slot destination, const double *values)
{
    CpuDevice *device = (CpuDevice *)base;
    for (int32_t p = 0; p < base->model->pin_count; ++p)
        memcpy(device->slots[destination] + 3 * (size_t)base->model->pin_nodes[p], values + 3 * (size_t)p,
               3 * sizeof *values);
    return VELA_OK;
}

static VelaResult acceleration(Device *base, Slot destination, Slot at, double time)
{
    CpuDevice *device = (CpuDevice *)base;
    const Model *model = base->model;
    const double *x = device->slots[at];
    double *out = device->slots[destination];
#pragma omp parallel for schedule(static) num_threads(device->threads)
    for (int32_t c = 0; c < device->block_chunks; ++c) {
        const int32_t end = (c + 1) * BLOCKS_PER_CHUNK;
        device->kernels->stresses(&device->blocks, c * BLOCKS_PER_CHUNK,
                                  end < device->blocks.count ? end : device->blocks.count, x);
    }
    cpu_gather(device, out);
    model_planes(model, time, device->normals, device->offsets);
    if (device->barrier)
        TRY(barrier_gradient(device->barrier, x, out));
    // From D^T w P to the force of the planes, minus it, and over the mass.
    for (int32_t p = 0; p < model->plane_count; ++p)
        for (int32_t s = 0; s < model->surface_node_count; ++s) {
            const size_t i = 3 * (size_t)model->surface_nodes[s];
            const double *n = device->normals[p];
            const double gap = n[0] * x[i] + n[1] * x[i + 1] + n[2] * x[i + 2] - device->offsets[p];
            for (int k = 0; k < 3 && gap < 0; ++k)
                out[i + k] += model->scene->contact.stiffness * gap * n[k];
        }
    for (int32_t i = 0; i < model->node_count; ++i)
        for (int k = 0; k < 3; ++k) {
            double *value = out + 3 * (size_t)i + k;
            *value = model->node_is_free[i] ? model->scene->gravity[k] - *value / model->masses[i] : 0;
        }
    return VELA_OK;
}

static VelaResult friction_acceleration(Device *base, Slot destination)
{
    CpuDevice *device = (CpuDevice *)base;
    const Model *model = base->model;
    double *gradient = device->motion, *out = device->slots[destination];
    memset(gradient, 0, 3 * (size_t)model->node_count * sizeof *gradient);
    barrier_friction_gradient(device->barrier, device->slots[SLOT_STAGE], gradient);
    for (int32_t i = 0; i < model->node_count; ++i)
        if (model->node_is_free[i])
            add_scaled3(out + 3 * (size_t)i, -1 / model->masses[i], gradient + 3 * (size_t)i,
                        out + 3 * (size_t)i);
    return VELA_OK;
}

static VelaResult friction_loss(Device *base, Slot from, Slot to, double duration, FrictionLoss *loss)
{
    const CpuDevice *device = (const CpuDevice *)base;
    *loss = barrier_friction_loss(device->barrier, device->slots[SLOT_STAGE], device->slots[from],
                                  device->slots[to], duration);
    return VELA_OK;
}

static VelaResult admissible_step(Device *base, Slot from, Slot to, double *step)
{
    CpuDevice *device = (CpuDevice *)base;
    const size_t n = 3 * (size_t)base->model->node_count;
    for (size_t i = 0; i < n; ++i)
        device->motion[i] = device->slots[to][i] - device->slots[from][i];
    return cpu_contact_filter(device, device->slots[from], device->motion, step);
}

// values[i] = sum over the free nodes of m a.b.
static VelaResult mass_dot(Device *base, int count, const Slot (*pairs)[2], double *values)
{
    CpuDevice *device = (CpuDevice *)base;
    const Model *model = base->model;
#pragma omp parallel for schedule(static) num_threads(device->node_threads)
    for (int32_t c = 0; c < device->node_chunks; ++c) {
        double *sums = device->node_sums[c];
        memset(sums, 0, (size_t)count * sizeof *sums);
        for (int32_t i = c * NODES_PER_CHUNK; i < (c + 1) * NODES_PER_CHUNK && i < model->node_count; ++i)
            for (int k = 0; k < count && model->node_is_free[i]; ++k)
                sums[k] += model->masses[i] * dot3(device->slots[pairs[k][0]] + 3 * (size_t)i,
                                                   device->slots[pairs[k][1]] + 3 * (size_t)i);
    }
    memset(values, 0, (size_t)count * sizeof *values);
    for (int32_t c = 0; c < device->node_chunks; ++c)
        for (int k = 0; k < count; ++k)
            values[k] += device->node_sums[c][k];
    return VELA_OK;
}

static VelaResult stage_set(Device *base, const Stage *stage)
{
    CpuDevice *device = (CpuDevice *)base;
    device->stage = *stage;
    model_planes(base->model, stage->time, device->normals, device->offsets);
    if (!device->barrier)
        return VELA_OK;
    const double start = cpu_clock();
    const VelaResult result = barrier_begin(device->barrier, device->slots[SLOT_STAGE],
                                            device->slots[SLOT_VELOCITY], device->slots[SLOT_BASE_POSITION],
                                            stage->slip_time > 0 ? stage->slip_time : stage->a, stage->time);
    cpu_timing_add(device->timings, PHASE_CONTACT_PAIRS, start);
    return result;
}

// The processor's name as the kernel tells it, with the instruction set in use.
static void describe_processor(CpuDevice *device)
{
    char line[256], name[192] = "CPU";
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "model name : %191[^\n]", name) == 1)
            break;
    if (file)
        fclose(file);
    snprintf(device->name, sizeof device->name, "%s, %s", name, device->kernels->name);
}

static void information(const Device *base, DeviceInfo *info)
{
    const CpuDevice *device = (const CpuDevice *)base;
    info->kind = "cpu";
    info->name = device->name;
    info->driver = "";
    info->precision = "f64";
    info->memory =
        cpu_device_memory(base->model) + (device->global ? global_factor_bytes(device->global) : 0);
}

static VelaResult timings(Device *base, int32_t *count, const DeviceTiming **list)
{
    *count = PHASE_COUNT;
    *list = ((CpuDevice *)base)->timings;
    return VELA_OK;
}

static const DeviceOperations operations = {
    .destroy = destroy,
    .state_read = state_read,
    .state_write = state_write,
    .combine = combine,
    .prescribe = prescribe,
    .acceleration = acceleration,
    .stage_set = stage_set,
    .admm_begin = cpu_admm_begin,
    .admm_iterate = cpu_admm_iterate,
    .admm_scale_penalty = cpu_admm_scale_penalty,
    .newton_direction = cpu_newton_direction,
    .newton_trials = cpu_newton_trials,
    .newton_accept = cpu_newton_accept,
    .mass_dot = mass_dot,
    .stage_acceleration = cpu_stage_acceleration,
    .friction_acceleration = friction_acceleration,
    .friction_loss = friction_loss,
    .admissible_step = admissible_step,
    .diagnose = cpu_diagnose,
    .solver_state_size = cpu_solver_state_size,
    .solver_state_read = cpu_solver_state_read,
    .solver_state_write = cpu_solver_state_write,
    .information = information,
    .timings = timings,
};

static VelaResult allocate(CpuDevice *device, Arena *arena)
{
    const Model *model = device->base.model;
    for (int s = 0; s < SLOT_COUNT; ++s)
        TRY(ARENA_ARRAY(arena, device->slots[s], 3 * (size_t)model->node_count));
    TRY(element_blocks_build(device->base.context, model, arena, &device->blocks));
    device->block_chunks = (device->blocks.count + BLOCKS_PER_CHUNK - 1) / BLOCKS_PER_CHUNK;
    device->node_chunks = (model->node_count + NODES_PER_CHUNK - 1) / NODES_PER_CHUNK;
    TRY(ARENA_ARRAY(arena, device->normals, model->plane_count));
    TRY(ARENA_ARRAY(arena, device->offsets, model->plane_count));
    TRY(ARENA_ARRAY(arena, device->energy_sums, device->block_chunks));
    TRY(ARENA_ARRAY(arena, device->node_sums, device->node_chunks));
    if (model->scene->contact.model == CONTACT_BARRIER) {
        TRY(ARENA_ARRAY(arena, device->motion, 3 * (size_t)model->node_count));
        TRY(barrier_create(device->base.context, model, device->threads, &device->barrier));
    }
    return model->scene->solver.type == SOLVER_NEWTON ? cpu_newton_create(device, arena)
                                                      : cpu_admm_create(device, arena);
}

VelaResult cpu_device_create(VelaContext *context, const Model *model, Device **out)
{
    *out = NULL;
    Arena arena = arena_make(context);
    CpuDevice *device;
    TRY(ARENA_ARRAY(&arena, device, 1));
    device->base = (Device){&operations, context, model};
    device->kernels = kernels_choose();
    device->threads = model->tet_count < TETS_FOR_THREADS ? 1 : context->threads;
    device->node_threads = model->node_count < NODES_FOR_THREADS ? 1 : context->threads;
    describe_processor(device);
    cpu_timings_name(device->timings);
    const VelaResult result = allocate(device, &arena);
    device->arena = arena;
    if (result != VELA_OK) {
        destroy(&device->base);
        return result;
    }
    *out = &device->base;
    return VELA_OK;
}

size_t cpu_device_memory(const Model *model)
{
    const size_t per_tet = 4 * 4 * 2 + 4 + 8 * (9 + 2 + 12), per_node = 8 * 3 * SLOT_COUNT + 2 * 4 + 4;
    return per_tet * (size_t)model->tet_count + per_node * (size_t)model->node_count +
           (model->scene->contact.model == CONTACT_BARRIER ? barrier_memory(model) : 0) +
           (model->scene->solver.type == SOLVER_NEWTON ? cpu_newton_memory(model) : cpu_admm_memory(model));
}
