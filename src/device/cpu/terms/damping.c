#include "device/cpu/terms/damping.h"

#include "base/matrix3.h"
#include "device/cpu/terms/inertia.h"

#include <math.h>
#include <string.h>

// kg/s a node: the mass coefficient of the elements around it, by their volumes, times its mass.
static VelaResult set_drag(const Model *model, Arena *arena, double *drag)
{
    double *volumes;
    TRY(ARENA_ARRAY(arena, volumes, model->node_count));
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        const ElementGroup *group = &model->groups[kind];
        if (kind != ELEMENT_TET && kind != ELEMENT_SEGMENT && kind != ELEMENT_MEMBRANE)
            continue;
        for (int32_t e = 0; e < group->count; ++e) {
            const DampingList *list = model->materials[group->materials[e]].damping;
            double coefficient = 0;
            for (int32_t i = 0; list && i < list->count; ++i)
                coefficient += list->entries[i].mass;
            for (int32_t c = 0; c < group->kind->corners; ++c) {
                const int32_t node = group->nodes[group->kind->corners * e + c];
                drag[node] += coefficient * group->volumes[e];
                volumes[node] += group->volumes[e];
            }
        }
    }
    for (int32_t i = 0; i < model->node_count; ++i)
        drag[i] = volumes[i] > 0 ? model->masses[i] * drag[i] / volumes[i] : 0;
    return VELA_OK;
}

VelaResult cpu_damping_create(CpuDevice *device, Arena *arena)
{
    const Model *model = device->base.model;
    const BlockMatrix *matrix = &device->newton.matrix;
    const size_t n = 3 * (size_t)model->node_count;
    CpuDamping *damping;
    if (!model->is_damped)
        return VELA_OK;
    TRY(ARENA_ARRAY(arena, damping, 1));
    damping->matrix = *matrix;
    damping->matrix.changing = (ChangingBlocks){0};
    if (matrix->row_start)
        TRY(ARENA_ARRAY(arena, damping->matrix.values, 9 * (size_t)matrix->row_start[matrix->row_count] + 1));
    TRY(ARENA_ARRAY(arena, damping->velocity, n));
    TRY(ARENA_ARRAY(arena, damping->force, n));
    TRY(ARENA_ARRAY(arena, damping->product, n));
    TRY(ARENA_ARRAY(arena, damping->drag, model->node_count));
    TRY(ARENA_ARRAY(arena, damping->powers, device->elements.chunk_count));
    device->damping = damping;
    return set_drag(model, arena, damping->drag);
}

size_t cpu_damping_memory(const Model *model)
{
    return model->is_damped
               ? 8 * (9 * (size_t)model->row_start[model->node_count] + 11 * (size_t)model->node_count)
               : 0;
}

// What passes from the base position to the stage's solution, s.
static double stage_time(const CpuDevice *device)
{
    return device->stage.slip_time > 0 ? device->stage.slip_time : device->stage.a;
}

static VelaResult begin_stage(CpuDevice *device)
{
    BlockMatrix *matrix = &device->damping->matrix;
    const NodeOrder *order = &device->base.model->order;
    const double start = cpu_clock();
    if (device->base.model->scene->solver.type != SOLVER_NEWTON)
        return VELA_OK;
    memset(matrix->values, 0, 9 * (size_t)matrix->row_start[matrix->row_count] * sizeof *matrix->values);
    for (int32_t batch = 0; batch < matrix->batch_count; ++batch) {
        const ElementChunk *range = &matrix->batches[batch];
        const ElementKernels *kernels = device->kernels->elements[range->kind];
        if (!kernels->damping_blocks)
            continue;
#pragma omp parallel for schedule(static) num_threads(device->threads)
        for (int32_t b = range->first; b < range->end; b += BUNDLES_PER_CHUNK)
            kernels->damping_blocks(&device->elements.groups[range->kind], b,
                                    b + BUNDLES_PER_CHUNK < range->end ? b + BUNDLES_PER_CHUNK : range->end,
                                    device->slots[SLOT_STAGE], matrix->contributions);
        block_matrix_sum(matrix, batch, device->threads);
    }
    for (int32_t i = 0; i < matrix->row_count; ++i)
        for (int k = 0; k < 3; ++k)
            matrix->values[9 * (size_t)matrix->diagonal[i] + 4 * (size_t)k] +=
                device->damping->drag[order->nodes[i]];
    block_matrix_mirror(matrix, device->node_threads);
    cpu_timing_add(device->timings, PHASE_HESSIANS, start);
    return VELA_OK;
}

