// variant: f64
// Start of the linear solve: the nodes' own part joins the diagonal blocks, which are factored for the preconditioner; the
// right-hand side -gradient - H d of the free nodes, d the way of the pinned ones. Where pins hold nodes in part their components
// leave the system by a projection (src/device/cpu/newton/partial_pins.h): a row's blocks are read first and replaced then. Last, what a row's blocks
// sum to: its own block, for elements and damping between nodes have nothing to do with where all of them are; at places before first_own something
// else may be in it, and blocks are summed.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 1) readonly buffer MatrixRows { uint matrix_rows[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Columns { uint columns[]; };
layout(scalar, set = 0, binding = 3) buffer FirstRows { real first_rows[]; };
layout(scalar, set = 0, binding = 4) buffer SecondRows { real second_rows[]; };
layout(scalar, set = 0, binding = 5) buffer ThirdRows { real third_rows[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Gradient { real3 gradient[]; };
layout(scalar, set = 0, binding = 7) readonly buffer Increment { real3 increment[]; };
layout(scalar, set = 0, binding = 8) buffer Preconditioner { real preconditioner[]; };
layout(scalar, set = 0, binding = 9) writeonly buffer Residual { real3 residual[]; };
layout(scalar, set = 0, binding = 10) readonly buffer ChangingRows { uvec2 changing_rows[]; };
layout(scalar, set = 0, binding = 11) readonly buffer ChangingColumns { uvec2 changing_columns[]; };
layout(scalar, set = 0, binding = 12) buffer ChangingBlocks { real3x3 changing_blocks[]; };
layout(scalar, set = 0, binding = 13) readonly buffer PartialPins { real partial_pins[]; };
layout(push_constant) uniform Push { uint node_count, entry_count, pin_count, partial_count, changes, first_own; };

#include "common/block_rows.glsl"
#include "common/cg_vector.glsl"
#include "common/invocation.glsl"
#include "common/matrix_columns.glsl"
#include "common/matrix_rows.glsl"
#include "common/partial_pins.glsl"

real3 pull_of_pins(uint place, uint row)
{
    real3 sum = real3(0.0);
    const uvec2 entries = row_entries(place);
    const RowColumns own_columns = row_columns(place, entries.x);
    for (uint e = entries.x; e < entries.y; e += SLICE_ROWS)
        sum += block_apply(e, increment[column_of(own_columns, e)]);
    const uvec2 range = changes != 0u ? changing_rows[row] : uvec2(0u);
    for (uint b = range.x; b < range.y; ++b)
        sum += changing_blocks[b] * increment[changing_columns[b].x];
    return sum;
}

/// The diagonal's entry gets the node's own block, which is returned; its factors take that one's place.
void finish_diagonal(uint place, uint row, out real own[6])
{
    const uint e = row_entries(place).x, f = e + entry_count, g = f + entry_count;
    real m[6], factor[6];
    for (uint k = 0u; k < 6u; ++k)
        m[k] = own[k] = preconditioner[6u * row + k];
    m[0] += first_rows[e];
    m[1] += second_rows[f];
    m[2] += third_rows[g];
    m[3] += first_rows[f];
    m[4] += first_rows[g];
    m[5] += second_rows[g];
    hold_block(row, m);
    first_rows[e] = m[0];
    second_rows[f] = m[1];
    third_rows[g] = m[2];
    first_rows[f] = second_rows[e] = m[3];
    first_rows[g] = third_rows[e] = m[4];
    second_rows[g] = third_rows[f] = m[5];
    factor_block(m, factor);
    for (uint k = 0u; k < 6u; ++k)
        preconditioner[6u * row + k] = factor[k];
}

real3x3 free_block(uint row, uint column, real3x3 block)
{
    for (int k = 0; k < 3; ++k)
        block[k] = free_part(row, block[k]);
    const real3x3 turned = transpose(block);
    real3x3 result;
    for (int k = 0; k < 3; ++k)
        result[k] = free_part(column, turned[k]);
    return transpose(result);
}

/// The row's blocks off the diagonal: P_row block P_column.
void free_row(uint place, uint row)
{
    const uvec2 entries = row_entries(place);
    const RowColumns own_columns = row_columns(place, entries.x);
    for (uint e = entries.x + SLICE_ROWS; e < entries.y; e += SLICE_ROWS) {
        const uint column = column_of(own_columns, e), f = e + entry_count, g = f + entry_count;
        if (column == row) // from here on there is only padding
            break;
        if (!is_held_in_part(row) && !is_held_in_part(column))
            continue;
        const real3x3 block = free_block(
            row, column,
            real3x3(first_rows[e], second_rows[e], third_rows[e], first_rows[f], second_rows[f], third_rows[f],
                    first_rows[g], second_rows[g], third_rows[g]));
        first_rows[e] = block[0].x, second_rows[e] = block[0].y, third_rows[e] = block[0].z;
        first_rows[f] = block[1].x, second_rows[f] = block[1].y, third_rows[f] = block[1].z;
        first_rows[g] = block[2].x, second_rows[g] = block[2].y, third_rows[g] = block[2].z;
    }
    const uvec2 range = changes != 0u ? changing_rows[row] : uvec2(0u);
    for (uint b = range.x; b < range.y; ++b) {
        const uint column = changing_columns[b].x;
        if (is_held_in_part(row) || is_held_in_part(column))
            changing_blocks[b] = free_block(row, column, real3x3(changing_blocks[b][0], changing_blocks[b][1],
                                                                 changing_blocks[b][2]));
    }
}

/// The symmetric part of the sum of a row's blocks.
void sum_row(uint place, uint row, out real sum[6])
{
    const uvec2 entries = row_entries(place);
    const RowColumns own_columns = row_columns(place, entries.x);
    symmetric_block(entries.x, sum);
    for (uint e = entries.x + SLICE_ROWS; e < entries.y; e += SLICE_ROWS) {
        if (column_of(own_columns, e) == row) // from here on there is only padding
            break;
        const real3x3 block = block_at(e);
        for (uint k = 0u; k < 3u; ++k)
            sum[k] += block[k][k];
        sum[3] += real(0.5) * (block[0][1] + block[1][0]);
        sum[4] += real(0.5) * (block[0][2] + block[2][0]);
        sum[5] += real(0.5) * (block[1][2] + block[2][1]);
    }
}

void keep_row_sum(uint place, real sum[6])
{
    const uint e = row_sum_entry(place);
    for (uint k = 0u; k < 2u; ++k) {
        first_rows[e + k] = sum[k];
        second_rows[e + k] = sum[2u + k];
        third_rows[e + k] = sum[4u + k];
    }
}

void main()
{
    const uint place = invocation_number();
    if (place >= node_count)
        return;
    const uint row = row_node(place);
    real3 r = real3(0.0);
    if ((flags[row] & NODE_IS_FREE) != 0u) {
        real own[6];
        r = -gradient[row];
        if (pin_count != 0u)
            r -= pull_of_pins(place, row);
        finish_diagonal(place, row, own);
        if (partial_count != 0u) {
            free_row(place, row);
            r = free_part(row, r);
        }
        if (place < first_own)
            sum_row(place, row, own);
        keep_row_sum(place, own);
    }
    residual[row] = r;
}
