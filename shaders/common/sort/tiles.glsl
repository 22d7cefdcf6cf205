// How items are spread over the workgroups of a scan or a sort. Include after common/invocation.glsl.
#ifndef COMMON_SORT_TILES_GLSL
#define COMMON_SORT_TILES_GLSL

#include "abi/sort.h"

/// Workgroups that take part.
uint tile_groups(uint count)
{
    return min(count / SORT_TILE + uint(count % SORT_TILE > 0u), uint(SORT_GROUPS_MOST));
}

/// The tiles of this workgroup, from x to before y.
uvec2 own_tiles(uint count)
{
    const uint tiles = count / SORT_TILE + uint(count % SORT_TILE > 0u), groups = tile_groups(count);
    const uint each = tiles / groups + uint(tiles % groups > 0u), first = group_number() * each;
    return uvec2(first, min(first + each, tiles));
}

#endif
