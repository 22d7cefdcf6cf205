// Inertia 1/(2 a^2) |x - xt|_M^2 and gravity -sum g_a g.x_a. M is a diagonal and, where bodies couple their nodes, small
// blocks beside it (model.h, MassBlock).
#include "device/cpu/terms/inertia.h"

#include "base/matrix3.h"

void inertia_momenta(const Model *model, const double *v, double *momenta)
{
    for (int32_t i = 0; i < model->node_count; ++i)
        for (int k = 0; k < 3; ++k)
            momenta[3 * (size_t)i + (size_t)k] = model->masses[i] * v[3 * (size_t)i + (size_t)k];
    for (int32_t b = 0; b < model->mass_block_count; ++b) {
        const MassBlock *block = &model->mass_blocks[b];
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j)
                if (i != j)
                    add_scaled3(momenta + 3 * (size_t)block->nodes[i], block->masses[4 * i + j],
                                v + 3 * (size_t)block->nodes[j], momenta + 3 * (size_t)block->nodes[i]);
    }
}

void inertia_divide(const Model *model, double *values)
{
    for (int32_t i = 0; i < model->node_count; ++i)
        for (int k = 0; k < 3; ++k) {
            double *value = values + 3 * (size_t)i + (size_t)k;
            *value = model->node_is_free[i] ? *value / model->masses[i] : 0;
        }
    for (int32_t b = 0; b < model->mass_block_count; ++b) {
        const MassBlock *block = &model->mass_blocks[b];
        double momenta[4][3];
        if (!model->node_is_free[block->nodes[0]])
            continue;
        for (int i = 0; i < 4; ++i) { // what the diagonal has divided already
            const double *value = values + 3 * (size_t)block->nodes[i];
            for (int k = 0; k < 3; ++k)
                momenta[i][k] = model->masses[block->nodes[i]] * value[k];
        }
        for (int i = 0; i < 4; ++i) {
            double *value = values + 3 * (size_t)block->nodes[i];
            memset(value, 0, 3 * sizeof *value);
            for (int j = 0; j < 4; ++j)
                add_scaled3(value, block->inverses[4 * i + j], momenta[j], value);
        }
    }
}

double inertia_product(const Model *model, const double *a, const double *b)
{
    double sum = 0;
    for (int32_t m = 0; m < model->mass_block_count; ++m) {
        const MassBlock *block = &model->mass_blocks[m];
        if (!model->node_is_free[block->nodes[0]])
            continue;
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j)
                if (i != j)
                    sum += block->masses[4 * i + j] *
                           dot3(a + 3 * (size_t)block->nodes[i], b + 3 * (size_t)block->nodes[j]);
    }
    return sum;
}

// ---------------------------------------------------------------- Newton's method

// Off the diagonal of the mass matrix; the matrix gets the blocks above its diagonal only.
static void linearize_block(CpuDevice *device, const MassBlock *block, double inverse)
{
    const double *x = device->slots[SLOT_STAGE], *target = device->slots[SLOT_TARGET];
    BlockMatrix *matrix = &device->newton.matrix;
    for (int i = 0; i < 4; ++i) {
        const int32_t place = device->base.model->order.places[block->nodes[i]];
        for (int j = 0; j < 4; ++j) {
            if (i == j)
                continue;
            const int32_t other = device->base.model->order.places[block->nodes[j]];
            const double weight = block->masses[4 * i + j] * inverse;
            double offset[3];
            subtract3(x + 3 * (size_t)block->nodes[j], target + 3 * (size_t)block->nodes[j], offset);
            double *gradient = device->newton.gradient + 3 * (size_t)place;
            add_scaled3(gradient, weight, offset, gradient);
            if (other < place)
                continue;
            double *values = matrix->values + 9 * (size_t)block_matrix_find(matrix, place, other);
            for (int k = 0; k < 3; ++k)
                values[4 * k] += weight;
        }
    }
}