// y = C x, by place; at the free nodes.
static void multiply(const CpuDevice *device, const double *x, double *y)
{
    const BlockMatrix *matrix = &device->damping->matrix;
#pragma omp parallel for schedule(static) num_threads(device->node_threads)
    for (int32_t part = 0; part < matrix->part_count; ++part)
        device->kernels->multiply(matrix, matrix->part_start[part], matrix->part_start[part + 1], x, y);
}

// C v, the velocity being that of the iterate.
static void find_force(CpuDevice *device)
{
    CpuDamping *damping = device->damping;
    const NodeOrder *order = &device->base.model->order;
    const double *x = device->slots[SLOT_STAGE], *base = device->slots[SLOT_BASE_POSITION];
    const double inverse = 1 / stage_time(device);
#pragma omp parallel for schedule(static) num_threads(device->node_threads)
    for (int32_t i = 0; i < order->node_count; ++i)
        for (int k = 0; k < 3; ++k) {
            const size_t at = 3 * (size_t)order->nodes[i] + (size_t)k;
            damping->velocity[3 * (size_t)i + (size_t)k] = inverse * (x[at] - base[at]);
        }
    multiply(device, damping->velocity, damping->force);
}

static VelaResult linearize(CpuDevice *device, bool project)
{
    const CpuDamping *damping = device->damping;
    BlockMatrix *matrix = &device->newton.matrix;
    const double start = cpu_clock(), inverse = 1 / stage_time(device);
    const size_t count = 9 * (size_t)matrix->row_start[matrix->row_count];
    (void)project;
    find_force(device);
#pragma omp parallel for schedule(static) num_threads(device->node_threads)
    for (size_t i = 0; i < count; ++i)
        matrix->values[i] += inverse * damping->matrix.values[i];
    for (size_t i = 0; i < 3 * (size_t)matrix->row_count; ++i)
        device->newton.gradient[i] += damping->force[i];
    cpu_timing_add(device->timings, PHASE_ASSEMBLY, start);
    return VELA_OK;
}

// t R(v + s d/t) - t R(v) = s d.C v + s^2/(2 t) d.C d, C v being that of the direction's iterate.
static void try_steps(CpuDevice *device, int count, const double steps[NEWTON_TRIALS], TrialSums *sums)
{
    CpuDamping *damping = device->damping;
    const NodeOrder *order = &device->base.model->order;
    const double start = cpu_clock(), *d = device->newton.direction;
    double *by_place = damping->velocity;
    double slope = 0, curvature = 0, magnitude = 0;
    for (int32_t i = 0; i < order->node_count; ++i)
        memcpy(by_place + 3 * (size_t)i, d + 3 * (size_t)order->nodes[i], 3 * sizeof *d);
    multiply(device, by_place, damping->product);
    for (size_t i = 0; i < 3 * (size_t)damping->matrix.row_count; ++i) {
        slope += by_place[i] * damping->force[i];
        curvature += by_place[i] * damping->product[i];
        magnitude += fabs(by_place[i] * damping->force[i]);
    }
    curvature /= stage_time(device);
    for (int i = 0; i < count; ++i)
        trial_add(sums, i, steps[i] * (slope + 0.5 * steps[i] * curvature), slope + steps[i] * curvature,
                  steps[i] * (magnitude + 0.5 * steps[i] * fabs(curvature)));
    cpu_timing_add(device->timings, PHASE_SEARCH, start);
}

// Of elements that have no damping.
static void clear_forces(const ElementBundles *bundles, const ElementChunk *chunk)
{
    const int32_t corners = bundles->kind->corners;
    for (int32_t k = corners * chunk->first; k < corners * chunk->end; ++k)
        for (int l = 0; l < LANE_COUNT; ++l)
            memset(bundles->corner_forces + 3 * (size_t)bundles->force_entries[k][l], 0,
                   3 * sizeof *bundles->corner_forces);
}

