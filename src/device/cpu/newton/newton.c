// Newton's method for the stage objective on the CPU path (theory.md sections 2, 3 and 11):
//
//     E(x) = sum over free nodes of (m/(2 a^2) |x - xt|^2 - m g.x + sum over planes of k/2 min(0, n.x - o)^2)
//            + sum over elements of w psi(F)
//
// Fixed nodes take part through the elements only. Vectors of the linear solve are in the order of
// ElementBlocks.node_order, free nodes first.
#include "device/cpu/newton/newton.h"

#include "device/cpu/contact/filter.h"
#include "device/cpu/terms/corner_forces.h"

#include "base/matrix3.h"

#include <string.h>

/// Rounding of a difference of the objective, relative to the magnitudes of its terms (TrialSums): a few units in the last
/// place u = 2^-53 for each. An energy density is off by some u of itself, and by |stress . stretch| times the relative
/// error of the stretches, which is another few u; the sums over elements and nodes add their own.
static const double TRIAL_ROUNDING = 16 * 0x1p-53;

static int32_t chunk_end(int32_t chunk, int32_t size, int32_t count)
{
    const int32_t end = (chunk + 1) * size;
    return end < count ? end : count;
}

VelaResult cpu_newton_create(CpuDevice *device, Arena *arena)
{
    const Model *model = device->base.model;
    VelaContext *context = device->base.context;
    NewtonData *newton = &device->newton;
    const size_t n = 3 * (size_t)model->node_count;
    TRY(block_matrix_build(context, model, arena, &device->blocks, &newton->matrix));
    newton->linear = (ConjugateGradients){
        .kernels = device->kernels, .matrix = &newton->matrix, .threads = device->node_threads};
    TRY(conjugate_gradients_allocate(arena, &newton->linear));
    TRY(ARENA_ARRAY(arena, newton->direction, n));
    TRY(ARENA_ARRAY(arena, newton->gradient, n));
    TRY(ARENA_ARRAY(arena, newton->solution, n));
    TRY(ARENA_ARRAY(arena, newton->trial_sums, device->block_chunks));
    TRY(ARENA_ARRAY(arena, newton->node_trials, device->node_chunks));
    TRY(ARENA_ARRAY(arena, newton->bounds, device->block_chunks));
    TRY(ARENA_ARRAY(arena, newton->on_surface, model->node_count));
    for (int32_t s = 0; s < model->surface_node_count; ++s)
        newton->on_surface[device->blocks.place_of[model->surface_nodes[s]]] = 1;
    // `gradient` serves as room for the places of the matrix's rows.
    for (int32_t i = 0; i < model->node_count; ++i)
        memcpy(newton->gradient + 3 * (size_t)i,
               model->initial_positions + 3 * (size_t)device->blocks.node_order[i], 3 * sizeof(double));
    return preconditioner_create(context, model->scene->solver.preconditioner, device->kernels,
                                 &newton->matrix, newton->gradient, device->node_threads,
                                 &newton->linear.preconditioner);
}

size_t cpu_newton_memory(const Model *model)
{
    const size_t blocks = (size_t)model->row_start[model->node_count];
    const size_t batch = MATRIX_PAIRS * BLOCKS_PER_BATCH * LANE_COUNT,
                 pairs = MATRIX_PAIRS * (size_t)model->tet_count;
    return (8 + 3 * 4 * MATRIX_PAIRS) * (size_t)model->tet_count + (9 * 8 + 2 * 4) * blocks +
           9 * 8 * (pairs < batch ? pairs : batch) + (7 * 3 * 8 + 9 * 8 + 9) * (size_t)model->node_count +
           (model->scene->solver.preconditioner == PRECONDITIONER_TWO_LEVEL
                ? coarse_space_memory(model->node_count)
                : 0);
}

void cpu_newton_destroy(CpuDevice *device)
{
    preconditioner_destroy(device->newton.linear.preconditioner);
}

// ---------------------------------------------------------------- gradient and matrix

// Corner forces, densities and the elements' part of the matrix.
static void assemble_elements(CpuDevice *device, bool project)
{
    BlockMatrix *matrix = &device->newton.matrix;
    const double *x = device->slots[SLOT_STAGE];
    memset(matrix->values, 0, 9 * (size_t)matrix->row_start[matrix->row_count] * sizeof *matrix->values);
    for (int32_t batch = 0; batch < matrix->batch_count; ++batch) {
        double start = cpu_clock();
        const int32_t first = batch * BLOCKS_PER_BATCH,
                      end = chunk_end(batch, BLOCKS_PER_BATCH, device->blocks.count);
#pragma omp parallel for schedule(static) num_threads(device->threads)
        for (int32_t b = first; b < end; b += BLOCKS_PER_CHUNK)
            device->kernels->hessians(&device->blocks, b,
                                      b + BLOCKS_PER_CHUNK < end ? b + BLOCKS_PER_CHUNK : end, x, project,
                                      matrix->contributions);
        cpu_timing_add(device->timings, PHASE_HESSIANS, start);
        start = cpu_clock();
        block_matrix_sum(matrix, batch, device->threads);
        cpu_timing_add(device->timings, PHASE_ASSEMBLY, start);
    }
}

