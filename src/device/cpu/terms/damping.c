#include "device/cpu/terms/damping.h"

#include "base/matrix3.h"
#include "model/mass_drag.h"

#include <math.h>
#include <string.h>

static void find_sides(const Model *model, CpuDamping *damping)
{
    for (int32_t m = 0; m < model->material_count; ++m) {
        const DampingList *list = model->materials[m].damping;
        for (int32_t i = 0; list && i < list->count; ++i) {
            const Damping *entry = &list->entries[i];
            if (entry->type == DAMPING_VARIATIONAL)
                continue;
            DampingTerms *side = &damping->sides[damping_side(entry)];
            side->is_used = true;
            side->has_power_law |= entry->type == DAMPING_POWER_LAW;
            damping->has_shape_force |= entry->form != FORM_LAGGED;
        }
    }
}

static VelaResult create_side(CpuDevice *device, DampingSide side, Arena *arena)
{
    const Model *model = device->base.model;
    const BlockMatrix *matrix = &device->newton.matrix;
    const size_t n = 3 * (size_t)model->node_count;
    DampingTerms *terms = &device->damping->sides[side];
    terms->matrix = *matrix;
    terms->matrix.changing = (ChangingBlocks){0};
    if (matrix->row_start)
        TRY(ARENA_ARRAY(arena, terms->matrix.values, 9 * (size_t)matrix->row_start[matrix->row_count] + 1));
    TRY(ARENA_ARRAY(arena, terms->velocity, n));
    TRY(ARENA_ARRAY(arena, terms->product, n));
    TRY(ARENA_ARRAY(arena, terms->drag, model->node_count));
    return model_mass_drag(model, side, arena, terms->drag);
}

static bool has_damped_material(const Model *model)
{
    for (int32_t m = 0; m < model->material_count; ++m)
        if (model->materials[m].damping)
            return true;
    return false;
}

VelaResult cpu_damping_create(CpuDevice *device, Arena *arena)
{
    const Model *model = device->base.model;
    const size_t n = 3 * (size_t)model->node_count;
    CpuDamping *damping;
    if (!has_damped_material(model))
        return VELA_OK;
    TRY(ARENA_ARRAY(arena, damping, 1));
    device->damping = damping;
    find_sides(model, damping);
    for (int side = 0; side < DAMPING_SIDES; ++side)
        if (damping->sides[side].is_used)
            TRY(create_side(device, (DampingSide)side, arena));
    if (damping->sides[DAMPED_LESS_RIGID].is_used)
        TRY(rigid_parts_find(model, arena, &damping->rigid_parts));
    TRY(ARENA_ARRAY(arena, damping->shape, n));
    TRY(ARENA_ARRAY(arena, damping->shape_force, n));
    TRY(ARENA_ARRAY(arena, damping->velocity, n));
    TRY(ARENA_ARRAY(arena, damping->way, n + 1));
    TRY(ARENA_ARRAY(arena, damping->image, n));
    TRY(ARENA_ARRAY(arena, damping->gradient, n));
    return ARENA_ARRAY(arena, damping->powers, device->elements.chunk_count);
}

size_t cpu_damping_memory(const Model *model)
{
    CpuDamping found = {0};
    if (!has_damped_material(model))
        return 0;
    find_sides(model, &found);
    const size_t sides =
        (size_t)found.sides[DAMPED_AS_IS].is_used + (size_t)found.sides[DAMPED_LESS_RIGID].is_used;
    return 8 * (sides * (9 * (size_t)model->row_start[model->node_count] + 8 * (size_t)model->node_count) +
                18 * (size_t)model->node_count);
}

double cpu_damping_drag(const CpuDevice *device, int32_t node)
{
    double drag = 0;
    for (int side = 0; side < DAMPING_SIDES; ++side)
        drag += device->damping->sides[side].is_used ? device->damping->sides[side].drag[node] : 0;
    return drag;
}

static void to_places(const NodeOrder *order, const double *values, double *by_place)
{
    for (int32_t i = 0; i < order->node_count; ++i)
        memcpy(by_place + 3 * (size_t)i, values + 3 * (size_t)order->nodes[i], 3 * sizeof *values);
}

// ---------------------------------------------------------------- forces at any state

