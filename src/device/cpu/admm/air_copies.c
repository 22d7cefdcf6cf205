#include "device/cpu/admm/air_copies.h"

#include "device/cpu/terms/air.h"

#include "base/matrix3.h"
#include "model/air_copies.h"

#include <math.h>
#include <string.h>

static int32_t depth_of(const SolverDef *solver)
{
    return solver->anderson ? solver->depth : 0;
}

VelaResult air_copies_create(CpuDevice *device, Arena *arena)
{
    const Model *model = device->base.model;
    const int32_t count = model_surface_vertices(model);
    AirCopies *copies;
    if (!model_has_air_copies(model))
        return VELA_OK;
    TRY(ARENA_ARRAY(arena, copies, 1));
    copies->count = count;
    double **vectors[] = {&copies->target,   &copies->state, &copies->projected,
                          &copies->residual, &copies->image, &copies->multiplier};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i)
        TRY(ARENA_ARRAY(arena, *vectors[i], 3 * (size_t)count));
    for (int32_t j = 0; j < depth_of(&model->scene->solver); ++j) {
        TRY(ARENA_ARRAY(arena, copies->residual_differences[j], 3 * (size_t)count));
        TRY(ARENA_ARRAY(arena, copies->image_differences[j], 3 * (size_t)count));
    }
    TRY(ARENA_ARRAY(arena, copies->shares, count));
    TRY(ARENA_ARRAY(arena, copies->weights, count));
    TRY(ARENA_ARRAY(arena, copies->response, count));
    model_air_shares(model, copies->shares);
    copies->length = model_air_length(model, copies->shares);
    device->admm.air = copies;
    return VELA_OK;
}

size_t air_copies_memory(const Model *model)
{
    const size_t vectors = 6 + 2 * (size_t)depth_of(&model->scene->solver);
    return model_has_air_copies(model)
               ? 8 * (3 * vectors + 11) * (size_t)model_surface_vertices(model) +
                     (model_air_couples_nodes(model) ? 8 * (size_t)model->row_start[model->node_count] : 0)
               : 0;
}

static bool moves(const CpuDevice *device, int32_t vertex)
{
    return device->base.model->surface.map.is_free[vertex];
}

// Weights, and what the matrix sees of them.
static void set_weights(CpuDevice *device)
{
    const Model *model = device->base.model;
    AirCopies *copies = device->admm.air;
    AdmmData *admm = &device->admm;
    if (admm->coupling)
        memset(admm->coupling, 0, (size_t)model->row_start[model->node_count] * sizeof *admm->coupling);
    model_air_weights(model, copies->shares, device->stage.a, cpu_stage_time(device), copies->weights);
    model_air_matrix(model, copies->weights, admm->diagonal, admm->coupling);
}

static void admm_begin(CpuDevice *device)
{
    const SurfaceMap *map = &device->base.model->surface.map;
    AirCopies *copies = device->admm.air;
    set_weights(device);
    for (int32_t v = 0; v < copies->count; ++v) {
        double matrix[9], inverse[9], *image = copies->image + 3 * (size_t)v;
        if (!moves(device, v))
            continue;
        for (int k = 0; k < 9; ++k)
            matrix[k] =
                device->air->stage[v][k] / cpu_stage_time(device) + (k % 4 == 0 ? copies->weights[v] : 0);
        matrix3_inverse(matrix, inverse);
        matrix3_multiply(inverse, device->air->stage[v], copies->response[v]);
        surface_map_vertex(map, v, device->slots[SLOT_TARGET], copies->target + 3 * (size_t)v);
        surface_map_vertex(map, v, device->slots[SLOT_STAGE], image);
        add_scaled3(image, 1 / copies->weights[v], copies->multiplier + 3 * (size_t)v, image);
    }
}

// Z = S - (weight + B/t)^-1 B ((S - xp)/t - wind)
static void project(const CpuDevice *device, int32_t vertex)
{
    const AirCopies *copies = device->admm.air;
    const size_t at = 3 * (size_t)vertex;
    double base[3], against[3], lost[3];
    surface_map_vertex(&device->base.model->surface.map, vertex, device->slots[SLOT_BASE_POSITION], base);
    for (int k = 0; k < 3; ++k)
        against[k] = (copies->state[at + (size_t)k] - base[k]) / cpu_stage_time(device) -
                     device->base.model->scene->air.wind[k];
    matrix3_apply(copies->response[vertex], against, lost);
    subtract3(copies->state + at, lost, copies->projected + at);
}

