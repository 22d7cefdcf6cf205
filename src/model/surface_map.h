/// How the vertices of surfaces follow from nodes: each is a fixed weighted sum of at most four of them. The vertices of a solid
/// are nodes themselves, those of a body with few unknowns under a fine surface are not. Contact, friction and verification
/// see vertices alone, and what they find goes back through the same weights: a force on a vertex is weight times that force
/// on each of its nodes.
#ifndef MODEL_SURFACE_MAP_H
#define MODEL_SURFACE_MAP_H

#include "base/arena.h"

#include <stdbool.h>
#include <string.h>

/// Most nodes of a vertex.
enum { SURFACE_NODES_MOST = 4 };

/// Entries starts[v] to starts[v + 1] belong to vertex v.
typedef struct SurfaceMap {
    int32_t vertex_count;
    int32_t *starts; ///< vertex_count + 1
    int32_t *nodes;
    double *weights;  ///< none is 0, those of a vertex sum to 1
    uint8_t *is_free; ///< vertex_count: 1 where any of the nodes moves freely
    int32_t most;     ///< nodes of the vertex that has most of them; 1: every vertex is a node
} SurfaceMap;

/// Room for `vertices` with `entries` nodes in all; the map is empty.
VelaResult surface_map_create(Arena *arena, int32_t vertices, int32_t entries, SurfaceMap *map);
/// Appends a vertex, a weighted sum of `count` nodes, each named once. Weights of 0 are left out.
void surface_map_add(SurfaceMap *map, int count, const int32_t *nodes, const double *weights,
                     const uint8_t *node_is_free);

/// out = what a vertex has of values at nodes (3 each): its position, motion or velocity. A vertex that is a node has its very
/// values.
static inline void surface_map_vertex(const SurfaceMap *map, int32_t vertex, const double *values,
                                      double out[3])
{
    const int32_t first = map->starts[vertex], end = map->starts[vertex + 1];
    const double *value = values + 3 * (size_t)map->nodes[first];
    for (int k = 0; k < 3; ++k)
        out[k] = map->weights[first] * value[k];
    for (int32_t i = first + 1; i < end; ++i) {
        value = values + 3 * (size_t)map->nodes[i];
        for (int k = 0; k < 3; ++k)
            out[k] += map->weights[i] * value[k];
    }
}

/// Of the vertices first <= v < end, to their places in out (vertex_count x 3).
static inline void surface_map_apply_range(const SurfaceMap *map, int32_t first, int32_t end,
                                           const double *values, double *out)
{
    if (map->most == 1) // nothing to weigh: entry v is vertex v
        for (int32_t v = first; v < end; ++v)
            memcpy(out + 3 * (size_t)v, values + 3 * (size_t)map->nodes[v], 3 * sizeof *out);
    else
        for (int32_t v = first; v < end; ++v)
            surface_map_vertex(map, v, values, out + 3 * (size_t)v);
}

/// Of all vertices.
static inline void surface_map_apply(const SurfaceMap *map, const double *values, double *out)
{
    surface_map_apply_range(map, 0, map->vertex_count, values, out);
}

/// The transpose: adds a gradient at a vertex (3) to that at nodes (3 each).
static inline void surface_map_pull_back(const SurfaceMap *map, int32_t vertex, const double gradient[3],
                                         double *nodes)
{
    for (int32_t i = map->starts[vertex]; i < map->starts[vertex + 1]; ++i)
        for (int k = 0; k < 3; ++k)
            nodes[3 * (size_t)map->nodes[i] + (size_t)k] += map->weights[i] * gradient[k];
}

/// The node that a vertex is, -1 for one that is a sum of several.
static inline int32_t surface_map_node(const SurfaceMap *map, int32_t vertex)
{
    return map->starts[vertex + 1] - map->starts[vertex] == 1 ? map->nodes[map->starts[vertex]] : -1;
}

/// What collides: the surfaces of bodies, whatever the contact, and behind them the obstacles' vertices where they are nodes
/// (model/contact.h).
typedef struct ModelSurface {
    SurfaceMap map;
    int32_t *first_vertices;  ///< body_count + 1: of each body, copy after copy; the last is the obstacles'
    int32_t *first_triangles; ///< body_count + 1
    int32_t triangle_count;   ///< of bodies and obstacles
    int32_t (*triangles)[3];  ///< vertices, outward
    int32_t *first_segments;  ///< body_count + 1: of cables, copy after copy
    int32_t segment_count;    ///< of cables; they are edges of no triangle
    int32_t (*segments)[2];   ///< vertices
} ModelSurface;

#endif
