// The coarse space (abi/coarse.h). Declare the words of common/linear_push.glsl before.
#ifndef COMMON_COARSE_GLSL
#define COMMON_COARSE_GLSL

#include "abi/coarse.h"
#include "common/real.glsl"

/// Unknowns of all groups.
uint coarse_size()
{
    return COARSE_MODES * group_count;
}

/// Motions of a group, from the first to before the second, that the inverse of the coarse matrix' factor has something of in row or column
/// number `unknown`.
uvec2 coarse_motions_with(uint unknown)
{
    const uint first = apart != 0u ? unknown % COARSE_MODES / 4u * 4u : 0u;
    return uvec2(first, apart != 0u ? first + 4u : COARSE_MODES);
}

/// The first `place` of a body, where that is one of a body's four.
uint whole_bodies(uint place)
{
    return place < coupled_count ? place & ~3u : place;
}

/// Places of a group: from the first to before the second.
uvec2 coarse_group(uint group)
{
    return uvec2(whole_bodies(group * free_count / group_count),
                 whole_bodies((group + 1u) * free_count / group_count));
}

/// Where a chunk begins that has `part` of its group's chunks before it: with a cluster.
uint chunk_begin(uvec2 group, uint part)
{
    const uint clusters = (group.y - group.x + CLUSTER_NODES - 1u) / CLUSTER_NODES;
    return min(group.x + CLUSTER_NODES * (part * clusters / chunks_per_group), group.y);
}

/// Where entry (row, column) of the W of a cluster is, column <= row.
uint cluster_root_place(uint cluster, uint row, uint column)
{
    return CLUSTER_ROOT_SIZE * cluster + column * (2u * COARSE_MODES + 1u - column) / 2u + row - column;
}

/// Places of chunk number `chunk`: from the first to before the second.
uvec2 coarse_chunk(uint chunk)
{
    const uvec2 group = coarse_group(chunk / chunks_per_group);
    const uint part = chunk % chunks_per_group;
    return uvec2(chunk_begin(group, part), chunk_begin(group, part + 1u));
}

#endif
