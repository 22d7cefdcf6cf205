#include "device/cpu/admm/damping_copies.h"

#include "device/cpu/terms/damping.h"
#include "model/matrix.h"

#include "base/matrix3.h"

#include <math.h>
#include <string.h>

static const ElementKernels *kernels_of(const CpuDevice *device, const ElementChunk *chunk)
{
    return device->kernels->elements[chunk->kind];
}

// Kinds and materials whose elements have a copy.
static void choose_elements(const Model *model, DampingCopy copy, uint8_t *wanted)
{
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind)
        for (int32_t m = 0; m < model->material_count; ++m)
            wanted[(size_t)kind * (size_t)model->material_count + (size_t)m] =
                model_has_damping_copy(&model->materials[m], kind, copy);
}

static VelaResult create_copies(CpuDevice *device, DampingCopy of, const uint8_t *wanted, Arena *arena)
{
    const Model *model = device->base.model;
    DampingCopies *copies = &device->admm.damping->copies[device->admm.damping->count++];
    *copies = (DampingCopies){.of = of};
    TRY(cpu_elements_build(device->base.context, model, &device->forces, wanted, arena, &copies->elements));
    TRY(ARENA_ARRAY(arena, copies->weights, model->element_count));
    TRY(ARENA_ARRAY(arena, copies->change_sums, copies->elements.chunk_count));
    TRY(ARENA_ARRAY(arena, copies->sums, copies->elements.chunk_count));
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        ElementBundles *bundles = &copies->elements.groups[kind];
        const size_t n = (size_t)bundles->count, size = (size_t)element_size(bundles->kind);
        TRY(ARENA_ARRAY(arena, bundles->base, n * size));
        TRY(ARENA_ARRAY(arena, bundles->damping, n * size * (size + 1) / 2));
    }
    TRY(ARENA_ARRAY(arena, copies->places, model->element_count));
    copies->numbers = model_damping_state(model, of, copies->places);
    return VELA_OK;
}

VelaResult admm_damping_create(CpuDevice *device, Arena *arena)
{
    const Model *model = device->base.model;
    AdmmData *admm = &device->admm;
    AdmmDamping *damping;
    uint8_t *wanted;
    DampingCopy copies[MODEL_DAMPING_COPIES_MOST];
    const int32_t count = model_damping_copies(model, copies);
    if (!device->damping || model->scene->solver.type != SOLVER_ADMM || scene_is_explicit(model->scene))
        return VELA_OK;
    TRY(ARENA_ARRAY(arena, damping, 1));
    TRY(ARENA_ARRAY(arena, wanted, (size_t)ELEMENT_KIND_COUNT * (size_t)model->material_count));
    admm->damping = damping;
    TRY(ARENA_ARRAY(arena, damping->seen, 3 * (size_t)model->node_count));
    TRY(ARENA_ARRAY(arena, damping->force, 3 * (size_t)model->node_count));
    for (int32_t c = 0; c < count; ++c) {
        choose_elements(model, copies[c], wanted);
        TRY(create_copies(device, copies[c], wanted, arena));
    }
    return VELA_OK;
}

size_t admm_damping_memory(const Model *model)
{
    const SolverDef *solver = &model->scene->solver;
    size_t bytes = 0;
    DampingCopy copies[MODEL_DAMPING_COPIES_MOST];
    const int32_t count = model_damping_copies(model, copies);
    if (solver->type != SOLVER_ADMM || !model->is_damped)
        return 0;
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        const ElementGroup *group = &model->groups[kind];
        const size_t size = (size_t)element_size(group->kind), corners = (size_t)group->kind->corners;
        const size_t each =
            3 * 4 * corners + 4 +
            8 * ((size_t)element_shape_size(group->kind) + 3 + 6 * size + size * (size + 1) / 2) +
            (solver->anderson ? (size_t)solver->depth : 0) * 2 * size * sizeof(float);
        for (int32_t e = 0; e < group->count; ++e)
            for (int32_t c = 0; c < count; ++c)
                bytes += model_has_damping_copy(&model->materials[group->materials[e]], kind, copies[c])
                             ? each
                             : 0;
    }
    return bytes + 8 * 6 * (size_t)model->node_count;
}

// ---------------------------------------------------------------- weights

static void set_weights(CpuDevice *device, DampingCopies *copies, double duration)
{
    const Model *model = device->base.model;
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        const ElementBundles *bundles = &copies->elements.groups[kind];
        const ElementGroup *group = &model->groups[kind];
        for (int32_t b = 0; b < bundles->count; ++b)
            for (int l = 0; l < LANE_COUNT && bundles->elements[b][l] >= 0; ++l) {
                const int32_t e = bundles->elements[b][l];
                const size_t element = (size_t)(group->first_element + e);
                copies->weights[element] = model_damping_weight(model, copies->of, kind, e, copies->level,
                                                                duration, device->admm.penalties[element]);
            }
    }
}

