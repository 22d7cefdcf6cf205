// How items are spread over the workgroups of a scan or a sort. Include after common/invocation.glsl.
#ifndef COMMON_SORT_TILES_GLSL
#define COMMON_SORT_TILES_GLSL

#include "abi/sort.h"

uint tile_count(uint count)
{
    return count / SORT_TILE + uint(count % SORT_TILE > 0u);
}

/// Workgroups that take part, at least one.
uint tile_groups(uint count)
{
    return clamp(tile_count(count), 1u, uint(SORT_GROUPS_MOST));
}

/// Tiles of a workgroup; the last ones have fewer.
uint tiles_each(uint count)
{
    const uint tiles = tile_count(count), groups = tile_groups(count);
    return tiles / groups + uint(tiles % groups > 0u);
}

/// The tiles of this workgroup, from x to before y.
uvec2 own_tiles(uint count)
{
    const uint each = tiles_each(count), first = group_number() * each;
    return uvec2(first, min(first + each, tile_count(count)));
}

#endif
