#include "model/surface_map.h"

VelaResult surface_map_create(Arena *arena, int32_t vertices, int32_t entries, SurfaceMap *map)
{
    *map = (SurfaceMap){.most = 1};
    TRY(ARENA_ARRAY(arena, map->starts, (size_t)vertices + 1));
    TRY(ARENA_ARRAY(arena, map->nodes, entries));
    TRY(ARENA_ARRAY(arena, map->weights, entries));
    return ARENA_ARRAY(arena, map->is_free, vertices);
}

void surface_map_add(SurfaceMap *map, int count, const int32_t *nodes, const double *weights,
                     const uint8_t *node_is_free)
{
    const int32_t vertex = map->vertex_count++, first = map->starts[vertex];
    int32_t next = first;
    for (int i = 0; i < count; ++i) {
        if (weights[i] == 0)
            continue;
        map->nodes[next] = nodes[i];
        map->weights[next++] = weights[i];
        map->is_free[vertex] |= node_is_free[nodes[i]];
    }
    map->starts[vertex + 1] = next;
    map->most = next - first > map->most ? next - first : map->most;
}
