// variant: f64
// The matrix between the motions of the groups: for a batch of its entries, all of the same two groups, the sum of
// P_i^T A_ij P_j.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/coarse.h"
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Batches { uint batches[]; }; // where each starts and the last one ends; their blocks
layout(scalar, set = 0, binding = 1) readonly buffer Entries { uvec3 entries[]; }; // entry of the matrix, its row and column
layout(scalar, set = 0, binding = 2) readonly buffer FirstRows { real first_rows[]; };
layout(scalar, set = 0, binding = 3) readonly buffer SecondRows { real second_rows[]; };
layout(scalar, set = 0, binding = 4) readonly buffer ThirdRows { real third_rows[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Arms { real3 arms[]; };
layout(scalar, set = 0, binding = 6) writeonly buffer Parts { real parts[]; };
layout(push_constant) uniform Push { uint entry_count, batch_count, node_count, group_count; };

#include "common/coarse_block.glsl"
#include "common/invocation.glsl"

void main()
{
    const uint batch = group_number();
    if (batch >= batch_count)
        return;
    const uint end = batches[batch + 1u], block = batches[batch_count + 1u + batch];
    const GroupMotions of_rows = group_motions(block / group_count), of_columns = group_motions(block % group_count);
    coarse_block_begin();
    for (uint first = batches[batch]; first < end; first += gl_WorkGroupSize.x) {
        const uint p = first + gl_LocalInvocationIndex;
        if (p < end) {
            const uint e = entries[p].x, f = e + entry_count, g = f + entry_count;
            real3 rows[3];
            rows[0] = real3(first_rows[e], first_rows[f], first_rows[g]);
            rows[1] = real3(second_rows[e], second_rows[f], second_rows[g]);
            rows[2] = real3(third_rows[e], third_rows[f], third_rows[g]);
            coarse_block_put(of_columns, entries[p].y, entries[p].z, rows);
        }
        coarse_block_add(of_rows, min(end - first, gl_WorkGroupSize.x));
    }
    coarse_block_keep();
    barrier();
    for (uint o = gl_LocalInvocationIndex; o < COARSE_BLOCK; o += gl_WorkGroupSize.x)
        parts[COARSE_BLOCK * batch + o] = coarse_block_total(o);
}
