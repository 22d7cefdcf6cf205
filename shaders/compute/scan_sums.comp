// First part of a scan: the sum of each workgroup's tiles.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Counts { uint counts[]; };
layout(scalar, set = 0, binding = 1) writeonly buffer Work { uint work[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Values { uint values[]; };
layout(push_constant) uniform Push { uint count_place; };

#include "common/invocation.glsl"
#include "common/sort/tiles.glsl"
#include "common/sort/workgroup_scan.glsl"

void main()
{
    const uint count = counts[count_place];
    if (group_number() >= tile_groups(count))
        return;
    const uvec2 tiles = own_tiles(count);
    const uint end = min(tiles.y * SORT_TILE, count);
    uint sum = 0u, total;
    for (uint i = tiles.x * SORT_TILE + gl_LocalInvocationIndex; i < end; i += SORT_GROUP)
        sum += values[i];
    workgroup_scan(sum, total);
    if (gl_LocalInvocationIndex == 0u)
        work[group_number()] = total;
}