// As S - Z where the multiplier stays and its weight becomes `factor` times what it was.
static void scale_states(DampingCopies *copies, double factor)
{
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        ElementBundles *bundles = &copies->elements.groups[kind];
        const size_t size = (size_t)bundles->count * (size_t)element_size(bundles->kind);
        for (size_t k = 0; k < size; ++k)
            bundles->image[k] = bundles->projected[k] + (bundles->image[k] - bundles->projected[k]) / factor;
    }
}

// The level that a law asks for, by what all laws take where the step starts.
static int level_wanted(CpuDevice *device, const DampingCopies *copies, double duration)
{
    const Model *model = device->base.model;
    DissipationLoss loss = {0};
    memset(device->motion, 0, 3 * (size_t)model->node_count * sizeof *device->motion);
    cpu_damping_term.add_damping(device, device->slots[SLOT_POSITION], device->slots[SLOT_VELOCITY],
                                 device->motion, 1, &loss);
    return model_law_level(model, device->admm.penalties, copies->of, loss.by_damping[DAMPING_POWER_LAW],
                           duration, copies->duration > 0 ? &copies->level : NULL);
}

static void pack_weights(CpuDevice *device, DampingCopies *copies)
{
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        ElementBundles *bundles = &copies->elements.groups[kind];
        const double *weights = copies->weights + device->base.model->groups[kind].first_element;
        for (int32_t b = 0; b < bundles->count; ++b)
            for (int l = 0; l < LANE_COUNT; ++l) {
                const int32_t element = bundles->elements[b][l];
                bundles->penalties[b][l] =
                    element >= 0 ? device->admm.penalty_scale * weights[element] : bundles->penalties[b][0];
            }
    }
}

// What the global matrix sees: all copies of an element have the same D.
static void sum_weights(CpuDevice *device)
{
    const Model *model = device->base.model;
    AdmmData *admm = &device->admm;
    const double duration = cpu_stage_time(device);
    for (int32_t e = 0; e < model->element_count; ++e)
        for (int c = 0; c < admm->damping->count; ++c)
            admm->all_penalties[e] += admm->damping->copies[c].weights[e];
    for (int32_t i = 0; i < model->node_count; ++i)
        admm->diagonal[i] += cpu_damping_drag(device, i) / duration;
}

void admm_damping_stiffness(const CpuDevice *device, const double *v, double *forces)
{
    const Model *model = device->base.model;
    const AdmmDamping *damping = device->admm.damping;
    for (int c = 0; c < damping->count; ++c)
        if (damping->copies[c].of.side == DAMPED_LESS_RIGID)
            model_matrix_elements(model, damping->copies[c].weights, device->admm.penalty_scale, v, forces);
    for (int32_t i = 0; i < model->node_count; ++i)
        add_scaled3(forces + 3 * (size_t)i,
                    device->damping->sides[DAMPED_LESS_RIGID].drag[i] / cpu_stage_time(device),
                    v + 3 * (size_t)i, forces + 3 * (size_t)i);
}

int64_t admm_damping_weights(const CpuDevice *device)
{
    const AdmmDamping *damping = device->admm.damping;
    uint64_t key = 0;
    for (int c = 0; damping && c < damping->count; ++c)
        key = key * 0x9E3779B97F4A7C15u + (uint64_t)(damping->copies[c].level - LAW_LEVEL_LEAST);
    return (int64_t)key;
}

// ---------------------------------------------------------------- the term

// x, or P x in room that the next call takes.
static const double *seen_by(CpuDevice *device, const DampingCopies *copies, const double *x)
{
    double *seen = device->admm.damping->seen;
    if (copies->of.side != DAMPED_LESS_RIGID)
        return x;
    memcpy(seen, x, 3 * (size_t)device->base.model->node_count * sizeof *seen);
    rigid_motion_remove(device->base.model, &device->damping->rigid_parts, device->damping->shape, seen);
    return seen;
}

static void prepare(CpuDevice *device, DampingCopies *copies)
{
    const double *base = seen_by(device, copies, device->slots[SLOT_BASE_POSITION]),
                 alpha = device->base.model->scene->alpha; // its stage takes alpha of the step
    pack_weights(device, copies);
#pragma omp parallel for schedule(static) num_threads(device->threads)
    for (int32_t c = 0; c < copies->elements.chunk_count; ++c) {
        const ElementChunk *chunk = &copies->elements.chunks[c];
        if (copies->of.law == COPY_OF_VARIATIONAL)
            kernels_of(device, chunk)
                ->variational_prepare(&copies->elements.groups[chunk->kind], chunk->first, chunk->end, base,
                                      alpha, alpha * alpha / ((1 - alpha) * copies->duration));
        else
            kernels_of(device, chunk)
                ->damping_prepare(&copies->elements.groups[chunk->kind], chunk->first, chunk->end,
                                  copies->of.law, copies->of.side, device->damping->shape, base,
                                  copies->duration);
    }
}

