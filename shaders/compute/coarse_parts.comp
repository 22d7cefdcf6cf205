// variant: f64
// The matrix between affine motions of the groups: for a batch of its entries, all of the same two groups, the sum of
// A_ij (x) arm_i arm_j^T. Sixteen invocations, one for each pair of arms, share an entry.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/coarse.h"
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer BatchStart { uint batch_start[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Entries { uvec2 entries[]; }; // entry of the matrix, its row
layout(scalar, set = 0, binding = 2) readonly buffer Columns { uint columns[]; };
layout(scalar, set = 0, binding = 3) readonly buffer FirstRows { real first_rows[]; };
layout(scalar, set = 0, binding = 4) readonly buffer SecondRows { real second_rows[]; };
layout(scalar, set = 0, binding = 5) readonly buffer ThirdRows { real third_rows[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Arms { real arms[]; };
layout(scalar, set = 0, binding = 7) writeonly buffer Parts { real parts[]; };
layout(push_constant) uniform Push { uint entry_count, batch_count; };

#include "common/invocation.glsl"

const uint ARM_PAIRS = 16u;
shared real scratch[9u * gl_WorkGroupSize.x];

real arm(uint node, uint l)
{
    return l == 0u ? real(1.0) : arms[3u * node + l - 1u];
}

/// Number `o` of the block: the sums of all teams, in order.
real total(uint o)
{
    const uint row = o / COARSE_MODES, column = o % COARSE_MODES;
    const uint at = (3u * (row / 4u) + column / 4u) * gl_WorkGroupSize.x + 4u * (row % 4u) + column % 4u;
    real sum = real(0.0);
    for (uint team = 0u; team < gl_WorkGroupSize.x; team += ARM_PAIRS)
        sum += scratch[at + team];
    return sum;
}

void main()
{
    const uint own = gl_LocalInvocationIndex, pair = own % ARM_PAIRS, team = own / ARM_PAIRS;
    const uint batch = group_number();
    if (batch >= batch_count)
        return;
    real sum[9];
    for (uint k = 0u; k < 9u; ++k)
        sum[k] = real(0.0);
    for (uint p = batch_start[batch] + team; p < batch_start[batch + 1u];
         p += gl_WorkGroupSize.x / ARM_PAIRS) {
        const uint e = entries[p].x;
        const real factor = arm(entries[p].y, pair / 4u) * arm(columns[e], pair % 4u);
        for (uint k = 0u; k < 3u; ++k) {
            sum[k] += factor * first_rows[k * entry_count + e];
            sum[3u + k] += factor * second_rows[k * entry_count + e];
            sum[6u + k] += factor * third_rows[k * entry_count + e];
        }
    }
    for (uint k = 0u; k < 9u; ++k)
        scratch[k * gl_WorkGroupSize.x + own] = sum[k];
    barrier();
    for (uint o = own; o < COARSE_BLOCK; o += gl_WorkGroupSize.x)
        parts[COARSE_BLOCK * batch + o] = total(o);
}