// The nodes' own part of gradient and matrix, and what the elements' corners sum to.
static void add_nodes(CpuDevice *device)
{
    const Model *model = device->base.model;
    const ElementBlocks *blocks = &device->blocks;
    NewtonData *newton = &device->newton;
    const double *x = device->slots[SLOT_STAGE], *target = device->slots[SLOT_TARGET];
    const double inverse = 1 / (device->stage.a * device->stage.a);
#pragma omp parallel for schedule(static) num_threads(device->node_threads)
    for (int32_t i = 0; i < blocks->node_count; ++i) {
        const int32_t node = blocks->node_order[i];
        double *gradient = newton->gradient + 3 * (size_t)i;
        cpu_gather_place(blocks, i, gradient);
        if (i >= blocks->free_count)
            continue;
        double *diagonal = newton->matrix.values + 9 * (size_t)newton->matrix.diagonal[i];
        const double weight = model->masses[node] * inverse;
        for (int k = 0; k < 3; ++k) {
            const size_t at = 3 * (size_t)node + (size_t)k;
            gradient[k] += weight * (x[at] - target[at]) - model->masses[node] * model->scene->gravity[k];
            diagonal[4 * k] += weight;
        }
    }
    const double stiffness = model->scene->contact.stiffness;
    for (int32_t p = 0; p < model->plane_count; ++p)
        for (int32_t s = 0; s < model->surface_node_count; ++s) {
            const int32_t node = model->surface_nodes[s], i = blocks->place_of[node];
            const double *n = device->normals[p];
            const double gap = dot3(n, x + 3 * (size_t)node) - device->offsets[p];
            if (gap >= 0 || i >= blocks->free_count)
                continue;
            double *gradient = newton->gradient + 3 * (size_t)i;
            double *diagonal = newton->matrix.values + 9 * (size_t)newton->matrix.diagonal[i];
            add_scaled3(gradient, stiffness * gap, n, gradient);
            for (int k = 0; k < 9; ++k)
                diagonal[k] += stiffness * (n[k / 3] * n[k % 3]);
        }
}

static void multiply_all(const CpuDevice *device, const double *x, double *y)
{
    const BlockMatrix *matrix = &device->newton.matrix;
    device->kernels->multiply(matrix, 0, matrix->row_count, x, y);
    block_matrix_multiply_changing(matrix, 0, matrix->row_count, x, y);
}

// -(gradient + H d) of the free nodes, d being the way of the fixed ones alone; sets d there.
static void set_right(CpuDevice *device, NewtonDirection *direction)
{
    const Model *model = device->base.model;
    const ElementBlocks *blocks = &device->blocks;
    NewtonData *newton = &device->newton;
    ConjugateGradients *linear = &newton->linear;
    const double *x = device->slots[SLOT_STAGE], *target = device->slots[SLOT_TARGET];
    const size_t n = 3 * (size_t)blocks->free_count;
    memset(newton->solution, 0, n * sizeof *newton->solution);
    for (int32_t p = 0; p < model->pin_count; ++p)
        for (int k = 0; k < 3; ++k) {
            const int32_t node = model->pin_nodes[p];
            const size_t at = 3 * (size_t)node + (size_t)k;
            newton->solution[3 * (size_t)blocks->place_of[node] + (size_t)k] = target[at] - x[at];
            direction->pin_gap = fmax(direction->pin_gap, fabs(target[at] - x[at]));
        }
    if (direction->pin_gap > 0)
        multiply_all(device, newton->solution, linear->residual);
    else
        memset(linear->residual, 0, n * sizeof *linear->residual);
    for (size_t i = 0; i < n; ++i)
        linear->residual[i] = -newton->gradient[i] - linear->residual[i];
}

