// The coarse space (abi/coarse.h). Declare group_count and chunks_per_group before, for coarse_chunk free_count and coupled_count too.
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
/// number `unknown`. Define `apart` before.
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

/// Places of the groups' order that chunk number `chunk` has: from the first to before the second.
uvec2 coarse_chunk(uint chunk)
{
    const uint group = chunk / chunks_per_group, part = chunk % chunks_per_group;
    const uint first = whole_bodies(group * free_count / group_count);
    const uint count = whole_bodies((group + 1u) * free_count / group_count) - first;
    return uvec2(whole_bodies(first + part * count / chunks_per_group),
                 whole_bodies(first + (part + 1u) * count / chunks_per_group));
}

#endif
