#include "device/cpu/terms/variational_damping.h"

#include "base/matrix3.h"

#include <math.h>
#include <string.h>

/// An element whose shape at the step's start is flatter than this, beside the product of its edges' lengths, damps nothing in the step.
static const double FLAT = 1e-9;

static double time_of(const ModelMaterial *material)
{
    double time = 0;
    for (const Damping *entry = damping_first(material->damping); entry != damping_end(material->damping);
         ++entry)
        time += entry->type == DAMPING_VARIATIONAL ? entry->time : 0;
    return time;
}

static bool has_part(const ModelMaterial *material, int32_t kind)
{
    return (kind == ELEMENT_TET || kind == ELEMENT_MEMBRANE || kind == ELEMENT_SEGMENT) &&
           time_of(material) > 0;
}

static bool is_wanted(const Model *model)
{
    for (int32_t m = 0; m < model->material_count; ++m)
        if (time_of(&model->materials[m]) > 0)
            return true;
    return false;
}

static VelaResult set_weights(const Model *model, Arena *arena, VariationalDamping *damping)
{
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        ElementBundles *bundles = &damping->elements.groups[kind];
        TRY(ARENA_ARRAY(arena, damping->weights[kind], bundles->count));
        for (int32_t b = 0; b < bundles->count; ++b) {
            // All elements of a bundle have the material of its first.
            const int32_t material = model->groups[kind].materials[bundles->elements[b][0]];
            damping->weights[kind][b] = bundles->volumes[b] * time_of(&model->materials[material]);
        }
    }
    return VELA_OK;
}

VelaResult variational_damping_create(CpuDevice *device, Arena *arena)
{
    const Model *model = device->base.model;
    const BlockMatrix *matrix = &device->newton.matrix;
    const size_t n = 3 * (size_t)model->node_count;
    VariationalDamping *damping;
    uint8_t *wanted;
    if (!is_wanted(model))
        return VELA_OK;
    TRY(ARENA_ARRAY(arena, damping, 1));
    device->variational_damping = damping;
    TRY(ARENA_ARRAY(arena, wanted, (size_t)ELEMENT_KIND_COUNT * (size_t)model->material_count));
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind)
        for (int32_t m = 0; m < model->material_count; ++m)
            wanted[kind * model->material_count + m] = has_part(&model->materials[m], kind);
    TRY(cpu_elements_build(device->base.context, model, &device->forces, wanted, arena, &damping->elements));
    TRY(set_weights(model, arena, damping));
    if (matrix->row_start)
        TRY(block_matrix_build(device->base.context, model, arena, &damping->elements, &damping->matrix));
    TRY(ARENA_ARRAY(arena, damping->rest, n));
    TRY(ARENA_ARRAY(arena, damping->end, n));
    TRY(ARENA_ARRAY(arena, damping->way, n));
    TRY(ARENA_ARRAY(arena, damping->force, n));
    TRY(ARENA_ARRAY(arena, damping->bounds, damping->elements.chunk_count));
    return ARENA_ARRAY(arena, damping->trials, damping->elements.chunk_count);
}

size_t variational_damping_memory(const Model *model)
{
    // As much as the elements and the matrix themselves take, at the most.
    return is_wanted(model)
               ? cpu_elements_memory(model) +
                     8 * (9 * (size_t)model->row_start[model->node_count] + 12 * (size_t)model->node_count)
               : 0;
}

// ---------------------------------------------------------------- shapes at rest

// G of an element, (corners - 1) x columns, whose edges from corner 0 are `edges`, so that D x is the identity there; in axes of the
// element itself where it has fewer dimensions than space. False where it is flat.
static bool rest_shape(int columns, const double edges[3][3], double G[9])
{
    if (columns == 1) {
        const double length = norm3(edges[0]);
        G[0] = length > 0 ? 1 / length : 0;
        return length > 0;
    }
    if (columns == 2) {
        double axis[3], normal[3], other[3];
        memcpy(axis, edges[0], sizeof axis);
        cross3(edges[0], edges[1], normal);
        const double sizes = norm3(edges[0]) * norm3(edges[1]);
        if (!(norm3(normal) > FLAT * sizes))
            return false;
        const double along = normalize3(axis);
        normalize3(normal);
        cross3(normal, axis, other);
        // The edges are the columns of (along, p; 0, q); G their inverse, row by row.
        const double p = dot3(edges[1], axis), q = dot3(edges[1], other);
        G[0] = 1 / along, G[1] = -p / (along * q);
        G[2] = 0, G[3] = 1 / q;
        return true;
    }
    const double columns_of[9] = {edges[0][0], edges[1][0], edges[2][0], edges[0][1], edges[1][1],
                                  edges[2][1], edges[0][2], edges[1][2], edges[2][2]};
    const double sizes = norm3(edges[0]) * norm3(edges[1]) * norm3(edges[2]);
    if (!(fabs(matrix3_determinant(columns_of)) > FLAT * sizes))
        return false;
    matrix3_inverse(columns_of, G);
    return true;
}

