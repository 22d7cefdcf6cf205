#include "device/cpu/terms/elements_term.h"

#include "base/matrix3.h"

static const ElementKernels *kernels_of(const CpuDevice *device, const ElementChunk *chunk)
{
    return device->kernels->elements[chunk->kind];
}

static ElementBundles *group_of(CpuDevice *device, const ElementChunk *chunk)
{
    return &device->elements.groups[chunk->kind];
}

// Whether a chunk has a node that moves: of others a patch need not know anything.
static bool chunk_moves(const CpuDevice *device, int32_t chunk)
{
    return !device->newton.moving_chunks || device->newton.moving_chunks[chunk];
}

static VelaResult add_gradient(CpuDevice *device, const double *x, double *gradient)
{
    const CpuElements *elements = &device->elements;
#pragma omp parallel for schedule(static) num_threads(device->threads)
    for (int32_t c = 0; c < elements->chunk_count; ++c) {
        const ElementChunk *chunk = &elements->chunks[c];
        kernels_of(device, chunk)->stresses(group_of(device, chunk), chunk->first, chunk->end, x);
    }
#pragma omp parallel for schedule(static) num_threads(device->node_threads)
    for (int32_t i = 0; i < device->base.model->order.node_count; ++i) {
        double sum[3], *own = gradient + 3 * (size_t)device->base.model->order.nodes[i];
        corner_forces_at(&device->forces, i, sum);
        add_scaled3(own, 1, sum, own);
    }
    return VELA_OK;
}

static VelaResult diagnose(CpuDevice *device, const double *x, Diagnosis *diagnosis)
{
    const CpuElements *elements = &device->elements;
#pragma omp parallel for schedule(static) num_threads(device->threads)
    for (int32_t c = 0; c < elements->chunk_count; ++c) {
        const ElementChunk *chunk = &elements->chunks[c];
        kernels_of(device, chunk)
            ->energies(group_of(device, chunk), chunk->first, chunk->end, x, &device->energy_sums[c]);
    }
    int32_t inverted = INT32_MAX;
    for (int32_t c = 0; c < elements->chunk_count; ++c) {
        const EnergySums *sums = &device->energy_sums[c];
        const int32_t kind = elements->chunks[c].kind;
        if (element_is_constraint(kind))
            diagnosis->constraint += sums->elastic;
        else if (kind != ELEMENT_PRESSURE) // their energy is the loads'
            diagnosis->elastic += sums->elastic;
        diagnosis->min_det_f =
            sums->min_det_f < diagnosis->min_det_f ? sums->min_det_f : diagnosis->min_det_f;
        inverted = sums->inverted < inverted ? sums->inverted : inverted;
    }
    diagnosis->inverted_element = inverted == INT32_MAX ? -1 : inverted;
    return VELA_OK;
}

// ---------------------------------------------------------------- Newton's method

// Whether any of the chunks first <= c < end does.
static bool chunks_move(const CpuDevice *device, int32_t first, int32_t end)
{
    bool move = false;
    for (int32_t c = first; c < end && !move; ++c)
        move = chunk_moves(device, c);
    return move;
}

// Corner forces, densities and the elements' part of the matrix, batch by batch: the list of contributions fits the cache. By all
// threads of a region.
static void add_batches(CpuDevice *device, bool project, Team *team)
{
    const CpuElements *elements = &device->elements;
    BlockMatrix *matrix = &device->newton.matrix;
    const double *x = device->slots[SLOT_STAGE];
    // Batches have the order of the chunks, and each is whole ones.
    int32_t end = 0;
    for (int32_t batch = 0; batch < matrix->batch_count; ++batch) {
        const ElementChunk *range = &matrix->batches[batch];
        const int32_t first = end;
        end += (range->end - range->first + BUNDLES_PER_CHUNK - 1) / BUNDLES_PER_CHUNK;
        if (!chunks_move(device, first, end))
            continue;
        const double start = cpu_clock();
#pragma omp for schedule(static) nowait
        for (int32_t c = first; c < end; ++c) {
            const ElementChunk *chunk = &elements->chunks[c];
            if (chunk_moves(device, c))
                kernels_of(device, chunk)
                    ->hessians(group_of(device, chunk), chunk->first, chunk->end, x, project,
                               matrix->contributions);
        }
        team_wait(team);
        const double middle = cpu_clock();
        block_matrix_sum(matrix, batch, team);
#pragma omp master
        {
            cpu_timing_put(device->timings, PHASE_HESSIANS, middle - start);
            cpu_timing_add(device->timings, PHASE_ASSEMBLY, middle);
        }
    }
}

static VelaResult linearize(CpuDevice *device, bool project)
{
    Team team = {0};
#pragma omp parallel num_threads(device->threads)
    {
        add_batches(device, project, &team);
#pragma omp for schedule(static) nowait
        for (int32_t i = 0; i < device->base.model->order.node_count; ++i) {
            double sum[3], *own = device->newton.gradient + 3 * (size_t)i;
            corner_forces_at(&device->forces, i, sum);
            add_scaled3(own, 1, sum, own);
        }
    }
    return VELA_OK;
}