// Adds C v at x to `gradient`, both in the model's order; what it takes goes to `loss`, `duration` times the powers.
static void add_force(CpuDevice *device, const double *x, const double *v, double *gradient, double duration,
                      DissipationLoss *loss)
{
    CpuDamping *damping = device->damping;
    const CpuElements *elements = &device->elements;
    const Model *model = device->base.model;
    const NodeOrder *order = &model->order;
#pragma omp parallel for schedule(static) num_threads(device->threads)
    for (int32_t c = 0; c < elements->chunk_count; ++c) {
        const ElementChunk *chunk = &elements->chunks[c];
        ElementBundles *bundles = &device->elements.groups[chunk->kind];
        const ElementKernels *kernels = device->kernels->elements[chunk->kind];
        memset(damping->powers[c], 0, sizeof damping->powers[c]);
        if (kernels->damping_forces)
            kernels->damping_forces(bundles, chunk->first, chunk->end, x, v, damping->powers[c]);
        else
            clear_forces(bundles, chunk);
    }
    for (int32_t i = 0; i < order->node_count; ++i) {
        const size_t node = (size_t)order->nodes[i];
        double force[3];
        corner_forces_at(&device->forces, i, force);
        add_scaled3(force, damping->drag[node], v + 3 * node, force);
        add_scaled3(gradient + 3 * node, 1, force, gradient + 3 * node);
        if (!loss)
            continue;
        const double by_mass = damping->drag[node] * dot3(v + 3 * node, v + 3 * node);
        loss->by_damping[DAMPING_RAYLEIGH] += duration * by_mass;
        loss->all += duration * by_mass;
        if (model->node_is_free[node])
            loss->free += duration * dot3(force, v + 3 * node);
    }
    for (int32_t c = 0; loss && c < elements->chunk_count; ++c)
        for (int k = 0; k < DAMPING_TYPES; ++k) {
            loss->by_damping[k] += duration * damping->powers[c][k];
            loss->all += duration * damping->powers[c][k];
        }
}

// Where the stage has ended, not where the matrix stands: momenta are kept by every element's own force.
static VelaResult add_dissipation(CpuDevice *device, double *gradient)
{
    const size_t n = 3 * (size_t)device->base.model->node_count;
    const double *x = device->slots[SLOT_STAGE], *base = device->slots[SLOT_BASE_POSITION];
    double *velocity = device->damping->velocity;
    for (size_t i = 0; i < n; ++i)
        velocity[i] = (x[i] - base[i]) / stage_time(device);
    add_force(device, x, velocity, gradient, 0, NULL);
    return VELA_OK;
}

VelaResult cpu_damping_acceleration(Device *base, Slot destination, Slot position, Slot velocity)
{
    CpuDevice *device = (CpuDevice *)base;
    const size_t n = 3 * (size_t)base->model->node_count;
    double *gradient = device->motion, *out = device->slots[destination];
    if (!device->damping)
        return VELA_OK;
    memset(gradient, 0, n * sizeof *gradient);
    add_force(device, device->slots[position], device->slots[velocity], gradient, 0, NULL);
    inertia_divide(base->model, gradient);
    model_release(base->model, gradient);
    for (size_t i = 0; i < n; ++i)
        out[i] -= gradient[i];
    return VELA_OK;
}

VelaResult cpu_damping_loss(Device *base, Slot position, Slot velocity, double duration,
                            DissipationLoss *loss)
{
    CpuDevice *device = (CpuDevice *)base;
    if (!device->damping)
        return VELA_OK;
    memset(device->motion, 0, 3 * (size_t)base->model->node_count * sizeof *device->motion);
    add_force(device, device->slots[position], device->slots[velocity], device->motion, duration, loss);
    return VELA_OK;
}

const CpuTerm cpu_damping_term = {
    .begin_stage = begin_stage,
    .add_dissipation = add_dissipation,
    .linearize = linearize,
    .try_steps = try_steps,
};
