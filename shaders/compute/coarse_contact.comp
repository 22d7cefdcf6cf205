// variant: f64
// The coarse matrix of the blocks that change with what touches: those of the same two groups follow one another, sorted by
// compute/coarse_groups. Joins what coarse_sum has left, on the diagonal and above.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/barrier.h"
#include "abi/coarse.h"
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Keys { uint keys[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Order { uint order[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Columns { uvec2 columns[]; }; // column, row
layout(scalar, set = 0, binding = 4) readonly buffer Values { real3x3 values[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Arms { real3 arms[]; };
layout(scalar, set = 0, binding = 6) buffer Matrix { real matrix[]; };
layout(scalar, set = 0, binding = 7) buffer Diagonal { real diagonal[]; };
layout(scalar, set = 0, binding = 8) buffer Plan { uint plan[]; };
layout(push_constant) uniform Push { uint group_count, node_count; };

#include "common/coarse_block.glsl"
#include "common/coarse_couples.glsl"
#include "common/invocation.glsl"

/// The first of the sorted blocks whose key is not below `key`.
uint first_with(uint key)
{
    uint low = 0u, high = control[PAIR_BLOCKS];
    while (low < high) {
        const uint middle = (low + high) / 2u;
        if (keys[middle] < key)
            low = middle + 1u;
        else
            high = middle;
    }
    return low;
}

void main()
{
    const uint block = group_number(), i = block / group_count, j = block % group_count;
    if (i >= group_count || j < i)
        return;
    const uint first = first_with(block), end = first_with(block + 1u);
    if (first == end)
        return;
    keep_couple(i, j);
    const GroupMotions of_rows = group_motions(i), of_columns = group_motions(j);
    coarse_block_begin();
    for (uint p = first; p < end; p += gl_WorkGroupSize.x) {
        if (p + gl_LocalInvocationIndex < end) {
            const uint b = order[p + gl_LocalInvocationIndex];
            const real3x3 turned = transpose(values[b]);
            coarse_block_put(of_columns, columns[b].y, columns[b].x, real3[3](turned[0], turned[1], turned[2]), false);
        }
        coarse_block_add(of_rows, min(end - p, gl_WorkGroupSize.x));
    }
    coarse_block_keep();
    barrier();
    for (uint o = gl_LocalInvocationIndex; o < COARSE_BLOCK; o += gl_WorkGroupSize.x) {
        const uint row = o / COARSE_MODES, column = o % COARSE_MODES;
        const real total = coarse_block_total(o);
        matrix[(COARSE_MODES * i + row) * COARSE_MODES * group_count + COARSE_MODES * j + column] += total;
        if (i == j && row == column)
            diagonal[COARSE_MODES * i + row] += total;
    }
}