static void find_gradients(CpuDevice *device, DampingCopies *copies, const double *positions)
{
    const double *x = seen_by(device, copies, positions);
#pragma omp parallel for schedule(static) num_threads(device->threads)
    for (int32_t c = 0; c < copies->elements.chunk_count; ++c) {
        const ElementChunk *chunk = &copies->elements.chunks[c];
        kernels_of(device, chunk)
            ->gradients(&copies->elements.groups[chunk->kind], chunk->first, chunk->end, x);
    }
}

static void begin_copies(CpuDevice *device, DampingCopies *copies)
{
    const double duration = cpu_stage_time(device);
    const int level = copies->of.law >= 0 ? level_wanted(device, copies, duration) : 0;
    if (copies->duration > 0) // of the last weights to these
        scale_states(copies, copies->of.law >= 0 ? ldexp(1, 2 * (level - copies->level))
                                                 : copies->duration / duration);
    copies->level = level;
    copies->duration = duration;
    set_weights(device, copies, duration);
    if (!device->admm.warm) { // Z = D x_n, Y = 0
        find_gradients(device, copies, device->slots[SLOT_POSITION]);
        for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
            ElementBundles *bundles = &copies->elements.groups[kind];
            const size_t size = (size_t)bundles->count * (size_t)element_size(bundles->kind);
            memcpy(bundles->image, bundles->target, size * sizeof *bundles->image);
        }
    }
    find_gradients(device, copies, device->slots[SLOT_TARGET]);
    prepare(device, copies);
}

static void admm_begin(CpuDevice *device)
{
    AdmmDamping *damping = device->admm.damping;
    for (int c = 0; c < damping->count; ++c)
        begin_copies(device, &damping->copies[c]);
    sum_weights(device);
}

// What has been scattered to the corners, added at the nodes. Copies have some of the elements: the others' corners are 0.
static void add_corner_forces(CpuDevice *device, const DampingCopies *copies, double *forces)
{
    const Model *model = device->base.model;
    double *own_forces = device->admm.damping->force;
    corner_forces_sum(&device->forces, &model->order, device->node_threads, own_forces);
    if (copies->of.side == DAMPED_LESS_RIGID)
        rigid_force_remove(model, &device->damping->rigid_parts, device->damping->shape, own_forces);
#pragma omp parallel for schedule(static) num_threads(device->node_threads)
    for (int32_t i = 0; i < model->node_count; ++i)
        add_scaled3(forces + 3 * (size_t)i, 1, own_forces + 3 * (size_t)i, forces + 3 * (size_t)i);
}

static void clear_corners(CpuDevice *device)
{
    memset(device->forces.values, 0, 3 * (size_t)device->base.model->corner_count * sizeof(double));
}

// Adds `factor` times what the matrix has no copy for, at the motion xt + delta - xp: Rayleigh's mass part. NULL: no delta.
static void add_drag(CpuDevice *device, double factor, const double *delta, double *forces)
{
    const CpuDamping *damping = device->damping;
    const Model *model = device->base.model;
    const double *target = device->slots[SLOT_TARGET], *base = device->slots[SLOT_BASE_POSITION],
                 scale = factor / cpu_stage_time(device);
    double *way = device->admm.damping->force;
    for (int side = 0; side < DAMPING_SIDES; ++side) {
        const DampingTerms *terms = &damping->sides[side];
        if (!terms->is_used)
            continue;
        for (size_t i = 0; i < 3 * (size_t)model->node_count; ++i)
            way[i] = target[i] - base[i] + (delta ? delta[i] : 0);
        if (side == DAMPED_LESS_RIGID)
            rigid_motion_remove(model, &damping->rigid_parts, damping->shape, way);
        for (size_t i = 0; i < 3 * (size_t)model->node_count; ++i)
            way[i] *= scale * terms->drag[i / 3];
        if (side == DAMPED_LESS_RIGID)
            rigid_force_remove(model, &damping->rigid_parts, damping->shape, way);
        for (size_t i = 0; i < 3 * (size_t)model->node_count; ++i)
            forces[i] += way[i];
    }
}

// The same of the round's own force, t dR/dx of forms that are not lagged.
static void add_shape_force(CpuDevice *device, double factor, double *forces)
{
    for (size_t i = 0; i < 3 * (size_t)device->base.model->node_count && device->damping->has_shape_force;
         ++i)
        forces[i] += factor * device->damping->shape_force[i];
}