// Of elements that have no damping.
static void clear_forces(const ElementBundles *bundles, const ElementChunk *chunk)
{
    const int32_t corners = bundles->kind->corners;
    for (int32_t k = corners * chunk->first; k < corners * chunk->end; ++k)
        for (int l = 0; l < LANE_COUNT; ++l)
            memset(bundles->corner_forces + 3 * (size_t)bundles->force_entries[k][l], 0,
                   3 * sizeof *bundles->corner_forces);
}

// dR/dv at x of one side, in the model's order; the power that it takes goes to `loss`, `duration` times.
static void side_force(CpuDevice *device, int side, const double *x, const double *v, double *force,
                       double duration, DissipationLoss *loss)
{
    CpuDamping *damping = device->damping;
    const CpuElements *elements = &device->elements;
    const Model *model = device->base.model;
    const double *drag = damping->sides[side].drag;
#pragma omp parallel for schedule(static) num_threads(device->threads)
    for (int32_t c = 0; c < elements->chunk_count; ++c) {
        const ElementChunk *chunk = &elements->chunks[c];
        ElementBundles *bundles = &device->elements.groups[chunk->kind];
        const ElementKernels *kernels = device->kernels->elements[chunk->kind];
        memset(damping->powers[c], 0, sizeof damping->powers[c]);
        if (kernels->damping_forces)
            kernels->damping_forces(bundles, chunk->first, chunk->end, side, x, v, damping->powers[c]);
        else
            clear_forces(bundles, chunk);
    }
    for (int32_t i = 0; i < model->order.node_count; ++i) {
        const size_t node = (size_t)model->order.nodes[i];
        double *own = force + 3 * node;
        corner_forces_at(&device->forces, i, own);
        add_scaled3(own, drag[node], v + 3 * node, own);
        if (loss) {
            const double by_mass = duration * drag[node] * dot3(v + 3 * node, v + 3 * node);
            loss->by_damping[DAMPING_RAYLEIGH] += by_mass;
            loss->all += by_mass;
        }
    }
    for (int32_t c = 0; loss && c < elements->chunk_count; ++c)
        for (int k = 0; k < DAMPING_MATERIAL_TYPES; ++k) {
            loss->by_damping[k] += duration * damping->powers[c][k];
            loss->all += duration * damping->powers[c][k];
        }
}

static VelaResult add_damping(CpuDevice *device, const double *x, const double *v, double *gradient,
                              double duration, DissipationLoss *loss)
{
    CpuDamping *damping = device->damping;
    const Model *model = device->base.model;
    for (int side = 0; side < DAMPING_SIDES; ++side) {
        double *seen = damping->way, *force = damping->gradient;
        if (!damping->sides[side].is_used)
            continue;
        memcpy(seen, v, 3 * (size_t)model->node_count * sizeof *seen);
        if (side == DAMPED_LESS_RIGID)
            rigid_motion_remove(model, &damping->rigid_parts, x, seen);
        side_force(device, side, x, seen, force, duration, loss);
        if (side == DAMPED_LESS_RIGID)
            rigid_force_remove(model, &damping->rigid_parts, x, force);
        for (int32_t i = 0; i < model->node_count; ++i) {
            const size_t at = 3 * (size_t)i;
            add_scaled3(gradient + at, 1, force + at, gradient + at);
            if (loss && model->node_is_free[i])
                loss->free += duration * dot3(force + at, v + at);
        }
    }
    return VELA_OK;
}

