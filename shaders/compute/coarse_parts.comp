// variant: f64
// The matrix between affine motions of the groups: for a batch of its entries, all of the same two groups, the sum of
// A_ij (x) arm_i arm_j^T.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/coarse.h"
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer BatchStart { uint batch_start[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Entries { uvec3 entries[]; }; // entry of the matrix, its row and column
layout(scalar, set = 0, binding = 2) readonly buffer FirstRows { real first_rows[]; };
layout(scalar, set = 0, binding = 3) readonly buffer SecondRows { real second_rows[]; };
layout(scalar, set = 0, binding = 4) readonly buffer ThirdRows { real third_rows[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Arms { real arms[]; };
layout(scalar, set = 0, binding = 6) writeonly buffer Parts { real parts[]; };
layout(push_constant) uniform Push { uint entry_count, batch_count; };

#include "common/coarse_block.glsl"
#include "common/invocation.glsl"

void main()
{
    const uint batch = group_number();
    if (batch >= batch_count)
        return;
    real sum[9];
    for (uint k = 0u; k < 9u; ++k)
        sum[k] = real(0.0);
    for (uint p = batch_start[batch] + own_team(); p < batch_start[batch + 1u]; p += team_count()) {
        const uint e = entries[p].x;
        const real factor = arm_factor(entries[p].y, entries[p].z);
        for (uint k = 0u; k < 3u; ++k) {
            sum[k] += factor * first_rows[k * entry_count + e];
            sum[3u + k] += factor * second_rows[k * entry_count + e];
            sum[6u + k] += factor * third_rows[k * entry_count + e];
        }
    }
    coarse_block_keep(sum);
    barrier();
    for (uint o = gl_LocalInvocationIndex; o < COARSE_BLOCK; o += gl_WorkGroupSize.x)
        parts[COARSE_BLOCK * batch + o] = coarse_block_total(o);
}
