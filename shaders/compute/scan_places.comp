// Last part of a scan: every value becomes the sum of those before it.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Counts { uint counts[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Work { uint work[]; };
layout(scalar, set = 0, binding = 2) buffer Values { uint values[]; };
layout(push_constant) uniform Push { uint count_place, total_place; };

#include "common/invocation.glsl"
#include "common/sort/tiles.glsl"
#include "common/sort/workgroup_scan.glsl"

void main()
{
    const uint count = counts[count_place], groups = tile_groups(count);
    if (group_number() >= groups)
        return;
    const uvec2 tiles = own_tiles(count);
    uint before;
    workgroup_scan(gl_LocalInvocationIndex < group_number() ? work[gl_LocalInvocationIndex] : 0u, before);
    for (uint tile = tiles.x; tile < tiles.y; ++tile) {
        const uint first = tile * SORT_TILE + gl_LocalInvocationIndex * SORT_ITEMS;
        uvec4 found;
        uint total;
        for (uint i = 0u; i < SORT_ITEMS; ++i)
            found[i] = first + i < count ? values[first + i] : 0u;
        uint sum = before + workgroup_scan(found.x + found.y + found.z + found.w, total);
        for (uint i = 0u; i < SORT_ITEMS; ++i) {
            if (first + i < count)
                values[first + i] = sum;
            sum += found[i];
        }
        before += total;
    }
    if (group_number() + 1u == groups && gl_LocalInvocationIndex == 0u && total_place != SORT_NO_TOTAL)
        counts[total_place] = before;
}