// The solution, stretched and put into the model's order; its size and slope.
static void keep_direction(CpuDevice *device, double stretch, NewtonDirection *direction)
{
    const ElementBlocks *blocks = &device->blocks;
    NewtonData *newton = &device->newton;
    direction->bad_node = -1;
    for (int32_t c = 0; c < device->node_chunks; ++c) {
        double slope = 0;
        for (int32_t i = c * NODES_PER_CHUNK; i < chunk_end(c, NODES_PER_CHUNK, blocks->node_count); ++i) {
            const int32_t node = blocks->node_order[i];
            double *d = newton->direction + 3 * (size_t)node;
            for (int k = 0; k < 3; ++k)
                d[k] = (i < blocks->free_count ? stretch : 1) * newton->solution[3 * (size_t)i + (size_t)k];
            slope += dot3(newton->gradient + 3 * (size_t)i, d);
            for (int k = 0; k < 3; ++k) {
                direction->largest = fmax(direction->largest, fabs(d[k]));
                if (!isfinite(d[k]) && (direction->bad_node < 0 || node < direction->bad_node))
                    direction->bad_node = node;
            }
        }
        direction->slope += slope;
    }
}

VelaResult cpu_newton_direction(Device *base, const NewtonSettings *settings, NewtonDirection *direction)
{
    CpuDevice *device = (CpuDevice *)base;
    NewtonData *newton = &device->newton;
    *direction = (NewtonDirection){.bad_node = -1};
    assemble_elements(device, settings->project);
    double start = cpu_clock();
    add_nodes(device);
    block_matrix_mirror(&newton->matrix, device->node_threads);
    cpu_timing_add(device->timings, PHASE_ASSEMBLY, start);
    if (device->barrier) {
        start = cpu_clock();
        TRY(barrier_linearize(device->barrier, device->slots[SLOT_STAGE], &device->blocks, settings->project,
                              &newton->matrix, newton->gradient));
        cpu_timing_add(device->timings, PHASE_CONTACT_HESSIANS, start);
    }
    start = cpu_clock();
    set_right(device, direction);
    preconditioner_update(newton->linear.preconditioner);
    LinearReport report;
    conjugate_gradients(&newton->linear, settings->linear_tolerance, settings->linear_max_iterations,
                        newton->solution, &report);
    direction->gradient = report.norm;
    direction->linear_iterations = report.iterations;
    direction->linear_residual = report.residual;
    direction->indefinite = report.indefinite;
    keep_direction(device, settings->stretch, direction);
    cpu_timing_add(device->timings, PHASE_LINEAR, start);
    return VELA_OK;
}

// ---------------------------------------------------------------- trials

static VelaResult find_longest(CpuDevice *device)
{
    NewtonData *newton = &device->newton;
#pragma omp parallel for schedule(static) num_threads(device->threads)
    for (int32_t c = 0; c < device->block_chunks; ++c)
        newton->bounds[c] = device->kernels->step_bound(&device->blocks, c * BLOCKS_PER_CHUNK,
                                                        chunk_end(c, BLOCKS_PER_CHUNK, device->blocks.count),
                                                        device->slots[SLOT_STAGE], newton->direction);
    newton->longest = 1;
    for (int32_t c = 0; c < device->block_chunks; ++c)
        newton->longest = fmin(newton->longest, newton->bounds[c]);
    if (!device->barrier)
        return VELA_OK;
    double safe;
    TRY(cpu_contact_filter(device, device->slots[SLOT_STAGE], newton->direction, &safe));
    newton->longest = fmin(newton->longest, safe);
    return VELA_OK;
}

// Adds what one term of a node does over the step s: its value rises by `rise`, with the slope `slope`.
static void add_term(TrialSums *sums, int i, double rise, double slope, double magnitude)
{
    sums->difference[i] += rise;
    sums->slope[i] += slope;
    sums->magnitude[i] += magnitude;
}

static void try_planes(const CpuDevice *device, int32_t node, const double *d, int count,
                       const double steps[NEWTON_TRIALS], TrialSums *sums)
{
    const Model *model = device->base.model;
    const double *x = device->slots[SLOT_STAGE] + 3 * (size_t)node;
    for (int32_t p = 0; p < model->plane_count; ++p) {
        const double stiffness = model->scene->contact.stiffness;
        const double gap = dot3(device->normals[p], x) - device->offsets[p];
        const double along = dot3(device->normals[p], d), depth = fmin(gap, 0);
        for (int i = 0; i < count; ++i) {
            const double next = fmin(gap + steps[i] * along, 0);
            // Where it touches before and after, the change is the step's, without the error of next - depth.
            const double change = depth < 0 && next < 0 ? steps[i] * along : next - depth;
            add_term(sums, i, 0.5 * stiffness * change * (next + depth), stiffness * next * along,
                     0.5 * stiffness * (fabs(change) + fabs(depth)) * (fabs(next) + fabs(depth)));
        }
    }
}

