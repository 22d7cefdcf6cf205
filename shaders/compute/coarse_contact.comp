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
layout(scalar, set = 0, binding = 5) readonly buffer Arms { real arms[]; };
layout(scalar, set = 0, binding = 6) buffer Matrix { real matrix[]; };
layout(scalar, set = 0, binding = 7) buffer Diagonal { real diagonal[]; };
layout(scalar, set = 0, binding = 8) buffer Plan { uint plan[]; };
layout(push_constant) uniform Push { uint group_count; };

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
    real sum[9];
    for (uint k = 0u; k < 9u; ++k)
        sum[k] = real(0.0);
    for (uint p = first + own_team(); p < end; p += team_count()) {
        const uint b = order[p];
        const real factor = arm_factor(columns[b].y, columns[b].x);
        const real3x3 a = values[b];
        for (int k = 0; k < 3; ++k) {
            sum[k] += factor * a[k][0];
            sum[3 + k] += factor * a[k][1];
            sum[6 + k] += factor * a[k][2];
        }
    }
    coarse_block_keep(sum);
    barrier();
    for (uint o = gl_LocalInvocationIndex; o < COARSE_BLOCK; o += gl_WorkGroupSize.x) {
        const uint row = o / COARSE_MODES, column = o % COARSE_MODES;
        const real total = coarse_block_total(o);
        matrix[(COARSE_MODES * i + row) * COARSE_MODES * group_count + COARSE_MODES * j + column] += total;
        if (i == j && row == column)
            diagonal[COARSE_MODES * i + row] += total;
    }
}