// Every element's rest shape becomes what it has at damping->rest.
static void set_rest_shapes(VariationalDamping *damping)
{
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        ElementBundles *bundles = &damping->elements.groups[kind];
        const int32_t corners = bundles->kind->corners, columns = bundles->kind->columns;
        const size_t shapes = (size_t)element_shape_size(bundles->kind);
        for (int32_t b = 0; b < bundles->count; ++b)
            for (int l = 0; l < LANE_COUNT; ++l) {
                double edges[3][3], G[9];
                const int32_t(*nodes)[LANE_COUNT] =
                    (const int32_t(*)[LANE_COUNT])bundles->nodes + (size_t)corners * (size_t)b;
                for (int32_t c = 1; c < corners; ++c)
                    subtract3(damping->rest + 3 * (size_t)nodes[c][l],
                              damping->rest + 3 * (size_t)nodes[0][l], edges[c - 1]);
                const bool has_shape = rest_shape(columns, (const double(*)[3])edges, G);
                bundles->volumes[b][l] = has_shape ? damping->weights[kind][b][l] : 0;
                for (size_t k = 0; k < shapes && has_shape; ++k)
                    bundles->shapes[shapes * (size_t)b + k][l] = G[k];
            }
    }
}

// How far into the step the positions of its stage are: alpha, or at its end where there is no stage.
static double reach_of(const CpuDevice *device)
{
    const SceneDef *scene = device->base.model->scene;
    return scene_is_explicit(scene) ? 1 : scene->alpha;
}

// Start and end of a step of `duration` with the velocity v, which is at x on its way.
static void set_step(CpuDevice *device, const double *x, const double *v, double duration)
{
    VariationalDamping *damping = device->variational_damping;
    const double reach = reach_of(device);
    for (size_t i = 0; i < 3 * (size_t)device->base.model->node_count; ++i) {
        damping->rest[i] = x[i] - reach * duration * v[i];
        damping->end[i] = damping->rest[i] + duration * v[i];
    }
    set_rest_shapes(damping);
}

static const ElementKernels *kernels_of(const CpuDevice *device, const ElementChunk *chunk)
{
    return device->kernels->elements[chunk->kind];
}

// Others have corners where nothing is written.
static void clear_corners(CpuDevice *device)
{
    memset(device->forces.values, 0, 3 * (size_t)device->base.model->corner_count * sizeof(double));
}

// damping->force = k_D grad W at the end, in the model's order.
static void find_force(CpuDevice *device)
{
    VariationalDamping *damping = device->variational_damping;
    const CpuElements *elements = &damping->elements;
    clear_corners(device);
#pragma omp parallel for schedule(static) num_threads(device->threads)
    for (int32_t c = 0; c < elements->chunk_count; ++c) {
        const ElementChunk *chunk = &elements->chunks[c];
        kernels_of(device, chunk)
            ->stresses(&damping->elements.groups[chunk->kind], chunk->first, chunk->end, damping->end);
    }
    corner_forces_sum(&device->forces, &device->base.model->order, device->node_threads, damping->force);
}

static VelaResult add_damping(CpuDevice *device, const double *x, const double *v, double *gradient,
                              double duration, DissipationLoss *loss)
{
    const Model *model = device->base.model;
    const VariationalDamping *damping = device->variational_damping;
    set_step(device, x, v, duration);
    find_force(device);
    for (int32_t i = 0; i < model->node_count; ++i) {
        const size_t at = 3 * (size_t)i;
        const double taken = dot3(damping->force + at, v + at);
        add_scaled3(gradient + at, 1 / duration, damping->force + at, gradient + at);
        if (!loss)
            continue;
        loss->by_damping[DAMPING_VARIATIONAL] += taken;
        loss->all += taken;
        loss->free += model->node_is_free[i] ? taken : 0;
    }
    return VELA_OK;
}

// ---------------------------------------------------------------- the implicit step

// Start and end as SLOT_STAGE has them.
static void set_stage(CpuDevice *device)
{
    VariationalDamping *damping = device->variational_damping;
    const double *x = device->slots[SLOT_STAGE], inverse = 1 / device->base.model->scene->alpha;
    for (size_t i = 0; i < 3 * (size_t)device->base.model->node_count; ++i)
        damping->end[i] = damping->rest[i] + inverse * (x[i] - damping->rest[i]);
}

static VelaResult begin_stage(CpuDevice *device)
{
    VariationalDamping *damping = device->variational_damping;
    memcpy(damping->rest, device->slots[SLOT_BASE_POSITION],
           3 * (size_t)device->base.model->node_count * sizeof *damping->rest);
    set_rest_shapes(damping);
    return VELA_OK;
}