// `factor` t dR/dx of forms that are not lagged, at x and v, added in the model's order.
static void add_shape_forces(CpuDevice *device, const double *x, const double *v, double *gradient)
{
    CpuDamping *damping = device->damping;
    const CpuElements *elements = &device->elements;
    const Model *model = device->base.model;
    double *seen = damping->way, *before = damping->image;
    const size_t bytes = 3 * (size_t)model->node_count * sizeof *seen;
    for (int side = 0; side < DAMPING_SIDES && damping->has_shape_force; ++side) {
        if (!damping->sides[side].is_used)
            continue;
        memcpy(seen, v, bytes);
        memcpy(before, device->slots[SLOT_VELOCITY], bytes);
        if (side == DAMPED_LESS_RIGID) {
            rigid_motion_remove(model, &damping->rigid_parts, x, seen);
            rigid_motion_remove(model, &damping->rigid_parts, x, before);
        }
#pragma omp parallel for schedule(static) num_threads(device->threads)
        for (int32_t c = 0; c < elements->chunk_count; ++c) {
            const ElementChunk *chunk = &elements->chunks[c];
            ElementBundles *bundles = &device->elements.groups[chunk->kind];
            const ElementKernels *kernels = device->kernels->elements[chunk->kind];
            if (kernels->damping_shape_forces)
                kernels->damping_shape_forces(bundles, chunk->first, chunk->end, side, x, seen, before,
                                              cpu_stage_time(device));
            else
                clear_forces(bundles, chunk);
        }
        for (int32_t i = 0; i < model->order.node_count; ++i) {
            double force[3], *own = gradient + 3 * (size_t)model->order.nodes[i];
            corner_forces_at(&device->forces, i, force);
            add_scaled3(own, 1, force, own);
        }
    }
}

static void stage_velocity(const CpuDevice *device, double *velocity)
{
    const double *x = device->slots[SLOT_STAGE], *base = device->slots[SLOT_BASE_POSITION];
    for (size_t i = 0; i < 3 * (size_t)device->base.model->node_count; ++i)
        velocity[i] = (x[i] - base[i]) / cpu_stage_time(device);
}

// Where the stage has ended, not where the matrix stands: momenta are kept by every element's own force.
static VelaResult add_dissipation(CpuDevice *device, double *gradient)
{
    const double *x = device->slots[SLOT_STAGE];
    double *velocity = device->damping->velocity;
    stage_velocity(device, velocity);
    add_shape_forces(device, x, velocity, gradient);
    return add_damping(device, x, velocity, gradient, 0, NULL);
}

// ---------------------------------------------------------------- Newton's method

static const ElementKernels *kernels_of(const CpuDevice *device, const ElementChunk *range)
{
    return device->kernels->elements[range->kind];
}

static int32_t range_end(const ElementChunk *range, int32_t first)
{
    return first + BUNDLES_PER_CHUNK < range->end ? first + BUNDLES_PER_CHUNK : range->end;
}

static void find_matrix(CpuDevice *device, int side)
{
    DampingTerms *terms = &device->damping->sides[side];
    BlockMatrix *matrix = &terms->matrix;
    const NodeOrder *order = &device->base.model->order;
    Team team = {0};
    block_matrix_clear(matrix, device->node_threads);
#pragma omp parallel num_threads(device->threads)
    for (int32_t batch = 0; batch < matrix->batch_count; ++batch) {
        const ElementChunk *range = &matrix->batches[batch];
        if (!kernels_of(device, range)->damping_blocks)
            continue;
#pragma omp for schedule(static) nowait
        for (int32_t b = range->first; b < range->end; b += BUNDLES_PER_CHUNK)
            kernels_of(device, range)
                ->damping_blocks(&device->elements.groups[range->kind], b, range_end(range, b), side,
                                 device->slots[SLOT_STAGE], matrix->contributions);
        team_wait(&team);
        block_matrix_sum(matrix, batch, &team);
    }
    for (int32_t i = 0; i < matrix->row_count; ++i)
        for (int k = 0; k < 3; ++k)
            matrix->values[9 * (size_t)matrix->diagonal[i] + 4 * (size_t)k] += terms->drag[order->nodes[i]];
    block_matrix_mirror(matrix, device->node_threads);
}

static VelaResult begin_stage(CpuDevice *device)
{
    CpuDamping *damping = device->damping;
    const size_t bytes = 3 * (size_t)device->base.model->node_count * sizeof *damping->shape;
    const double start = cpu_clock();
    memcpy(damping->shape, device->slots[SLOT_STAGE], bytes);
    if (damping->has_shape_force) {
        memset(damping->shape_force, 0, bytes);
        stage_velocity(device, damping->velocity);
        add_shape_forces(device, damping->shape, damping->velocity, damping->shape_force);
    }
    if (device->base.model->scene->solver.type == SOLVER_ADMM)
        return VELA_OK;
    for (int side = 0; side < DAMPING_SIDES; ++side)
        if (damping->sides[side].is_used)
            find_matrix(device, side);
    cpu_timing_add(device->timings, PHASE_HESSIANS, start);
    return VELA_OK;
}

