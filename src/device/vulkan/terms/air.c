// The air sees vertices: each has a matrix B of the facets around it, in their order, and nodes gather from the vertices that they are a part of,
// in theirs; nothing is scattered. A stage has B once, another state elsewhere:
//
//     air_vertices (vertices: B)   air_linearize (nodes: B/t to their rows of the matrix, B u to the gradient)
//     air_trials (vertices: d.B u, d.B d)
//     air_vertices   air_nodes (nodes: sums of B u, powers)
#include "device/vulkan/terms/air.h"

#include "abi/air.h"
#include "device/vulkan/exact.h"
#include "device/vulkan/linear/matrix.h"
#include "device/vulkan/recording.h"
#include "gpu/transfer.h"

#include <string.h>

bool air_is_there(const Model *model)
{
    return model->scene->air.drag > 0 && model_surface_vertices(model) > 0;
}

/// Corners of triangles and segments of bodies.
static uint64_t corner_count(const Model *model)
{
    const ModelSurface *surface = &model->surface;
    return 3 * (uint64_t)surface->first_triangles[model->body_count] +
           2 * (uint64_t)surface->first_segments[model->body_count];
}

/// The matrix's entries that nodes of vertices share, row by row.
static uint64_t entry_count(const Model *model)
{
    const SurfaceMap *map = &model->surface.map;
    uint64_t count = 0;
    for (int32_t v = 0; v < model_surface_vertices(model); ++v) {
        const uint64_t nodes = (uint64_t)(map->starts[v + 1] - map->starts[v]);
        count += nodes * nodes;
    }
    return count;
}

void air_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT])
{
    const bool there = air_is_there(model);
    const uint64_t real = real_size(f64), vertices = there ? (uint64_t)model_surface_vertices(model) : 0;
    const uint64_t nodes = (uint64_t)model->node_count,
                   terms = there ? (uint64_t)model->surface.map.starts[vertices] : 0;
    const struct {
        BufferName name;
        const char *what;
        uint64_t size;
    } planned[] = {
        {BUFFER_AIR_STARTS, "starts of facets and of terms of the air", there * 4 * (vertices + nodes + 2)},
        {BUFFER_AIR_FACETS, "facets", there ? 4 * AIR_FACET_WORDS * corner_count(model) : 0},
        {BUFFER_AIR_FACTORS, "drag of vertices", real * vertices},
        {BUFFER_AIR_TERMS, "terms of the air", 4 * AIR_TERM_WORDS * terms},
        {BUFFER_AIR_ENTRIES, "entries of the air", there ? 4 * entry_count(model) : 0},
        {BUFFER_AIR_BLOCKS, "air's matrices", AIR_BLOCK_SIZE * real * vertices},
        {BUFFER_AIR_OTHER_BLOCKS, "air's matrices elsewhere", AIR_BLOCK_SIZE * real * vertices},
    };
    for (size_t k = 0; k < sizeof planned / sizeof *planned; ++k)
        defs[planned[k].name] = (GpuBufferDef){planned[k].what, planned[k].size, GPU_MEMORY_DEVICE, 0};
}

/// Turns counts at starts[i + 1] into starts.
static void sum_counts(uint32_t *starts, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        starts[i + 1] += starts[i];
}

/// Goes over the corners of facets in the order of the facets: counted in next[vertex + 1], or with `facets` listed where next[vertex] says.
static void list_facets(const ModelSurface *surface, int32_t body_count, uint32_t *next, uint32_t *facets)
{
    for (int32_t t = 0; t < surface->first_triangles[body_count]; ++t)
        for (int c = 0; c < 3; ++c) {
            const int32_t *own = surface->triangles[t];
            if (facets)
                memcpy(facets + AIR_FACET_WORDS * (size_t)next[own[c]]++, own, 3 * sizeof *own);
            else
                ++next[own[c] + 1];
        }
    for (int32_t s = 0; s < surface->first_segments[body_count]; ++s)
        for (int c = 0; c < 2; ++c) {
            const int32_t *own = surface->segments[s];
            if (facets) {
                uint32_t *facet = facets + AIR_FACET_WORDS * (size_t)next[own[c]]++;
                memcpy(facet, own, 2 * sizeof *own);
                facet[2] = AIR_SEGMENT;
            } else {
                ++next[own[c] + 1];
            }
        }
}

/// The same of the vertices of nodes, with the entries of their rows.
static void list_terms(const VulkanDevice *device, uint32_t *next, uint32_t *terms, uint32_t *entries)
{
    const Model *model = device->base.model;
    const SurfaceMap *map = &model->surface.map;
    uint32_t entry = 0;
    for (int32_t v = 0; v < model_surface_vertices(model); ++v)
        for (int32_t a = map->starts[v]; a < map->starts[v + 1]; ++a) {
            const int32_t row = map->nodes[a];
            if (!terms) {
                ++next[row + 1];
                continue;
            }
            uint32_t *term = terms + AIR_TERM_WORDS * (size_t)next[row]++;
            term[AIR_TERM_VERTEX] = (uint32_t)v;
            term[AIR_TERM_WEIGHT] = (uint32_t)a;
            term[AIR_TERM_ENTRIES] = entry;
            for (int32_t b = map->starts[v]; b < map->starts[v + 1]; ++b)
                entries[entry++] = model->node_is_free[row] ? matrix_entry(device, row, map->nodes[b]) : 0;
        }
}

