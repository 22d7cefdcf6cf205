#include "device/cpu/newton/patch.h"

#include <math.h>

/// A patch has the nodes with a component of this much of the direction's largest one, and there is one where these are no more than this
/// part of the free nodes. (bench/README.md has what others give.)
static const double PATCH_MOTION = 0.1, PATCH_PART = 0.25;

/// Models of fewer nodes have none: a direction of all of them costs hardly more.
enum { PATCH_NODES_LEAST = 500 };

static int32_t most_rows(const Model *model)
{
    const int32_t free = model->order.free_count;
    return free < PATCH_NODES_LEAST ? 0 : (int32_t)(PATCH_PART * free);
}

VelaResult cpu_patch_create(CpuDevice *device, Arena *arena)
{
    const Model *model = device->base.model;
    const int32_t most = most_rows(model);
    NewtonPatch *patch;
    if (most == 0)
        return VELA_OK;
    TRY(ARENA_ARRAY(arena, patch, 1));
    patch->most = most;
    TRY(ARENA_ARRAY(arena, patch->rows, most + BODY_NODES));
    TRY(ARENA_ARRAY(arena, patch->chunks, device->elements.chunk_count));
    if (device->barrier)
        TRY(ARENA_ARRAY(arena, patch->vertices, model->surface.map.vertex_count));
    device->newton.patch = patch;
    return patch_solver_create(device->base.context, model->scene->solver.preconditioner, device->kernels,
                               &device->newton.matrix, most, device->node_threads, &patch->solver);
}

void cpu_patch_destroy(CpuDevice *device)
{
    if (device->newton.patch)
        patch_solver_destroy(device->newton.patch->solver);
}

size_t cpu_patch_memory(const Model *model)
{
    const int32_t most = most_rows(model);
    return most == 0 ? 0
                     : sizeof(NewtonPatch) + sizeof(int32_t) * (size_t)most +
                           (size_t)model->element_count / (LANE_COUNT * BUNDLES_PER_CHUNK) +
                           (size_t)model->surface.map.vertex_count +
                           patch_solver_memory(model->node_count, model->order.coupled_count, most);
}

static bool moves(const double *d, double least)
{
    return fabs(d[0]) > least || fabs(d[1]) > least || fabs(d[2]) > least;
}

int32_t cpu_patch_choose(CpuDevice *device, double largest)
{
    NewtonPatch *patch = device->newton.patch;
    const NodeOrder *order = &device->base.model->order;
    const double *d = device->newton.solution, least = PATCH_MOTION * largest;
    if (!patch)
        return 0;
    patch->count = 0;
    patch->is_spread = false;
    int32_t count = 0;
    for (int32_t row = 0; row < order->free_count && count <= patch->most;) {
        const int32_t nodes = row < order->coupled_count ? BODY_NODES : 1;
        bool moving = false;
        for (int32_t i = row; i < row + nodes; ++i)
            moving |= moves(d + 3 * (size_t)i, least);
        for (int32_t i = row; moving && i < row + nodes; ++i)
            patch->rows[count++] = i;
        row += nodes;
    }
    if (count > patch->most)
        return 0;
    patch->count = count;
    return count;
}

static void mark_chunks(CpuDevice *device, const int32_t *index)
{
    const CpuElements *elements = &device->elements;
    const int32_t *places = device->base.model->order.places;
    uint8_t *marks = device->newton.patch->chunks;
#pragma omp parallel for schedule(static) num_threads(device->threads)
    for (int32_t c = 0; c < elements->chunk_count; ++c) {
        const ElementChunk *chunk = &elements->chunks[c];
        const ElementBundles *bundles = &elements->groups[chunk->kind];
        const int32_t corners = bundles->kind->corners;
        marks[c] = 0;
        for (int32_t k = corners * chunk->first; k < corners * chunk->end && !marks[c]; ++k)
            for (int lane = 0; lane < LANE_COUNT; ++lane)
                marks[c] |= index[places[bundles->nodes[k][lane]]] >= 0;
    }
}

static void mark_vertices(CpuDevice *device, const int32_t *index)
{
    const Model *model = device->base.model;
    const SurfaceMap *map = &model->surface.map;
    uint8_t *marks = device->newton.patch->vertices;
    for (int32_t v = 0; v < map->vertex_count; ++v) {
        marks[v] = 0;
        for (int32_t i = map->starts[v]; i < map->starts[v + 1]; ++i)
            marks[v] |= index[model->order.places[map->nodes[i]]] >= 0;
    }
}

void cpu_patch_enter(CpuDevice *device)
{
    NewtonPatch *patch = device->newton.patch;
    if (!patch->is_spread) {
        patch_solver_set(patch->solver, patch->count, patch->rows);
        const int32_t *index = patch_solver_index(patch->solver);
        mark_chunks(device, index);
        if (patch->vertices)
            mark_vertices(device, index);
        patch->is_spread = true;
    }
    device->newton.moving_chunks = patch->chunks;
    if (device->barrier)
        barrier_limit(device->barrier, patch->vertices);
}

void cpu_patch_leave(CpuDevice *device)
{
    device->newton.moving_chunks = NULL;
    if (device->barrier)
        barrier_limit(device->barrier, NULL);
}