// y = C x, by place; at the free nodes.
static void multiply(const CpuDevice *device, const BlockMatrix *matrix, const double *x, double *y)
{
#pragma omp parallel for schedule(static) num_threads(device->node_threads)
    for (int32_t part = 0; part < matrix->part_count; ++part)
        device->kernels->multiply(matrix, matrix->part_start[part], matrix->part_start[part + 1], x, y);
}

// P^T f, by place.
static void remove_force(CpuDevice *device, double *force)
{
    CpuDamping *damping = device->damping;
    const Model *model = device->base.model;
    for (int32_t i = 0; i < model->node_count; ++i)
        memcpy(damping->gradient + 3 * (size_t)i, force + 3 * (size_t)model->order.places[i],
               3 * sizeof *force);
    rigid_force_remove(model, &damping->rigid_parts, damping->shape, damping->gradient);
    to_places(&model->order, damping->gradient, force);
}

// The power law's part of Newton's matrix; its forces are added, by place.
static void add_power_law(CpuDevice *device, int side, double *forces)
{
    CpuDamping *damping = device->damping;
    const DampingTerms *terms = &damping->sides[side];
    BlockMatrix *matrix = &device->newton.matrix;
    const double scale = 1 / cpu_stage_time(device);
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind)
        if (!device->kernels->elements[kind]->power_law_hessians)
            clear_forces(&device->elements.groups[kind],
                         &(ElementChunk){kind, 0, device->elements.groups[kind].count});
    Team team = {0};
#pragma omp parallel num_threads(device->threads)
    for (int32_t batch = 0; batch < matrix->batch_count; ++batch) {
        const ElementChunk *range = &matrix->batches[batch];
        if (!kernels_of(device, range)->power_law_hessians)
            continue;
#pragma omp for schedule(static) nowait
        for (int32_t b = range->first; b < range->end; b += BUNDLES_PER_CHUNK)
            kernels_of(device, range)
                ->power_law_hessians(&device->elements.groups[range->kind], b, range_end(range, b), side,
                                     damping->shape, terms->velocity, scale, matrix->contributions);
        team_wait(&team);
        block_matrix_sum(matrix, batch, &team);
    }
    for (int32_t i = 0; i < matrix->row_count; ++i) {
        double force[3], *own = forces + 3 * (size_t)i;
        corner_forces_at(&device->forces, i, force);
        add_scaled3(own, 1, force, own);
    }
}

// Of the corrected side the matrix is that without the correction: P^T C P has no place in the pattern.
static void linearize_side(CpuDevice *device, int side)
{
    CpuDamping *damping = device->damping;
    DampingTerms *terms = &damping->sides[side];
    BlockMatrix *matrix = &device->newton.matrix;
    const double inverse = 1 / cpu_stage_time(device);
    const size_t count = 9 * (size_t)matrix->row_start[matrix->row_count];
    double *force = damping->image;
    stage_velocity(device, terms->velocity);
    if (side == DAMPED_LESS_RIGID)
        rigid_motion_remove(device->base.model, &damping->rigid_parts, damping->shape, terms->velocity);
    to_places(&device->base.model->order, terms->velocity, damping->way);
    multiply(device, &terms->matrix, damping->way, terms->product);
    memcpy(force, terms->product, 3 * (size_t)matrix->row_count * sizeof *force);
#pragma omp parallel for schedule(static) num_threads(device->node_threads)
    for (size_t i = 0; i < count; ++i)
        matrix->values[i] += inverse * terms->matrix.values[i];
    if (terms->has_power_law)
        add_power_law(device, side, force);
    if (side == DAMPED_LESS_RIGID)
        remove_force(device, force);
    for (size_t i = 0; i < 3 * (size_t)matrix->row_count; ++i)
        device->newton.gradient[i] += force[i];
}

static VelaResult linearize(CpuDevice *device, bool project)
{
    const CpuDamping *damping = device->damping;
    const double start = cpu_clock();
    (void)project;
    for (int side = 0; side < DAMPING_SIDES; ++side)
        if (damping->sides[side].is_used)
            linearize_side(device, side);
    for (int32_t i = 0; i < device->newton.matrix.row_count && damping->has_shape_force; ++i)
        add_scaled3(device->newton.gradient + 3 * (size_t)i, 1,
                    damping->shape_force + 3 * (size_t)device->base.model->order.nodes[i],
                    device->newton.gradient + 3 * (size_t)i);
    cpu_timing_add(device->timings, PHASE_ASSEMBLY, start);
    return VELA_OK;
}

