// Last part of a scan: every value becomes the sum of those before it.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
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
        const uint first = tile * SORT_TILE + gl_LocalInvocationIndex * SORT_ITEMS;
        uint value[SORT_ITEMS], sum = 0u, total;
        [[unroll]] for (uint k = 0u; k < SORT_ITEMS; ++k) // all loads under way together
            value[k] = values[min(first + k, count - 1u)];
        [[unroll]] for (uint k = 0u; k < SORT_ITEMS; ++k)
            sum += first + k < count ? value[k] : 0u;
        sum = before + workgroup_scan(sum, total);
        [[unroll]] for (uint k = 0u; k < SORT_ITEMS; ++k) {
            if (first + k < count)
                values[first + k] = sum;
            sum += value[k];
        }
        before += total;
    }
}
