// variant: f64
// The sum of the matrix's blocks between the rows of each stack, contact's included, and its factors (abi/coarse.h). The invocation of a stack's first row does that.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
#include "abi/coarse.h"
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer MatrixRows { uint matrix_rows[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Columns { uint columns[]; };
layout(scalar, set = 0, binding = 2) readonly buffer FirstRows { real first_rows[]; };
layout(scalar, set = 0, binding = 3) readonly buffer SecondRows { real second_rows[]; };
layout(scalar, set = 0, binding = 4) readonly buffer ThirdRows { real third_rows[]; };
layout(scalar, set = 0, binding = 5) readonly buffer ChangingRows { uvec2 changing_rows[]; };
layout(scalar, set = 0, binding = 6) readonly buffer ChangingColumns { uvec2 changing_columns[]; };
layout(scalar, set = 0, binding = 7) readonly buffer ChangingBlocks { real3x3 changing_blocks[]; };
layout(scalar, set = 0, binding = 8) writeonly buffer ClusterRoots { real cluster_roots[]; };

#include "common/linear_push.glsl"

#include "common/block_rows.glsl"
#include "common/cg_vector.glsl"
#include "common/invocation.glsl"
#include "common/matrix_columns.glsl"
#include "common/stacks.glsl"

/// Of the invocation's stack.
uint nodes[STACK_NODES_MOST], node_total;

bool is_of_stack(uint node)
{
    bool is_one = false;
    for (uint k = 0u; k < node_total; ++k)
        is_one = is_one || nodes[k] == node;
    return is_one;
}

/// Adds the symmetric part of a block.
void add_block(real3x3 block, inout real sum[6])
{
    for (uint k = 0u; k < 3u; ++k)
        sum[k] += block[k][k];
    sum[3] += real(0.5) * (block[0][1] + block[1][0]);
    sum[4] += real(0.5) * (block[0][2] + block[2][0]);
    sum[5] += real(0.5) * (block[1][2] + block[2][1]);
}

/// Adds what the row at `place` has. The columns of some entries are under way together.
void add_row(uint place, inout real sum[6])
{
    const RowHead head = row_head(place);
    const uvec2 range = changes != 0u ? changing_rows[head.node] : uvec2(0u);
    add_block(block_at(head.entries.x), sum);
    for (uint e = head.entries.x + SLICE_ROWS; e < head.entries.y; e += ENTRIES_AT_ONCE * SLICE_ROWS) {
        uint column[ENTRIES_AT_ONCE];
        [[unroll]] for (uint k = 0u; k < ENTRIES_AT_ONCE; ++k)
            column[k] = column_of(head.columns, entry_at_once(e, k, head.entries.y));
        if (column[0] == head.node) // from here on there is only padding
            break;
        [[unroll]] for (uint k = 0u; k < ENTRIES_AT_ONCE; ++k)
            if (e + k * SLICE_ROWS < head.entries.y && column[k] != head.node && is_of_stack(column[k]))
                add_block(block_at(e + k * SLICE_ROWS), sum);
    }
    for (uint b = range.x; b < range.y; ++b)
        if (is_of_stack(changing_columns[b].x))
            add_block(changing_blocks[b], sum);
}

void main()
{
    const uint place = invocation_number();
    if (place >= free_count)
        return;
    const uint word = stack_word(place);
    if (word == 0u || stack_row(word) != 0u)
        return;
    node_total = stack_count(word);
    for (uint k = 0u; k < node_total; ++k)
        nodes[k] = row_node(place + k);
    real sum[6] = real[6](real(0.0), real(0.0), real(0.0), real(0.0), real(0.0), real(0.0));
    for (uint k = 0u; k < node_total; ++k)
        add_row(place + k, sum);
    real factor[6];
    factor_block(sum, factor);
    for (uint k = 0u; k < STACK_FACTORS_SIZE; ++k)
        cluster_roots[stack_factors(word) + k] = factor[k];
}
