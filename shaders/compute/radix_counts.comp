// First part of a sort's pass: how often each workgroup's tiles have each digit.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Counts { uint counts[]; };
layout(scalar, set = 0, binding = 1) writeonly buffer Work { uint work[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Keys { uint keys[]; };
layout(push_constant) uniform Push { uint count_place, key_words, shift; };

#include "common/invocation.glsl"
#include "common/sort/digit.glsl"
#include "common/sort/tiles.glsl"

#define COPIES 16 /* so that fewer invocations count in the same place */

shared uint found[COPIES * SORT_DIGITS];

void main()
{
    const uint count = counts[count_place], own = gl_LocalInvocationIndex, groups = tile_groups(count);
    if (group_number() >= groups)
        return;
    found[own] = 0u;
    barrier();
    const uvec2 tiles = own_tiles(count);
    const uint end = min(tiles.y * SORT_TILE, count);
    for (uint i = tiles.x * SORT_TILE + own; i < end; i += SORT_GROUP)
        atomicAdd(found[own % COPIES * SORT_DIGITS + key_digit(i)], 1u);
    barrier();
    if (own >= SORT_DIGITS)
        return;
    uint sum = 0u;
    for (uint copy = 0u; copy < COPIES; ++copy)
        sum += found[copy * SORT_DIGITS + own];
    work[SORT_PARTIALS + own * groups + group_number()] = sum;
}