static VelaResult bound(CpuDevice *device, double *longest)
{
    const CpuElements *elements = &device->elements;
    double *bounds = device->newton.bounds;
#pragma omp parallel for schedule(static) num_threads(device->threads)
    for (int32_t c = 0; c < elements->chunk_count; ++c) {
        const ElementChunk *chunk = &elements->chunks[c];
        bounds[c] = !chunk_moves(device, c)
                        ? INFINITY
                        : kernels_of(device, chunk)
                              ->step_bound(group_of(device, chunk), chunk->first, chunk->end,
                                           device->slots[SLOT_STAGE], device->newton.direction);
    }
    for (int32_t c = 0; c < elements->chunk_count; ++c)
        *longest = fmin(*longest, bounds[c]);
    return VELA_OK;
}

static void try_steps(CpuDevice *device, int count, const double steps[NEWTON_TRIALS], TrialSums *sums)
{
    const CpuElements *elements = &device->elements;
    TrialSums *trials = device->newton.trial_sums;
    const double start = cpu_clock();
#pragma omp parallel for schedule(static) num_threads(device->threads)
    for (int32_t c = 0; c < elements->chunk_count; ++c) {
        const ElementChunk *chunk = &elements->chunks[c];
        if (!chunk_moves(device, c)) {
            trials[c] = (TrialSums){0};
            continue;
        }
        kernels_of(device, chunk)
            ->trials(group_of(device, chunk), chunk->first, chunk->end, device->slots[SLOT_STAGE],
                     device->newton.direction, count, steps, &trials[c]);
    }
    for (int32_t c = 0; c < elements->chunk_count; ++c)
        trials_add(sums, count, &trials[c]);
    cpu_timing_add(device->timings, PHASE_SEARCH, start);
}

// ---------------------------------------------------------------- ADMM

static void find_gradients(CpuDevice *device, const double *x)
{
    const CpuElements *elements = &device->elements;
#pragma omp parallel for schedule(static) num_threads(device->threads)
    for (int32_t c = 0; c < elements->chunk_count; ++c) {
        const ElementChunk *chunk = &elements->chunks[c];
        kernels_of(device, chunk)->gradients(group_of(device, chunk), chunk->first, chunk->end, x);
    }
}

static void admm_begin(CpuDevice *device)
{
    if (!device->admm.warm) {
        // Z = D x_n, Y = 0.
        find_gradients(device, device->slots[SLOT_POSITION]);
        for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
            ElementBundles *bundles = &device->elements.groups[kind];
            const size_t size = (size_t)bundles->count * (size_t)element_size(bundles->kind);
            memcpy(bundles->image, bundles->target, size * sizeof *bundles->image);
        }
    }
    find_gradients(device, device->slots[SLOT_TARGET]);
}

static void admm_project(CpuDevice *device)
{
    const CpuElements *elements = &device->elements;
#pragma omp for schedule(static)
    for (int32_t c = 0; c < elements->chunk_count; ++c) {
        const ElementChunk *chunk = &elements->chunks[c];
        kernels_of(device, chunk)
            ->project(group_of(device, chunk), chunk->first, chunk->end, &device->admm.mixing,
                      &device->admm.change_sums[c]);
    }
}

static void admm_residual(CpuDevice *device, int32_t newest, int32_t depth, ResidualSums *sums,
                          AdmmReport *report)
{
    const CpuElements *elements = &device->elements;
    ResidualSums *partial = device->admm.element_sums;
#pragma omp parallel for schedule(static) num_threads(device->threads)
    for (int32_t c = 0; c < elements->chunk_count; ++c) {
        const ElementChunk *chunk = &elements->chunks[c];
        kernels_of(device, chunk)
            ->residuals(group_of(device, chunk), chunk->first, chunk->end, device->admm.delta, newest, depth,
                        &partial[c]);
    }
    double residual_sq = 0, gradient_sq = 0, projected_sq = 0;
    for (int32_t c = 0; c < elements->chunk_count; ++c) {
        residual_sq += partial[c].residual_sq;
        gradient_sq += partial[c].gradient_sq;
        projected_sq += partial[c].projected_sq;
        sums->weighted_sq += partial[c].weighted_sq;
        for (int32_t j = 0; j < depth; ++j) {
            sums->newest[j] += partial[c].newest[j];
            sums->current[j] += partial[c].current[j];
        }
    }
    const double tolerance = device->admm.settings.tolerance;
    report->primal = sqrt(residual_sq);
    report->primal_difference = report->primal;
    report->primal_bound = tolerance * sqrt((double)device->base.model->local_count) +
                           tolerance * sqrt(fmax(gradient_sq, projected_sq));
    report->converged = report->converged && report->primal <= report->primal_bound;
}

static void admm_scatter(CpuDevice *device, double a, double b, double c, double *forces)
{
    const CpuElements *elements = &device->elements;
#pragma omp parallel for schedule(static) num_threads(device->threads)
    for (int32_t k = 0; k < elements->chunk_count; ++k) {
        const ElementChunk *chunk = &elements->chunks[k];
        kernels_of(device, chunk)->scatter(group_of(device, chunk), chunk->first, chunk->end, a, b, c);
    }
    corner_forces_sum(&device->forces, &device->base.model->order, device->node_threads, forces);
}

const CpuTerm cpu_elements_term = {
    .add_gradient = add_gradient,
    .diagnose = diagnose,
    .linearize = linearize,
    .bound = bound,
    .try_steps = try_steps,
    .admm_begin = admm_begin,
    .admm_project = admm_project,
    .admm_residual = admm_residual,
    .admm_scatter = admm_scatter,
};