static void admm_add_right(CpuDevice *device)
{
    AdmmDamping *damping = device->admm.damping;
    for (int k = 0; k < damping->count; ++k) {
        DampingCopies *copies = &damping->copies[k];
        clear_corners(device);
#pragma omp parallel for schedule(static) num_threads(device->threads)
        for (int32_t c = 0; c < copies->elements.chunk_count; ++c) {
            const ElementChunk *chunk = &copies->elements.chunks[c];
            if (copies->of.law == COPY_OF_VARIATIONAL)
                kernels_of(device, chunk)
                    ->variational_project(&copies->elements.groups[chunk->kind], chunk->first, chunk->end,
                                          &device->admm.mixing, &copies->change_sums[c]);
            else
                kernels_of(device, chunk)
                    ->damping_project(&copies->elements.groups[chunk->kind], chunk->first, chunk->end,
                                      copies->of.law, copies->duration, &device->admm.mixing,
                                      &copies->change_sums[c]);
        }
        for (int32_t c = 0; c < copies->elements.chunk_count; ++c)
            device->admm.change_sq += copies->change_sums[c];
        add_corner_forces(device, copies, device->admm.right);
    }
    add_drag(device, -1, NULL, device->admm.right);
    add_shape_force(device, -1, device->admm.right);
}

static void admm_residual(CpuDevice *device, int32_t newest, int32_t depth, ResidualSums *sums,
                          AdmmReport *report)
{
    AdmmDamping *damping = device->admm.damping;
    const double tolerance = device->admm.settings.tolerance;
    double residual_sq = 0, gradient_sq = 0, projected_sq = 0;
    size_t numbers = 0;
    for (int k = 0; k < damping->count; ++k) {
        DampingCopies *copies = &damping->copies[k];
        CpuElements *elements = &copies->elements;
        const double *delta = seen_by(device, copies, device->admm.delta);
#pragma omp parallel for schedule(static) num_threads(device->threads)
        for (int32_t c = 0; c < elements->chunk_count; ++c) {
            const ElementChunk *chunk = &elements->chunks[c];
            kernels_of(device, chunk)
                ->residuals(&elements->groups[chunk->kind], chunk->first, chunk->end, delta, newest, depth,
                            &copies->sums[c]);
        }
        for (int32_t c = 0; c < elements->chunk_count; ++c) {
            const ResidualSums *own = &copies->sums[c];
            residual_sq += own->residual_sq;
            gradient_sq += own->gradient_sq;
            projected_sq += own->projected_sq;
            sums->weighted_sq += own->weighted_sq;
            for (int32_t j = 0; j < depth; ++j) {
                sums->newest[j] += own->newest[j];
                sums->current[j] += own->current[j];
            }
        }
        numbers += copies->numbers;
    }
    const double bound =
        tolerance * sqrt((double)numbers) + tolerance * sqrt(fmax(gradient_sq, projected_sq));
    const double residual = sqrt(residual_sq);
    report->primal_difference = hypot(report->primal_difference, residual);
    report->converged = report->converged && residual <= bound;
    if (residual * report->primal_bound > report->primal * bound) { // what is farther from its bound is told
        report->primal = residual;
        report->primal_bound = bound;
    }
}

static void admm_scatter(CpuDevice *device, double a, double b, double c, double *forces)
{
    AdmmDamping *damping = device->admm.damping;
    for (int k = 0; k < damping->count; ++k) {
        CpuElements *elements = &damping->copies[k].elements;
        if (a != 0 && damping->copies[k].of.law == COPY_OF_VARIATIONAL)
            continue;
        clear_corners(device);
#pragma omp parallel for schedule(static) num_threads(device->threads)
        for (int32_t i = 0; i < elements->chunk_count; ++i) {
            const ElementChunk *chunk = &elements->chunks[i];
            kernels_of(device, chunk)
                ->scatter(&elements->groups[chunk->kind], chunk->first, chunk->end, a, b, c);
        }
        add_corner_forces(device, &damping->copies[k], forces);
    }
    // Of the multipliers' balance (a = 1) these are a part.
    if (a != 0) {
        add_drag(device, a, device->admm.delta, forces);
        add_shape_force(device, a, forces);
    }
}

const CpuTerm cpu_damping_copies_term = {
    .admm_begin = admm_begin,
    .admm_add_right = admm_add_right,
    .admm_residual = admm_residual,
    .admm_scatter = admm_scatter,
};

void admm_damping_rescale(CpuDevice *device, double factor)
{
    AdmmDamping *damping = device->admm.damping;
    for (int c = 0; damping && c < damping->count; ++c) {
        scale_states(&damping->copies[c], factor);
        // Of the weights as the scale will be.
        device->admm.penalty_scale *= factor;
        prepare(device, &damping->copies[c]);
        device->admm.penalty_scale /= factor;
    }
}