static void try_power_law(CpuDevice *device, int side, const double *d, int count,
                          const double steps[NEWTON_TRIALS], TrialSums *sums)
{
    const CpuDamping *damping = device->damping;
    const CpuElements *elements = &device->elements;
    TrialSums *trials = device->newton.trial_sums;
#pragma omp parallel for schedule(static) num_threads(device->threads)
    for (int32_t c = 0; c < elements->chunk_count; ++c) {
        const ElementChunk *chunk = &elements->chunks[c];
        const ElementKernels *kernels = kernels_of(device, chunk);
        trials[c] = (TrialSums){0};
        if (kernels->power_law_trials)
            kernels->power_law_trials(&elements->groups[chunk->kind], chunk->first, chunk->end, side,
                                      damping->shape, damping->sides[side].velocity, d,
                                      cpu_stage_time(device), count, steps, &trials[c]);
    }
    for (int32_t c = 0; c < elements->chunk_count; ++c)
        trials_add(sums, count, &trials[c]);
}

// t R(v + s d/t) - t R(v): of its quadratic part s d.C v + s^2/(2 t) d.C d, C v being that of the direction's iterate.
static void try_side(CpuDevice *device, int side, int count, const double steps[NEWTON_TRIALS],
                     TrialSums *sums)
{
    CpuDamping *damping = device->damping;
    const DampingTerms *terms = &damping->sides[side];
    const Model *model = device->base.model;
    const double time = cpu_stage_time(device);
    double *change = damping->gradient, *by_place = damping->way, *image = damping->image;
    double slope = 0, curvature = 0, magnitude = 0;
    for (size_t i = 0; i < 3 * (size_t)model->node_count; ++i)
        change[i] = device->newton.direction[i] / time;
    if (side == DAMPED_LESS_RIGID)
        rigid_motion_remove(model, &damping->rigid_parts, damping->shape, change);
    if (terms->has_power_law)
        try_power_law(device, side, change, count, steps, sums);
    to_places(&model->order, change, by_place);
    multiply(device, &terms->matrix, by_place, image);
    for (size_t i = 0; i < 3 * (size_t)terms->matrix.row_count; ++i) {
        slope += time * by_place[i] * terms->product[i];
        magnitude += fabs(time * by_place[i] * terms->product[i]);
        curvature += time * by_place[i] * image[i];
    }
    for (int i = 0; i < count; ++i)
        trial_add(sums, i, steps[i] * (slope + 0.5 * steps[i] * curvature), slope + steps[i] * curvature,
                  steps[i] * (magnitude + 0.5 * steps[i] * fabs(curvature)));
}

static void try_steps(CpuDevice *device, int count, const double steps[NEWTON_TRIALS], TrialSums *sums)
{
    CpuDamping *damping = device->damping;
    const double start = cpu_clock();
    for (int side = 0; side < DAMPING_SIDES; ++side)
        if (damping->sides[side].is_used)
            try_side(device, side, count, steps, sums);
    if (damping->has_shape_force) {
        const NodeOrder *order = &device->base.model->order;
        double slope = 0, magnitude = 0;
        for (int32_t i = 0; i < device->newton.matrix.row_count; ++i)
            for (size_t k = 3 * (size_t)order->nodes[i]; k < 3 * (size_t)order->nodes[i] + 3; ++k) {
                slope += device->newton.direction[k] * damping->shape_force[k];
                magnitude += fabs(device->newton.direction[k] * damping->shape_force[k]);
            }
        for (int i = 0; i < count; ++i)
            trial_add(sums, i, steps[i] * slope, slope, steps[i] * magnitude);
    }
    cpu_timing_add(device->timings, PHASE_SEARCH, start);
}

const CpuTerm cpu_damping_term = {
    .begin_stage = begin_stage,
    .add_dissipation = add_dissipation,
    .add_damping = add_damping,
    .linearize = linearize,
    .try_steps = try_steps,
};
