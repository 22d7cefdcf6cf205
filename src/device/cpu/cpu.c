#include "device/cpu/cpu.h"

#include "device/cpu/admm/admm.h"
#include "device/cpu/admm/air_copies.h"
#include "device/cpu/admm/damping_copies.h"
#include "device/cpu/admm/global.h"
#include "device/cpu/admm/rigid_update.h"
#include "device/cpu/constraints/compliant.h"
#include "device/cpu/diagnosis/diagnosis.h"
#include "device/cpu/diagnosis/fields.h"
#include "device/cpu/newton/newton.h"
#include "device/cpu/terms/air.h"
#include "device/cpu/terms/damping.h"
#include "device/cpu/terms/inertia.h"
#include "device/cpu/terms/loads.h"
#include "device/cpu/terms/penalty_friction.h"
#include "device/cpu/terms/terms.h"
#include "device/cpu/terms/variational_damping.h"
#include "device/slots.h"

#include "base/matrix3.h"

#include <stdio.h>
#include <string.h>

static void destroy(Device *base)
{
    CpuDevice *device = (CpuDevice *)base;
    cpu_newton_destroy(device);
    cpu_constraints_destroy(device);
    global_destroy(device->admm.global);
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

/// The slots that one becomes a sum of.
typedef struct Combination {
    CpuDevice *device;
    Slot destination;
    int count;
    const double *coefficients;
    const Slot *slots;
} Combination;

static void combine_range(void *data, int32_t first, int32_t end)
{
    const Combination *of = data;
    double *const *values = of->device->slots, *out = values[of->destination];
    for (size_t i = 3 * (size_t)first; i < 3 * (size_t)end; ++i) {
        double sum = of->coefficients[0] * values[of->slots[0]][i];
        for (int k = 1; k < of->count; ++k)
            sum += of->coefficients[k] * values[of->slots[k]][i];
        out[i] = sum;
    }
}

static VelaResult combine(Device *base, Slot destination, int count, const double *coefficients,
                          const Slot *slots)
{
    CpuDevice *device = (CpuDevice *)base;
    Combination of = {device, destination, count, coefficients, slots};
    team_ranges(device->node_threads, base->model->node_count, TEAM_LIGHT_LEAST, combine_range, &of);
    return VELA_OK;
}

static VelaResult prescribe(Device *base, Slot destination, const double *values)
{
    CpuDevice *device = (CpuDevice *)base;
    for (int32_t p = 0; p < base->model->pin_count; ++p)
        memcpy(device->slots[destination] + 3 * (size_t)base->model->pin_nodes[p], values + 3 * (size_t)p,
               3 * sizeof *values);
    for (int32_t p = 0; p < base->model->partial_pin_count; ++p) {
        const PartialPin *pin = &base->model->partial_pins[p];
        partial_pin_set(pin, values + 3 * (size_t)(base->model->pin_count + p),
                        device->slots[destination] + 3 * (size_t)pin->node);
    }
    return VELA_OK;
}

static VelaResult acceleration(Device *base, Slot destination, Slot at, double time)
{
    CpuDevice *device = (CpuDevice *)base;
    const Model *model = base->model;
    const CpuTerm *terms[CPU_TERMS_MOST];
    const int count = cpu_terms(device, terms);
    double *out = device->slots[destination];
    model_penalty_shapes(model, time, device->shapes);
    cpu_loads_set(device, time);
    memset(out, 0, 3 * (size_t)model->node_count * sizeof *out);
    for (int t = 0; t < count; ++t)
        if (terms[t]->add_gradient)
            TRY(terms[t]->add_gradient(device, device->slots[at], out));
    inertia_divide(model, out);
    for (int32_t i = 0; i < model->node_count; ++i)
        for (int k = 0; k < 3; ++k) {
            double *value = out + 3 * (size_t)i + k;
            *value = model->node_is_free[i] ? model->scene->gravity[k] - *value : 0;
        }
    model_release(model, out);
    return VELA_OK;
}

static VelaResult forces(Device *base, Slot destination, Slot at, double time, bool dissipation)
{
    CpuDevice *device = (CpuDevice *)base;
    const Model *model = base->model;
    const CpuTerm *terms[CPU_TERMS_MOST];
    const int count = cpu_terms(device, terms);
    double *out = device->slots[destination];
    model_penalty_shapes(model, time, device->shapes);
    cpu_loads_set(device, time);
    memset(out, 0, 3 * (size_t)model->node_count * sizeof *out);
    // What the stage has lagged comes before anything looks for contacts elsewhere.
    for (int t = 0; t < count && dissipation; ++t) {
        if (terms[t]->add_dissipation)
            TRY(terms[t]->add_dissipation(device, out));
        if (terms[t]->add_impulse)
            TRY(terms[t]->add_impulse(device, out));
    }
    for (int t = 0; t < count; ++t)
        if (terms[t]->add_gradient)
            TRY(terms[t]->add_gradient(device, device->slots[at], out));
    for (int32_t i = 0; i < model->node_count; ++i)
        for (int k = 0; k < 3; ++k) {
            double *value = out + 3 * (size_t)i + (size_t)k;
            *value = model->gravity_weights[i] * model->scene->gravity[k] - *value;
        }
    return VELA_OK;
}

static VelaResult dissipation_acceleration(Device *base, Slot destination)
{
    CpuDevice *device = (CpuDevice *)base;
    const CpuTerm *terms[CPU_TERMS_MOST];
    const int count = cpu_terms(device, terms);
    const size_t n = 3 * (size_t)base->model->node_count;
    double *gradient = device->motion, *out = device->slots[destination];
    memset(gradient, 0, n * sizeof *gradient);
    for (int t = 0; t < count; ++t)
        if (terms[t]->add_dissipation)
            TRY(terms[t]->add_dissipation(device, gradient));
    inertia_divide(base->model, gradient);
    model_release(base->model, gradient);
    for (size_t i = 0; i < n; ++i)
        out[i] -= gradient[i];
    return VELA_OK;
}

static VelaResult add_damping(CpuDevice *device, Slot position, Slot velocity, double duration,
                              DissipationLoss *loss)
{
    const CpuTerm *terms[CPU_TERMS_MOST];
    const int count = cpu_terms(device, terms);
    memset(device->motion, 0, 3 * (size_t)device->base.model->node_count * sizeof *device->motion);
    for (int t = 0; t < count; ++t)
        if (terms[t]->add_damping)
            TRY(terms[t]->add_damping(device, device->slots[position], device->slots[velocity],
                                      device->motion, duration, loss));
    return VELA_OK;
}

static VelaResult damping_acceleration(Device *base, Slot destination, Slot position, Slot velocity,
                                       double step)
{
    CpuDevice *device = (CpuDevice *)base;
    double *out = device->slots[destination];
    TRY(add_damping(device, position, velocity, step, NULL));
    inertia_divide(base->model, device->motion);
    model_release(base->model, device->motion);
    for (size_t i = 0; i < 3 * (size_t)base->model->node_count; ++i)
        out[i] -= device->motion[i];
    return VELA_OK;
}

static VelaResult damping_loss(Device *base, Slot position, Slot velocity, double duration,
                               DissipationLoss *loss)
{
    return add_damping((CpuDevice *)base, position, velocity, duration, loss);
}

static VelaResult dissipation_loss(Device *base, Slot from, Slot to, double duration, DissipationLoss *loss)
{
    CpuDevice *device = (CpuDevice *)base;
    const CpuTerm *terms[CPU_TERMS_MOST];
    const int count = cpu_terms(device, terms);
    for (int t = 0; t < count; ++t)
        if (terms[t]->add_loss)
            TRY(terms[t]->add_loss(device, device->slots[from], device->slots[to], duration, loss));
    return VELA_OK;
}

static VelaResult admissible_step(Device *base, Slot from, Slot to, double *step)
{
    CpuDevice *device = (CpuDevice *)base;
    const CpuTerm *terms[CPU_TERMS_MOST];
    const int count = cpu_terms(device, terms);
    const size_t n = 3 * (size_t)base->model->node_count;
    for (size_t i = 0; i < n; ++i)
        device->motion[i] = device->slots[to][i] - device->slots[from][i];
    for (int t = 0; t < count; ++t)
        if (terms[t]->admit)
            TRY(terms[t]->admit(device, device->slots[from], device->motion, step));
    return VELA_OK;
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
    for (int k = 0; k < count; ++k) {
        const double *a = device->slots[pairs[k][0]], *b = device->slots[pairs[k][1]];
        values[k] += inertia_product(model, a, b);
        for (int32_t p = 0; p < model->partial_pin_count; ++p) {
            const size_t i = 3 * (size_t)model->partial_pins[p].node;
            double held[3];
            partial_pin_held(&model->partial_pins[p], b + i, held);
            values[k] -= model->masses[model->partial_pins[p].node] * dot3(a + i, held);
        }
    }
    return VELA_OK;
}

static VelaResult stage_set(Device *base, const Stage *stage)
{
    CpuDevice *device = (CpuDevice *)base;
    device->stage = *stage;
    cpu_newton_begin_stage(device);
    model_penalty_shapes(base->model, stage->time, device->shapes);
    cpu_loads_set(device, stage->time);
    const CpuTerm *terms[CPU_TERMS_MOST];
    const int count = cpu_terms(device, terms);
    for (int t = 0; t < count; ++t)
        if (terms[t]->begin_stage)
            TRY(terms[t]->begin_stage(device));
    return VELA_OK;
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
        cpu_device_memory(base->model) + (device->admm.global ? global_factor_bytes(device->admm.global) : 0);
}

static VelaResult timings(Device *base, int32_t *count, const DeviceTiming **list)
{
    *count = PHASE_COUNT;
    *list = ((CpuDevice *)base)->timings;
    return VELA_OK;
}

// Constraints carry their multipliers, ADMM its copies, Newton's method nothing.
static size_t solver_state_size(const Device *base)
{
    const CpuDevice *device = (const CpuDevice *)base;
    return device->constraints ? cpu_constraints_state_size(device) : cpu_solver_state_size(base);
}

static VelaResult solver_state_read(Device *base, double *values)
{
    CpuDevice *device = (CpuDevice *)base;
    if (!device->constraints)
        return cpu_solver_state_read(base, values);
    cpu_constraints_state_read(device, values);
    return VELA_OK;
}

static VelaResult solver_state_write(Device *base, const double *values)
{
    CpuDevice *device = (CpuDevice *)base;
    if (!device->constraints)
        return cpu_solver_state_write(base, values);
    cpu_constraints_state_write(device, values);
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
    .admm_begin = cpu_admm_begin,
    .admm_iterate = cpu_admm_iterate,
    .admm_scale_penalty = cpu_admm_scale_penalty,
    .newton_direction = cpu_newton_direction,
    .newton_way = cpu_newton_way,
    .newton_trials = cpu_newton_trials,
    .newton_accept = cpu_newton_accept,
    .compliant_direction = cpu_compliant_direction,
    .mass_dot = mass_dot,
    .stage_acceleration = cpu_stage_acceleration,
    .dissipation_acceleration = dissipation_acceleration,
    .dissipation_loss = dissipation_loss,
    .damping_acceleration = damping_acceleration,
    .damping_loss = damping_loss,
    .penalty_friction = cpu_penalty_friction,
    .admissible_step = admissible_step,
    .diagnose = cpu_diagnose,
    .fields = cpu_fields,
    .solver_state_size = solver_state_size,
    .solver_state_read = solver_state_read,
    .solver_state_write = solver_state_write,
    .information = information,
    .timings = timings,
};

static VelaResult allocate(CpuDevice *device, Arena *arena)
{
    const Model *model = device->base.model;
    for (int s = 0; s < SLOT_COUNT; ++s)
        if (device->base.slots >> s & 1)
            TRY(ARENA_ARRAY(arena, device->slots[s], 3 * (size_t)model->node_count));
    TRY(corner_forces_build(model, arena, &device->forces));
    TRY(cpu_elements_build(device->base.context, model, &device->forces, NULL, arena, &device->elements));
    device->node_chunks = (model->node_count + NODES_PER_CHUNK - 1) / NODES_PER_CHUNK;
    TRY(ARENA_ARRAY(arena, device->shapes, model->penalty_count));
    TRY(penalty_friction_create(device, arena));
    TRY(ARENA_ARRAY(arena, device->energy_sums, device->elements.chunk_count));
    TRY(ARENA_ARRAY(arena, device->motion, 3 * (size_t)model->node_count));
    if (model->force_count > 0)
        TRY(ARENA_ARRAY(arena, device->loads, 3 * (size_t)model->node_count));
    TRY(ARENA_ARRAY(arena, device->node_sums, device->node_chunks));
    if (model->scene->contact.model == CONTACT_BARRIER)
        TRY(barrier_create(device->base.context, model, device->kernels, device->threads, &device->barrier));
    TRY(model->scene->solver.type == SOLVER_ADMM ? cpu_admm_create(device, arena)
                                                 : cpu_newton_create(device, arena));
    TRY(cpu_constraints_create(device, arena));
    TRY(cpu_air_create(device, arena));
    TRY(air_copies_create(device, arena));
    TRY(cpu_damping_create(device, arena));
    TRY(variational_damping_create(device, arena));
    TRY(admm_damping_create(device, arena));
    return rigid_update_create(device, arena);
}

VelaResult cpu_device_create(VelaContext *context, const Model *model, Device **out)
{
    *out = NULL;
    Arena arena = arena_make(context);
    CpuDevice *device;
    TRY(ARENA_ARRAY(&arena, device, 1));
    device->base = (Device){.operations = &operations,
                            .context = context,
                            .model = model,
                            .constraint_solve = model->scene->solver.linear_solve,
                            .slots = scene_slots(model->scene),
                            .dissipates = model->contact.has_friction || model->is_damped};
    device->kernels = kernels_choose();
    device->threads = model->element_count < ELEMENTS_FOR_THREADS ? 1 : context->threads;
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
    const size_t vectors = (size_t)slots_before(scene_slots(model->scene), SLOT_COUNT) + 1;
    const size_t per_node = 8 * 3 * vectors + 2 * 4 + 4;
    return cpu_elements_memory(model) + cpu_damping_memory(model) + penalty_friction_memory(model) +
           cpu_air_memory(model) + variational_damping_memory(model) + per_node * (size_t)model->node_count +
           (model->scene->contact.model == CONTACT_BARRIER ? barrier_memory(model) : 0) +
           cpu_constraints_memory(model) +
           (model->scene->solver.type == SOLVER_ADMM ? cpu_admm_memory(model) : cpu_newton_memory(model));
}
