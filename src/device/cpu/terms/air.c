#include "device/cpu/terms/air.h"

#include "base/matrix3.h"
#include "physics/dissipation/air.h"

#include <string.h>

void cpu_air_blocks(const Model *model, const double *x, double (*B)[9])
{
    const ModelSurface *surface = &model->surface;
    const double drag = model->scene->air.drag;
    memset(B, 0, (size_t)model_surface_vertices(model) * sizeof *B);
    for (int32_t b = 0; b < model->body_count; ++b) {
        for (int32_t t = surface->first_triangles[b]; t < surface->first_triangles[b + 1]; ++t) {
            double at[3][3], own[9] = {0};
            for (int c = 0; c < 3; ++c)
                surface_map_vertex(&surface->map, surface->triangles[t][c], x, at[c]);
            air_triangle(drag, at[0], at[1], at[2], own);
            for (int k = 0; k < 27; ++k)
                B[surface->triangles[t][k / 9]][k % 9] += own[k % 9];
        }
        for (int32_t s = surface->first_segments[b]; s < surface->first_segments[b + 1]; ++s) {
            double at[2][3], own[9] = {0};
            for (int c = 0; c < 2; ++c)
                surface_map_vertex(&surface->map, surface->segments[s][c], x, at[c]);
            air_segment(drag, model->scene->bodies[b].radius, at[0], at[1], own);
            for (int k = 0; k < 18; ++k)
                B[surface->segments[s][k / 9]][k % 9] += own[k % 9];
        }
    }
}

VelaResult cpu_air_create(CpuDevice *device, Arena *arena)
{
    const Model *model = device->base.model;
    CpuAir *air;
    if (!(model->scene->air.drag > 0))
        return VELA_OK;
    TRY(ARENA_ARRAY(arena, air, 1));
    TRY(ARENA_ARRAY(arena, air->stage, model_surface_vertices(model)));
    TRY(ARENA_ARRAY(arena, air->other, model_surface_vertices(model)));
    TRY(ARENA_ARRAY(arena, air->force, 3 * (size_t)model->node_count));
    device->air = air;
    return VELA_OK;
}

size_t cpu_air_memory(const Model *model)
{
    return model->scene->air.drag > 0
               ? 8 * (2 * 9 * (size_t)model_surface_vertices(model) + 3 * (size_t)model->node_count)
               : 0;
}

static VelaResult begin_stage(CpuDevice *device)
{
    cpu_air_blocks(device->base.model, device->slots[SLOT_STAGE], device->air->stage);
    return VELA_OK;
}

// A vertex's velocity against the wind, and its force B u.
static void vertex_force(const Model *model, int32_t vertex, const double B[9], const double *v,
                         double against[3], double force[3])
{
    surface_map_vertex(&model->surface.map, vertex, v, against);
    subtract3(against, model->scene->air.wind, against);
    matrix3_apply(B, against, force);
}

static VelaResult add_damping(CpuDevice *device, const double *x, const double *v, double *gradient,
                              double duration, DissipationLoss *loss)
{
    const Model *model = device->base.model;
    CpuAir *air = device->air;
    cpu_air_blocks(model, x, air->other);
    memset(air->force, 0, 3 * (size_t)model->node_count * sizeof *air->force);
    for (int32_t i = 0; i < model_surface_vertices(model); ++i) {
        double against[3], force[3];
        vertex_force(model, i, air->other[i], v, against, force);
        surface_map_pull_back(&model->surface.map, i, force, air->force);
        if (!loss)
            continue;
        const double taken = duration * dot3(against, force);
        loss->by_damping[DAMPING_AIR] += taken;
        loss->all += taken;
        loss->driven -= duration * dot3(model->scene->air.wind, force);
    }
    for (int32_t i = 0; i < model->node_count; ++i) {
        const size_t at = 3 * (size_t)i;
        add_scaled3(gradient + at, 1, air->force + at, gradient + at);
        if (loss && model->node_is_free[i])
            loss->free += duration * dot3(air->force + at, v + at);
    }
    return VELA_OK;
}