static void linearize_range(void *data, int32_t first, int32_t end)
{
    CpuDevice *device = data;
    const Model *model = device->base.model;
    NewtonData *newton = &device->newton;
    const double *x = device->slots[SLOT_STAGE], *target = device->slots[SLOT_TARGET];
    const double inverse = 1 / (device->stage.a * device->stage.a);
    for (int32_t i = first; i < end; ++i) {
        const int32_t node = model->order.nodes[i];
        double *gradient = newton->gradient + 3 * (size_t)i;
        double *diagonal = newton->matrix.values + 9 * (size_t)newton->matrix.diagonal[i];
        const double weight = model->masses[node] * inverse;
        for (int k = 0; k < 3; ++k) {
            const size_t at = 3 * (size_t)node + (size_t)k;
            gradient[k] +=
                weight * (x[at] - target[at]) - model->gravity_weights[node] * model->scene->gravity[k];
            diagonal[4 * k] += weight;
        }
    }
}

static VelaResult linearize(CpuDevice *device, bool project)
{
    (void)project;
    const Model *model = device->base.model;
    const double inverse = 1 / (device->stage.a * device->stage.a);
    team_ranges(device->node_threads, model->order.free_count, TEAM_LIGHT_LEAST, linearize_range, device);
    for (int32_t b = 0; b < model->mass_block_count; ++b)
        if (model->node_is_free[model->mass_blocks[b].nodes[0]])
            linearize_block(device, &model->mass_blocks[b], inverse);
    return VELA_OK;
}

static void try_nodes(const CpuDevice *device, int32_t chunk, int count, const double steps[NEWTON_TRIALS],
                      TrialSums *sums)
{
    const Model *model = device->base.model;
    const double *x = device->slots[SLOT_STAGE], *target = device->slots[SLOT_TARGET];
    const double inverse = 1 / (device->stage.a * device->stage.a);
    *sums = (TrialSums){0};
    for (int32_t i = chunk * NODES_PER_CHUNK; i < chunk_end(chunk, NODES_PER_CHUNK, model->order.free_count);
         ++i) {
        const int32_t node = model->order.nodes[i];
        const double weight = model->masses[node] * inverse;
        const double *d = device->newton.direction + 3 * (size_t)node;
        double offset[3];
        subtract3(x + 3 * (size_t)node, target + 3 * (size_t)node, offset);
        const double linear = weight * dot3(offset, d), square = weight * dot3(d, d);
        const double fall = model->gravity_weights[node] * dot3(model->scene->gravity, d);
        for (int t = 0; t < count; ++t) {
            const double s = steps[t];
            trial_add(sums, t, s * (linear + 0.5 * s * square - fall), linear + s * square - fall,
                      s * (fabs(linear) + 0.5 * s * square + fabs(fall)));
        }
    }
}

/// Steps along the direction that are tried.
typedef struct StepTrials {
    CpuDevice *device;
    int count;
    const double *steps;
} StepTrials;

static TrialSums *sums_of_chunk(CpuDevice *device, int32_t chunk)
{
    return device->newton.trial_sums + device->elements.chunk_count + chunk;
}

static void try_chunks(void *data, int32_t first, int32_t end)
{
    const StepTrials *trials = data;
    for (int32_t c = first; c < end; ++c)
        try_nodes(trials->device, c, trials->count, trials->steps, sums_of_chunk(trials->device, c));
}

static void try_steps(CpuDevice *device, int count, const double steps[NEWTON_TRIALS], TrialSums *sums)
{
    const Model *model = device->base.model;
    StepTrials trials = {device, count, steps};
    team_ranges(device->node_threads, device->node_chunks, TEAM_LIGHT_LEAST / NODES_PER_CHUNK, try_chunks,
                &trials);
    for (int32_t c = 0; c < device->node_chunks; ++c)
        trials_add(sums, count, sums_of_chunk(device, c));
    if (model->mass_block_count == 0)
        return;
    // Couplings of nodes: the same products as above, off the diagonal.
    double *offset = device->motion;
    const double *x = device->slots[SLOT_STAGE], *target = device->slots[SLOT_TARGET];
    const double *d = device->newton.direction, inverse = 1 / (device->stage.a * device->stage.a);
    for (size_t i = 0; i < 3 * (size_t)model->node_count; ++i)
        offset[i] = x[i] - target[i];
    const double linear = inverse * inertia_product(model, offset, d),
                 square = inverse * inertia_product(model, d, d);
    for (int t = 0; t < count; ++t)
        trial_add(sums, t, steps[t] * (linear + 0.5 * steps[t] * square), linear + steps[t] * square,
                  steps[t] * (fabs(linear) + 0.5 * steps[t] * fabs(square)));
}

const CpuTerm cpu_inertia_term = {.linearize = linearize, .try_steps = try_steps};
