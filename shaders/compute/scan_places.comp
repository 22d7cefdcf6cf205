// Last part of a scan: every value becomes the sum of those before it.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Counts { uint counts[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Work { uint work[]; };
layout(scalar, set = 0, binding = 2) buffer Values { uint values[]; };
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
    uint before = work[SORT_PARTIALS + group_number()];
    for (uint tile = tiles.x; tile < tiles.y; ++tile) {
        const uint first = min(tile * SORT_TILE + gl_LocalInvocationIndex * SORT_ITEMS, count),
                   end = min(first + SORT_ITEMS, count);
        uint sum = 0u, total;
        for (uint i = first; i < end; ++i)
            sum += values[i];
        sum = before + workgroup_scan(sum, total);
        for (uint i = first; i < end; ++i) {
            const uint value = values[i];
            values[i] = sum;
            sum += value;
        }
        before += total;
    }
}