static VelaResult add_dissipation(CpuDevice *device, double *gradient)
{
    const Model *model = device->base.model;
    const double *x = device->slots[SLOT_STAGE], *base = device->slots[SLOT_BASE_POSITION];
    cpu_air_blocks(model, x, device->air->other);
    for (int32_t i = 0; i < model_surface_vertices(model); ++i) {
        double place[3], before[3], against[3], force[3];
        surface_map_vertex(&model->surface.map, i, x, place);
        surface_map_vertex(&model->surface.map, i, base, before);
        for (int k = 0; k < 3; ++k)
            against[k] = (place[k] - before[k]) / cpu_stage_time(device) - model->scene->air.wind[k];
        matrix3_apply(device->air->other[i], against, force);
        surface_map_pull_back(&model->surface.map, i, force, gradient);
    }
    return VELA_OK;
}

// ---------------------------------------------------------------- Newton's method

// The iterate's force at a vertex.
static void stage_force(const CpuDevice *device, int32_t vertex, double force[3])
{
    const Model *model = device->base.model;
    double place[3], before[3], against[3];
    surface_map_vertex(&model->surface.map, vertex, device->slots[SLOT_STAGE], place);
    surface_map_vertex(&model->surface.map, vertex, device->slots[SLOT_BASE_POSITION], before);
    for (int k = 0; k < 3; ++k)
        against[k] = (place[k] - before[k]) / cpu_stage_time(device) - model->scene->air.wind[k];
    matrix3_apply(device->air->stage[vertex], against, force);
}

// The blocks weight_a weight_b B/t of every two of a vertex's free nodes, which lie in one element; those below the diagonal are filled
// from the ones above.
static void add_blocks(CpuDevice *device, int32_t vertex, const double force[3])
{
    const Model *model = device->base.model;
    const SurfaceMap *map = &model->surface.map;
    NewtonData *newton = &device->newton;
    const double inverse = 1 / cpu_stage_time(device);
    for (int32_t a = map->starts[vertex]; a < map->starts[vertex + 1]; ++a) {
        const int32_t row = model->order.places[map->nodes[a]];
        if (row >= model->order.free_count)
            continue;
        double *gradient = newton->gradient + 3 * (size_t)row;
        add_scaled3(gradient, map->weights[a], force, gradient);
        for (int32_t b = map->starts[vertex]; b < map->starts[vertex + 1]; ++b) {
            const int32_t column = model->order.places[map->nodes[b]];
            if (column < row || column >= model->order.free_count)
                continue;
            const int32_t block = column == row ? newton->matrix.diagonal[row]
                                                : block_matrix_find(&newton->matrix, row, column);
            double *values = newton->matrix.values + 9 * (size_t)block;
            for (int k = 0; k < 9; ++k)
                values[k] += map->weights[a] * map->weights[b] * inverse * device->air->stage[vertex][k];
        }
    }
}

static VelaResult linearize(CpuDevice *device, bool project)
{
    (void)project; // positive semidefinite as it is
    for (int32_t i = 0; i < model_surface_vertices(device->base.model); ++i) {
        double force[3];
        stage_force(device, i, force);
        add_blocks(device, i, force);
    }
    return VELA_OK;
}

static void try_steps(CpuDevice *device, int count, const double steps[NEWTON_TRIALS], TrialSums *sums)
{
    const Model *model = device->base.model;
    double slope = 0, curvature = 0, magnitude = 0;
    for (int32_t i = 0; i < model_surface_vertices(model); ++i) {
        double force[3], motion[3], image[3];
        stage_force(device, i, force);
        surface_map_vertex(&model->surface.map, i, device->newton.direction, motion);
        matrix3_apply(device->air->stage[i], motion, image);
        slope += dot3(force, motion);
        magnitude += fabs(dot3(force, motion));
        curvature += dot3(image, motion) / cpu_stage_time(device);
    }
    for (int i = 0; i < count; ++i)
        trial_add(sums, i, steps[i] * (slope + 0.5 * steps[i] * curvature), slope + steps[i] * curvature,
                  steps[i] * (magnitude + 0.5 * steps[i] * curvature));
}

const CpuTerm cpu_air_term = {
    .begin_stage = begin_stage,
    .add_dissipation = add_dissipation,
    .add_damping = add_damping,
    .linearize = linearize,
    .try_steps = try_steps,
};