static void try_nodes(const CpuDevice *device, int32_t chunk, int count, const double steps[NEWTON_TRIALS],
                      TrialSums *sums)
{
    const Model *model = device->base.model;
    const ElementBlocks *blocks = &device->blocks;
    const double *x = device->slots[SLOT_STAGE], *target = device->slots[SLOT_TARGET];
    const double inverse = 1 / (device->stage.a * device->stage.a);
    *sums = (TrialSums){0};
    for (int32_t i = chunk * NODES_PER_CHUNK; i < chunk_end(chunk, NODES_PER_CHUNK, blocks->free_count);
         ++i) {
        const int32_t node = blocks->node_order[i];
        const double mass = model->masses[node], *d = device->newton.direction + 3 * (size_t)node;
        double offset[3];
        subtract3(x + 3 * (size_t)node, target + 3 * (size_t)node, offset);
        const double linear = mass * inverse * dot3(offset, d), square = mass * inverse * dot3(d, d);
        const double fall = mass * dot3(model->scene->gravity, d);
        for (int t = 0; t < count; ++t) {
            const double s = steps[t];
            add_term(sums, t, s * (linear + 0.5 * s * square - fall), linear + s * square - fall,
                     s * (fabs(linear) + 0.5 * s * square + fabs(fall)));
        }
        if (device->newton.on_surface[i])
            try_planes(device, node, d, count, steps, sums);
    }
}

static void try_contact(CpuDevice *device, int count, const double steps[NEWTON_TRIALS], TrialSums *sums)
{
    const double start = cpu_clock();
    ContactTrial trials[NEWTON_TRIALS];
    barrier_trials(device->barrier, device->slots[SLOT_STAGE], device->newton.direction, count, steps,
                   trials);
    for (int i = 0; i < count; ++i)
        add_term(sums, i, trials[i].difference, trials[i].slope, trials[i].magnitude);
    cpu_timing_add(device->timings, PHASE_CONTACT_SEARCH, start);
}

VelaResult cpu_newton_trials(Device *base, int32_t halvings, NewtonTrials *trials)
{
    CpuDevice *device = (CpuDevice *)base;
    NewtonData *newton = &device->newton;
    double steps[NEWTON_TRIALS];
    if (halvings == 0)
        TRY(find_longest(device));
    const double start = cpu_clock();
    // Hardly ever is a second step length needed, and each costs the elements a decomposition.
    const int count = halvings == 0 ? 1 : NEWTON_TRIALS;
    for (int i = 0; i < count; ++i)
        steps[i] = ldexp(newton->longest, -(halvings + i));
#pragma omp parallel for schedule(static) num_threads(device->threads)
    for (int32_t c = 0; c < device->block_chunks; ++c)
        device->kernels->trials(
            &device->blocks, c * BLOCKS_PER_CHUNK, chunk_end(c, BLOCKS_PER_CHUNK, device->blocks.count),
            device->slots[SLOT_STAGE], newton->direction, count, steps, &newton->trial_sums[c]);
#pragma omp parallel for schedule(static) num_threads(device->node_threads)
    for (int32_t c = 0; c < device->node_chunks; ++c)
        try_nodes(device, c, count, steps, &newton->node_trials[c]);
    TrialSums all = {0};
    for (int i = 0; i < count; ++i) {
        for (int32_t c = 0; c < device->block_chunks; ++c)
            add_term(&all, i, newton->trial_sums[c].difference[i], newton->trial_sums[c].slope[i],
                     newton->trial_sums[c].magnitude[i]);
        for (int32_t c = 0; c < device->node_chunks; ++c)
            add_term(&all, i, newton->node_trials[c].difference[i], newton->node_trials[c].slope[i],
                     newton->node_trials[c].magnitude[i]);
    }
    cpu_timing_add(device->timings, PHASE_SEARCH, start);
    if (device->barrier)
        try_contact(device, count, steps, &all);
    *trials = (NewtonTrials){.count = count, .longest = newton->longest};
    for (int i = 0; i < count; ++i) {
        trials->difference[i] = all.difference[i];
        trials->slope[i] = all.slope[i];
        if (isfinite(all.difference[i]))
            trials->noise = fmax(trials->noise, TRIAL_ROUNDING * all.magnitude[i]);
    }
    return VELA_OK;
}

VelaResult cpu_newton_accept(Device *base, double step)
{
    CpuDevice *device = (CpuDevice *)base;
    double *x = device->slots[SLOT_STAGE];
    const size_t n = 3 * (size_t)base->model->node_count;
#pragma omp parallel for schedule(static) num_threads(device->node_threads)
    for (size_t i = 0; i < n; ++i)
        x[i] += step * device->newton.direction[i];
    for (int32_t p = 0; p < base->model->pin_count && step == 1; ++p) {
        const size_t i = 3 * (size_t)base->model->pin_nodes[p];
        memcpy(x + i, device->slots[SLOT_TARGET] + i, 3 * sizeof *x);
    }
    return VELA_OK;
}