static VelaResult add_impulse(CpuDevice *device, double *gradient)
{
    const Model *model = device->base.model;
    const double step = cpu_stage_time(device) / model->scene->alpha;
    begin_stage(device);
    set_stage(device);
    find_force(device);
    for (size_t i = 0; i < 3 * (size_t)model->node_count; ++i)
        gradient[i] += device->variational_damping->force[i] / step;
    return VELA_OK;
}

// The stage minimises alpha/((1 - alpha) h) k_D W at the step's end: over x, whose way to there is 1/alpha as long.
static VelaResult linearize(CpuDevice *device, bool project)
{
    VariationalDamping *damping = device->variational_damping;
    BlockMatrix *matrix = &damping->matrix;
    const double alpha = device->base.model->scene->alpha, step = cpu_stage_time(device) / alpha,
                 force = 1 / ((1 - alpha) * step), stiffness = force / alpha;
    const size_t count = 9 * (size_t)matrix->row_start[matrix->row_count];
    const double start = cpu_clock();
    Team team = {0};
    set_stage(device);
    clear_corners(device);
    memset(matrix->values, 0, count * sizeof *matrix->values);
#pragma omp parallel num_threads(device->threads)
    for (int32_t batch = 0; batch < matrix->batch_count; ++batch) {
        const ElementChunk *range = &matrix->batches[batch];
#pragma omp for schedule(static) nowait
        for (int32_t b = range->first; b < range->end; b += BUNDLES_PER_CHUNK)
            kernels_of(device, range)
                ->hessians(&damping->elements.groups[range->kind], b,
                           b + BUNDLES_PER_CHUNK < range->end ? b + BUNDLES_PER_CHUNK : range->end,
                           damping->end, project, matrix->contributions);
        team_wait(&team);
        block_matrix_sum(matrix, batch, &team);
    }
    for (size_t i = 0; i < count; ++i)
        device->newton.matrix.values[i] += stiffness * matrix->values[i];
    for (int32_t i = 0; i < matrix->row_count; ++i) {
        double sum[3], *own = device->newton.gradient + 3 * (size_t)i;
        corner_forces_at(&device->forces, i, sum);
        add_scaled3(own, force, sum, own);
    }
    cpu_timing_add(device->timings, PHASE_HESSIANS, start);
    return VELA_OK;
}

static void find_way(CpuDevice *device)
{
    VariationalDamping *damping = device->variational_damping;
    for (size_t i = 0; i < 3 * (size_t)device->base.model->node_count; ++i)
        damping->way[i] = device->newton.direction[i] / device->base.model->scene->alpha;
}

static VelaResult bound(CpuDevice *device, double *longest)
{
    VariationalDamping *damping = device->variational_damping;
    const CpuElements *elements = &damping->elements;
    find_way(device);
#pragma omp parallel for schedule(static) num_threads(device->threads)
    for (int32_t c = 0; c < elements->chunk_count; ++c) {
        const ElementChunk *chunk = &elements->chunks[c];
        damping->bounds[c] = kernels_of(device, chunk)
                                 ->step_bound(&elements->groups[chunk->kind], chunk->first, chunk->end,
                                              damping->end, damping->way);
    }
    for (int32_t c = 0; c < elements->chunk_count; ++c)
        *longest = fmin(*longest, damping->bounds[c]);
    return VELA_OK;
}

static void try_steps(CpuDevice *device, int count, const double steps[NEWTON_TRIALS], TrialSums *sums)
{
    VariationalDamping *damping = device->variational_damping;
    const CpuElements *elements = &damping->elements;
    const double alpha = device->base.model->scene->alpha, step = cpu_stage_time(device) / alpha,
                 factor = alpha / ((1 - alpha) * step), start = cpu_clock();
    find_way(device);
#pragma omp parallel for schedule(static) num_threads(device->threads)
    for (int32_t c = 0; c < elements->chunk_count; ++c) {
        const ElementChunk *chunk = &elements->chunks[c];
        kernels_of(device, chunk)
            ->trials(&elements->groups[chunk->kind], chunk->first, chunk->end, damping->end, damping->way,
                     count, steps, &damping->trials[c]);
    }
    for (int32_t c = 0; c < elements->chunk_count; ++c)
        for (int i = 0; i < count; ++i)
            trial_add(sums, i, factor * damping->trials[c].difference[i],
                      factor * damping->trials[c].slope[i], factor * damping->trials[c].magnitude[i]);
    cpu_timing_add(device->timings, PHASE_SEARCH, start);
}

const CpuTerm cpu_variational_damping_term = {
    .begin_stage = begin_stage,
    .add_impulse = add_impulse,
    .add_damping = add_damping,
    .linearize = linearize,
    .bound = bound,
    .try_steps = try_steps,
};
