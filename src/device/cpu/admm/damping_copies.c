#include "device/cpu/admm/damping_copies.h"

#include "device/cpu/terms/damping.h"

#include "base/matrix3.h"

#include <math.h>
#include <string.h>

static const ElementKernels *kernels_of(const CpuDevice *device, const ElementChunk *chunk)
{
    return device->kernels->elements[chunk->kind];
}

static void choose_elements(const Model *model, int law, uint8_t *wanted)
{
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind)
        for (int32_t m = 0; m < model->material_count; ++m)
            wanted[(size_t)kind * (size_t)model->material_count + (size_t)m] =
                model_has_damping_copy(&model->materials[m], kind, law);
}

VelaResult admm_damping_create(CpuDevice *device, Arena *arena)
{
    const Model *model = device->base.model;
    AdmmData *admm = &device->admm;
    AdmmDamping *damping;
    uint8_t *wanted;
    size_t *places;
    int laws[MODEL_DAMPING_COPIES_MOST];
    const int32_t count = model_damping_copies(model, laws);
    if (count == 0)
        return VELA_OK;
    TRY(ARENA_ARRAY(arena, damping, 1));
    TRY(ARENA_ARRAY(arena, wanted, (size_t)ELEMENT_KIND_COUNT * (size_t)model->material_count));
    admm->damping = damping;
    for (damping->count = 0; damping->count < count; ++damping->count) {
        DampingCopies *copies = &damping->copies[damping->count];
        *copies = (DampingCopies){.law = laws[damping->count]};
        choose_elements(model, copies->law, wanted);
        TRY(cpu_elements_build(device->base.context, model, &device->forces, wanted, arena,
                               &copies->elements));
        TRY(ARENA_ARRAY(arena, copies->weights, model->element_count));
        TRY(ARENA_ARRAY(arena, copies->change_sums, copies->elements.chunk_count));
        TRY(ARENA_ARRAY(arena, copies->sums, copies->elements.chunk_count));
        TRY(ARENA_ARRAY(arena, places, model->element_count));
        copies->numbers = model_damping_state(model, copies->law, places);
        for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
            ElementBundles *bundles = &copies->elements.groups[kind];
            const size_t n = (size_t)bundles->count, size = (size_t)element_size(bundles->kind);
            copies->places[kind] = places + model->groups[kind].first_element;
            TRY(ARENA_ARRAY(arena, bundles->base, n * size));
            TRY(ARENA_ARRAY(arena, bundles->damping, n * size * (size + 1) / 2));
        }
    }
    return VELA_OK;
}

size_t admm_damping_memory(const Model *model)
{
    const SolverDef *solver = &model->scene->solver;
    size_t bytes = 0;
    int laws[MODEL_DAMPING_COPIES_MOST];
    const int32_t count = model_damping_copies(model, laws);
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        const ElementGroup *group = &model->groups[kind];
        const size_t size = (size_t)element_size(group->kind), corners = (size_t)group->kind->corners;
        const size_t each =
            3 * 4 * corners + 4 +
            8 * ((size_t)element_shape_size(group->kind) + 3 + 6 * size + size * (size + 1) / 2) +
            (solver->anderson ? (size_t)solver->depth : 0) * 2 * size * sizeof(float);
        for (int32_t e = 0; e < group->count; ++e)
            for (int32_t c = 0; c < count; ++c)
                bytes +=
                    model_has_damping_copy(&model->materials[group->materials[e]], kind, laws[c]) ? each : 0;
    }
    return bytes;
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
                const double elastic = device->admm.penalties[element];
                copies->weights[element] =
                    copies->law != DAMPING_QUADRATIC
                        ? ldexp(elastic, 2 * copies->level)
                        : model_damping_weight(&model->materials[group->materials[e]], kind,
                                               group->volumes[e], duration, elastic);
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

