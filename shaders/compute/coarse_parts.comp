// variant: f64
// The matrix between the motions of the groups: for a batch of its entries, all of the same two groups, the sum of P_i^T A_ij P_j. Of one group with itself
// that is the sum over its rows of P_i^T S_i P_i, S_i what a row's blocks sum to, and over their blocks of P_i^T A_ij (P_j - P_i), or of -P_i^T A_ij P_i where j is not in the group:
// what holds back a stiff group as a whole would be lost in sums of blocks (common/block_rows.glsl).
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/coarse.h"
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Batches { uint batches[]; }; // where each starts and the last one ends; their blocks
layout(scalar, set = 0, binding = 1) readonly buffer Entries { uvec3 entries[]; }; // entry of the matrix, its row and column (abi/coarse.h)
layout(scalar, set = 0, binding = 2) readonly buffer FirstRows { real first_rows[]; };
layout(scalar, set = 0, binding = 3) readonly buffer SecondRows { real second_rows[]; };
layout(scalar, set = 0, binding = 4) readonly buffer ThirdRows { real third_rows[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Arms { real3 arms[]; };
layout(scalar, set = 0, binding = 6) writeonly buffer Parts { real parts[]; };
layout(push_constant) uniform Push { uint entry_count, batch_count, node_count, group_count; };

#include "common/block_rows.glsl"
#include "common/coarse_block.glsl"
#include "common/invocation.glsl"

void entry_rows(uvec3 entry, out real3 rows[3])
{
    if (entry.y == entry.z) {
        real m[6];
        row_sum(entry.x, m);
        rows = real3[3](real3(m[0], m[3], m[4]), real3(m[3], m[1], m[5]), real3(m[4], m[5], m[2]));
        return;
    }
    const real3x3 turned = transpose(block_at(entry.x));
    for (uint k = 0u; k < 3u; ++k)
        rows[k] = entry.z == COARSE_NO_COLUMN ? -turned[k] : turned[k];
}

void main()
{
    const uint batch = group_number();
    if (batch >= batch_count)
        return;
    const uint end = batches[batch + 1u], block = batches[batch_count + 1u + batch];
    const GroupMotions of_rows = group_motions(block / group_count), of_columns = group_motions(block % group_count);
    const bool is_own = block / group_count == block % group_count;
    coarse_block_begin();
    for (uint first = batches[batch]; first < end; first += gl_WorkGroupSize.x) {
        const uint p = first + gl_LocalInvocationIndex;
        if (p < end) {
            const uint row = entries[p].y, column = entries[p].z;
            real3 entry[3];
            entry_rows(entries[p], entry);
            coarse_block_put(of_columns, row, column == COARSE_NO_COLUMN ? row : column, entry,
                             is_own && column != row && column != COARSE_NO_COLUMN);
        }
        coarse_block_add(of_rows, min(end - first, gl_WorkGroupSize.x));
    }
    coarse_block_keep();
    barrier();
    for (uint o = gl_LocalInvocationIndex; o < COARSE_BLOCK; o += gl_WorkGroupSize.x)
        parts[COARSE_BLOCK * batch + o] = coarse_block_total(o);
}
