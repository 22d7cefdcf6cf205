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

/// Where entry (row, column) of the W of a cluster is, column <= row.
uint cluster_root_place(uint cluster, uint row, uint column)
{
    return CLUSTER_ROOT_SIZE * cluster + column * (2u * COARSE_MODES + 1u - column) / 2u + row - column;
}

#endif