// The level that a law asks for at the step's start.
static int level_wanted(CpuDevice *device, const DampingCopies *copies, double duration)
{
    const Model *model = device->base.model;
    DissipationLoss loss = {0};
    memset(device->motion, 0, 3 * (size_t)model->node_count * sizeof *device->motion);
    cpu_damping_term.add_damping(device, device->slots[SLOT_POSITION], device->slots[SLOT_VELOCITY],
                                 device->motion, 1, &loss);
    return model_law_level(model, device->admm.penalties, copies->law, loss.by_damping[DAMPING_POWER_LAW],
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
    for (int32_t e = 0; e < model->element_count; ++e) {
        admm->all_penalties[e] = admm->penalties[e];
        for (int c = 0; c < admm->damping->count; ++c)
            admm->all_penalties[e] += admm->damping->copies[c].weights[e];
    }
    for (int32_t i = 0; i < model->node_count; ++i)
        admm->diagonal[i] = cpu_damping_drag(device, i) / duration;
}

int64_t admm_damping_weights(const CpuDevice *device)
{
    const AdmmDamping *damping = device->admm.damping;
    int64_t key = 0;
    for (int c = 0; damping && c < damping->count; ++c)
        key = key * 16 + (damping->copies[c].level - LAW_LEVEL_LEAST);
    return key;
}

// ---------------------------------------------------------------- the term

static void prepare(CpuDevice *device, DampingCopies *copies)
{
    pack_weights(device, copies);
#pragma omp parallel for schedule(static) num_threads(device->threads)
    for (int32_t c = 0; c < copies->elements.chunk_count; ++c) {
        const ElementChunk *chunk = &copies->elements.chunks[c];
        kernels_of(device, chunk)
            ->damping_prepare(&copies->elements.groups[chunk->kind], chunk->first, chunk->end, copies->law,
                              device->slots[SLOT_STAGE], device->slots[SLOT_BASE_POSITION], copies->duration);
    }
}

static void find_gradients(CpuDevice *device, DampingCopies *copies, const double *x)
{
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
    const int level = copies->law >= 0 ? level_wanted(device, copies, duration) : 0;
    if (copies->duration > 0) // of the last weights to these
        scale_states(copies,
                     copies->law >= 0 ? ldexp(1, 2 * (level - copies->level)) : copies->duration / duration);
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
static void add_corner_forces(CpuDevice *device, double *forces)
{
    const NodeOrder *order = &device->base.model->order;
#pragma omp parallel for schedule(static) num_threads(device->node_threads)
    for (int32_t i = 0; i < order->node_count; ++i) {
        double sum[3], *own = forces + 3 * (size_t)order->nodes[i];
        corner_forces_at(&device->forces, i, sum);
        add_scaled3(own, 1, sum, own);
    }
}

static void clear_corners(CpuDevice *device)
{
    memset(device->forces.values, 0, 3 * (size_t)device->base.model->corner_count * sizeof(double));
}

static void admm_add_right(CpuDevice *device)
{
    AdmmDamping *damping = device->admm.damping;
    const Model *model = device->base.model;
    const double *target = device->slots[SLOT_TARGET], *base = device->slots[SLOT_BASE_POSITION];
    for (int k = 0; k < damping->count; ++k) {
        DampingCopies *copies = &damping->copies[k];
        clear_corners(device);
#pragma omp parallel for schedule(static) num_threads(device->threads)
        for (int32_t c = 0; c < copies->elements.chunk_count; ++c) {
            const ElementChunk *chunk = &copies->elements.chunks[c];
            kernels_of(device, chunk)
                ->damping_project(&copies->elements.groups[chunk->kind], chunk->first, chunk->end,
                                  copies->law, copies->duration, &device->admm.mixing,
                                  &copies->change_sums[c]);
        }
        for (int32_t c = 0; c < copies->elements.chunk_count; ++c)
            device->admm.change_sq += copies->change_sums[c];
        add_corner_forces(device, device->admm.right);
    }
    for (int32_t i = 0; i < model->node_count; ++i)
        for (size_t at = 3 * (size_t)i; at < 3 * (size_t)i + 3; ++at)
            device->admm.right[at] -= device->admm.diagonal[i] * (target[at] - base[at]);
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
#pragma omp parallel for schedule(static) num_threads(device->threads)
        for (int32_t c = 0; c < elements->chunk_count; ++c) {
            const ElementChunk *chunk = &elements->chunks[c];
            kernels_of(device, chunk)
                ->residuals(&elements->groups[chunk->kind], chunk->first, chunk->end, device->admm.delta,
                            newest, depth, &copies->sums[c]);
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
    const Model *model = device->base.model;
    for (int k = 0; k < damping->count; ++k) {
        CpuElements *elements = &damping->copies[k].elements;
        clear_corners(device);
#pragma omp parallel for schedule(static) num_threads(device->threads)
        for (int32_t i = 0; i < elements->chunk_count; ++i) {
            const ElementChunk *chunk = &elements->chunks[i];
            kernels_of(device, chunk)
                ->scatter(&elements->groups[chunk->kind], chunk->first, chunk->end, a, b, c);
        }
        add_corner_forces(device, forces);
    }
    // Of the multipliers' balance (a = 1) the drag is a part.
    const double *target = device->slots[SLOT_TARGET], *base = device->slots[SLOT_BASE_POSITION];
    for (size_t i = 0; i < 3 * (size_t)model->node_count; ++i)
        forces[i] += a * device->admm.diagonal[i / 3] * (target[i] + device->admm.delta[i] - base[i]);
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

// ---------------------------------------------------------------- what is carried from step to step

size_t admm_damping_state_size(const CpuDevice *device)
{
    const AdmmDamping *damping = device->admm.damping;
    size_t size = 0;
    for (int c = 0; damping && c < damping->count; ++c)
        size += DAMPING_STATE_HEADER + 2 * damping->copies[c].numbers;
    return size;
}

void admm_damping_state_read(const CpuDevice *device, double *values)
{
    const AdmmDamping *damping = device->admm.damping;
    for (int c = 0; damping && c < damping->count; ++c) {
        const DampingCopies *copies = &damping->copies[c];
        values[0] = copies->level;
        values[1] = copies->duration;
        values += DAMPING_STATE_HEADER;
        for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
            const ElementBundles *bundles = &copies->elements.groups[kind];
            const size_t size = (size_t)element_size(bundles->kind), *places = copies->places[kind];
            for (int32_t b = 0; b < bundles->count; ++b)
                for (int l = 0; l < LANE_COUNT && bundles->elements[b][l] >= 0; ++l)
                    for (size_t k = 0; k < size; ++k) {
                        double *own = values + places[bundles->elements[b][l]] + k;
                        own[0] = bundles->image[size * (size_t)b + k][l];
                        own[size] = bundles->projected[size * (size_t)b + k][l];
                    }
        }
        values += 2 * copies->numbers;
    }
}

void admm_damping_state_write(CpuDevice *device, const double *values)
{
    AdmmDamping *damping = device->admm.damping;
    for (int c = 0; damping && c < damping->count; ++c) {
        DampingCopies *copies = &damping->copies[c];
        copies->level = (int)values[0];
        copies->duration = values[1];
        values += DAMPING_STATE_HEADER;
        for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
            ElementBundles *bundles = &copies->elements.groups[kind];
            const size_t size = (size_t)element_size(bundles->kind), *places = copies->places[kind];
            for (int32_t b = 0; b < bundles->count; ++b)
                for (int l = 0; l < LANE_COUNT; ++l) {
                    int from = l; // a left-over lane repeats the last element of its block
                    while (bundles->elements[b][from] < 0)
                        --from;
                    for (size_t k = 0; k < size; ++k) {
                        const double *own = values + places[bundles->elements[b][from]] + k;
                        bundles->image[size * (size_t)b + k][l] = own[0];
                        bundles->projected[size * (size_t)b + k][l] = own[size];
                    }
                }
        }
        values += 2 * copies->numbers;
    }
}