static void admm_add_right(CpuDevice *device)
{
    const SurfaceMap *map = &device->base.model->surface.map;
    AirCopies *copies = device->admm.air;
    const Mixing *mixing = &device->admm.mixing;
    for (int32_t v = 0; v < copies->count; ++v) {
        double push[3], before[3];
        if (!moves(device, v))
            continue;
        memcpy(before, copies->projected + 3 * (size_t)v, sizeof before);
        for (size_t i = 3 * (size_t)v; i < 3 * (size_t)v + 3; ++i) {
            copies->state[i] = copies->image[i];
            for (int32_t j = 0; j < mixing->depth; ++j)
                copies->state[i] -= mixing->weights[j] * copies->image_differences[j][i];
        }
        project(device, v);
        for (int k = 0; k < 3; ++k) {
            const size_t i = 3 * (size_t)v + (size_t)k;
            push[k] = copies->weights[v] * ((copies->projected[i] - copies->state[i]) +
                                            (copies->projected[i] - copies->target[i]));
        }
        surface_map_pull_back(map, v, push, device->admm.right);
    }
}

static void admm_residual(CpuDevice *device, int32_t newest, int32_t depth, ResidualSums *sums,
                          AdmmReport *report)
{
    const SurfaceMap *map = &device->base.model->surface.map;
    AirCopies *copies = device->admm.air;
    const double tolerance = device->admm.settings.tolerance;
    double residual_sq = 0, moved_sq = 0;
    size_t numbers = 0;
    for (int32_t v = 0; v < copies->count; ++v) {
        double moved[3];
        if (!moves(device, v))
            continue;
        surface_map_vertex(map, v, device->admm.delta, moved);
        numbers += 3;
        for (int k = 0; k < 3; ++k) {
            const size_t i = 3 * (size_t)v + (size_t)k;
            const double residual = (copies->target[i] - copies->projected[i]) + moved[k],
                         image = copies->state[i] + residual, weight = copies->weights[v];
            if (newest >= 0) {
                copies->residual_differences[newest][i] = residual - copies->residual[i];
                copies->image_differences[newest][i] = image - copies->image[i];
            }
            copies->residual[i] = residual;
            copies->image[i] = image;
            residual_sq += residual * residual;
            moved_sq += moved[k] * moved[k];
            sums->weighted_sq += weight * residual * residual;
            for (int32_t j = 0; j < depth; ++j) {
                const double difference = copies->residual_differences[j][i];
                sums->newest[j] += weight * difference * copies->residual_differences[newest][i];
                sums->current[j] += weight * difference * residual;
            }
        }
    }
    const double bound = tolerance * (sqrt((double)numbers) * copies->length + sqrt(moved_sq));
    report->converged = report->converged && residual_sq <= bound * bound;
}

static void admm_scatter(CpuDevice *device, double a, double b, double c, double *forces)
{
    const AirCopies *copies = device->admm.air;
    for (int32_t v = 0; v < copies->count; ++v) {
        double push[3];
        if (!moves(device, v))
            continue;
        for (int k = 0; k < 3; ++k) {
            const size_t i = 3 * (size_t)v + (size_t)k;
            push[k] = copies->weights[v] *
                      (a * copies->state[i] + b * copies->projected[i] + c * copies->residual[i]);
        }
        surface_map_pull_back(&device->base.model->surface.map, v, push, forces);
    }
}

static void admm_end(CpuDevice *device)
{
    AirCopies *copies = device->admm.air;
    for (size_t i = 0; i < 3 * (size_t)copies->count; ++i)
        copies->multiplier[i] =
            copies->weights[i / 3] * (copies->state[i] - copies->projected[i] + copies->residual[i]);
}

const CpuTerm cpu_air_copies_term = {
    .admm_begin = admm_begin,
    .admm_add_right = admm_add_right,
    .admm_residual = admm_residual,
    .admm_scatter = admm_scatter,
    .admm_end = admm_end,
};

size_t air_copies_state_size(const CpuDevice *device)
{
    return device->admm.air ? 3 * (size_t)device->admm.air->count : 0;
}

void air_copies_state_read(const CpuDevice *device, double *values)
{
    if (air_copies_state_size(device) > 0)
        memcpy(values, device->admm.air->multiplier, air_copies_state_size(device) * sizeof *values);
}

void air_copies_state_write(CpuDevice *device, const double *values)
{
    if (air_copies_state_size(device) > 0)
        memcpy(device->admm.air->multiplier, values, air_copies_state_size(device) * sizeof *values);
}
