// Before a sort's first pass: how often each workgroup's tiles have each digit.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Counts { uint counts[]; };
layout(scalar, set = 0, binding = 1) writeonly buffer Work { uint work[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Keys { uint keys[]; };
layout(push_constant) uniform Push { uint count_place, key_words, digit_bits; };

#include "common/invocation.glsl"
#include "common/sort/digit.glsl"
#include "common/sort/tiles.glsl"

#define COPIES 4 /* so that fewer invocations count in the same place */

shared uint found[COPIES * SORT_DIGITS];

void main()
{
    const uint count = counts[count_place], own = gl_LocalInvocationIndex;
    if (group_number() >= tile_groups(count))
        return;
    for (uint copy = 0u; copy < COPIES; ++copy)
        found[copy * SORT_DIGITS + own] = 0u;
    barrier();
    const uvec2 tiles = own_tiles(count);
    const uint end = min(tiles.y * SORT_TILE, count);
    for (uint i = tiles.x * SORT_TILE + own; i < end; i += SORT_GROUP)
        atomicAdd(found[own % COPIES * SORT_DIGITS + (keys[key_words * i] & (1u << digit_bits) - 1u)], 1u);
    barrier();
    uint sum = 0u;
    for (uint copy = 0u; copy < COPIES; ++copy)
        sum += found[copy * SORT_DIGITS + own];
    work[table_row(0u, group_number()) + own] = sum;
    work[table_row(1u, group_number()) + own] = 0u;
}