/// Of each vertex what its facets are weighed by: drag/6 of triangles, drag times the radius of segments.
static VelaResult upload_factors(VulkanDevice *device, Arena *scratch)
{
    const Model *model = device->base.model;
    const ModelSurface *surface = &model->surface;
    const size_t vertices = (size_t)model_surface_vertices(model);
    void *factors;
    TRY(arena_allocate(scratch, vertices, real_size(device->f64), &factors));
    for (int32_t b = 0; b < model->body_count; ++b) {
        const bool is_cable = surface->first_segments[b + 1] > surface->first_segments[b];
        for (int32_t v = surface->first_vertices[b]; v < surface->first_vertices[b + 1]; ++v)
            real_store(device->f64, factors, (size_t)v,
                       model->scene->air.drag * (is_cable ? model->scene->bodies[b].radius : 1.0 / 6));
    }
    return gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_AIR_FACTORS), 0, factors,
                      vertices * real_size(device->f64));
}

VelaResult air_upload(VulkanDevice *device, Arena *scratch)
{
    const Model *model = device->base.model;
    if (!air_is_there(model))
        return VELA_OK;
    const size_t vertices = (size_t)model_surface_vertices(model), nodes = device->node_count,
                 starts_bytes = 4 * (vertices + nodes + 2),
                 terms = (size_t)model->surface.map.starts[vertices], corners = (size_t)corner_count(model),
                 own_entries = (size_t)entry_count(model);
    uint32_t *starts, *next, *facets, *listed, *entries;
    TRY(ARENA_ARRAY(scratch, starts, vertices + nodes + 2));
    TRY(ARENA_ARRAY(scratch, next, vertices + nodes + 2));
    TRY(ARENA_ARRAY(scratch, facets, AIR_FACET_WORDS * corners));
    TRY(ARENA_ARRAY(scratch, listed, AIR_TERM_WORDS * terms));
    TRY(ARENA_ARRAY(scratch, entries, own_entries));
    uint32_t *of_nodes = starts + vertices + 1;
    list_facets(&model->surface, model->body_count, starts, NULL);
    list_terms(device, of_nodes, NULL, NULL);
    sum_counts(starts, vertices);
    sum_counts(of_nodes, nodes);
    memcpy(next, starts, starts_bytes);
    list_facets(&model->surface, model->body_count, next, facets);
    list_terms(device, next + vertices + 1, listed, entries);
    const struct {
        BufferName name;
        const void *data;
        size_t bytes;
    } all[] = {{BUFFER_AIR_STARTS, starts, starts_bytes},
               {BUFFER_AIR_FACETS, facets, 4 * AIR_FACET_WORDS * corners},
               {BUFFER_AIR_TERMS, listed, 4 * AIR_TERM_WORDS * terms},
               {BUFFER_AIR_ENTRIES, entries, 4 * own_entries}};
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
        if (all[k].bytes > 0)
            TRY(gpu_upload(device->gpu, vulkan_buffer(device, all[k].name), 0, all[k].data, all[k].bytes));
    return upload_factors(device, scratch);
}

// ---------------------------------------------------------------- kernels

/// What all but the first have: 1/t, the wind, how nodes move. The rest is each one's own.
typedef struct AirPush {
    ExactNumber inverse, wind[3];
    uint32_t node_count, vertex_count, to, from, own[2];
} AirPush;

static AirPush push_of(const VulkanDevice *device, const NodeMotion *motion)
{
    const Model *model = device->base.model;
    AirPush push = {.node_count = device->node_count,
                    .vertex_count = (uint32_t)model_surface_vertices(model),
                    .to = motion->to,
                    .from = motion->from};
    exact_store(device->f64, &push.inverse, 0, 1 / motion->time);
    exact3_store(device->f64, push.wind, 0, model->scene->air.wind);
    return push;
}

static VelaResult record_blocks(VulkanDevice *device, KernelName kernel, Slot position)
{
    const uint32_t vertices = (uint32_t)model_surface_vertices(device->base.model),
                   push[] = {vertices, device->node_count, vulkan_slot(device, position)};
    return vulkan_run(device, &device->kernels[kernel], push, vertices);
}

VelaResult air_stage_set(VulkanDevice *device)
{
    return air_is_there(device->base.model) ? record_blocks(device, KERNEL_AIR_VERTICES, SLOT_STAGE)
                                            : VELA_OK;
}

VelaResult air_linearize(VulkanDevice *device)
{
    if (!air_is_there(device->base.model))
        return VELA_OK;
    const NodeMotion motion = stage_motion(device);
    AirPush push = push_of(device, &motion);
    push.own[0] = device->matrix.entry_count;
    return vulkan_run(device, &device->kernels[KERNEL_AIR_LINEARIZE], &push, device->node_count);
}

VelaResult air_trials(VulkanDevice *device, uint32_t halvings)
{
    if (!air_is_there(device->base.model))
        return VELA_OK;
    const NodeMotion motion = stage_motion(device);
    AirPush push = push_of(device, &motion);
    push.own[0] = halvings;
    return vulkan_run_sum(device, &device->kernels[KERNEL_AIR_TRIALS], &push, push.vertex_count);
}

VelaResult air_forces(VulkanDevice *device, Slot position, const NodeMotion *motion, bool adds,
                      uint32_t section)
{
    if (!air_is_there(device->base.model))
        return VELA_OK;
    AirPush push = push_of(device, motion);
    push.own[0] = adds;
    push.own[1] = section;
    TRY(record_blocks(device, KERNEL_AIR_OTHER_VERTICES, position));
    return vulkan_run_sum(device, &device->kernels[KERNEL_AIR_NODES], &push, device->node_count);
}
