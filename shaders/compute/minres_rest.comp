// variant: f64
// What the solution of a system of constraints so far leaves of it, in exact numbers: where MINRES begins, and begins again once rounding has
// parted its residual from the true one.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/control.h"
#include "abi/kernel.h"
#include "abi/saddle.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer MatrixRows { uint matrix_rows[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Columns { uint columns[]; };
layout(scalar, set = 0, binding = 3) readonly buffer FirstRows { real first_rows[]; };
layout(scalar, set = 0, binding = 4) readonly buffer SecondRows { real second_rows[]; };
layout(scalar, set = 0, binding = 5) readonly buffer ThirdRows { real third_rows[]; };
layout(scalar, set = 0, binding = 6) readonly buffer ChangingRows { uvec2 changing_rows[]; };
layout(scalar, set = 0, binding = 7) readonly buffer ChangingColumns { uvec2 changing_columns[]; };
layout(scalar, set = 0, binding = 8) readonly buffer ChangingBlocks { real3x3 changing_blocks[]; };
layout(scalar, set = 0, binding = 9) readonly buffer Residual { real3 right[]; };
layout(scalar, set = 0, binding = 10) readonly buffer Lists { uint lists[]; };
layout(scalar, set = 0, binding = 11) readonly buffer Numbers { Exact numbers[]; };
layout(scalar, set = 0, binding = 12) readonly buffer Slopes { real3 slopes[]; };
layout(scalar, set = 0, binding = 13) readonly buffer Holds { uint holds[]; };
layout(scalar, set = 0, binding = 14) buffer Vectors { real vectors[]; };
layout(scalar, set = 0, binding = 15) readonly buffer Sums { Exact sums[]; };

#include "common/constraints/push.glsl"

#include "common/constraints/compliance.glsl"
#include "common/constraints/exact_products.glsl"
#include "common/invocation.glsl"
#include "common/matrix_columns.glsl"
#include "common/matrix_rows.glsl"

/// Rows of minus a block of the matrix.
Exact3 less_block(Exact3 sum, real3 x, real3 y, real3 z, Exact3 v)
{
    return exact3_add(sum, exact3_from(times(-x, v), times(-y, v), times(-z, v)));
}

Exact3 less_row(uint place, uint node, Exact3 sum)
{
    const uvec2 entries = row_entries(place);
    const RowColumns own_columns = row_columns(place, entries.x);
    for (uint e = entries.x; e < entries.y; e += SLICE_ROWS) {
        const uint column = column_of(own_columns, e), f = e + entry_count, g = f + entry_count;
        if (e > entries.x && column == node) // from here on there is only padding
            break;
        sum = less_block(sum, real3(first_rows[e], first_rows[f], first_rows[g]),
                         real3(second_rows[e], second_rows[f], second_rows[g]),
                         real3(third_rows[e], third_rows[f], third_rows[g]), whole_way(column));
    }
    const uvec2 range = changes != 0u ? changing_rows[node] : uvec2(0u);
    for (uint b = range.x; b < range.y; ++b) {
        const real3x3 block = transpose(
            real3x3(changing_blocks[b][0], changing_blocks[b][1], changing_blocks[b][2]));
        sum = less_block(sum, block[0], block[1], block[2], whole_way(changing_columns[b].x));
    }
    return sum;
}

void begin_node(uint place, bool first)
{
    const uint node = row_node(place);
    Exact3 sum = exact3(right[node]);
    if (!first)
        sum = add_pull(node, less_row(place, node, sum));
    set_node_vector(SADDLE_RESIDUALS, node, exact3_value(sum));
}

void begin_constraint(uint c, bool first)
{
    const uint kind = constraint_word(c, CONSTRAINT_KIND), rows = CONSTRAINT_ROWS[kind],
               row = constraint_word(c, CONSTRAINT_FIRST_ROW);
    real lambda[CONSTRAINT_ROWS_MOST], held[CONSTRAINT_ROWS_MOST];
    for (uint r = 0u; r < rows; ++r)
        lambda[r] = first ? real(0.0) : exact_value(whole_lambda(row + r));
    apply_compliance(c, kind, rows, lambda, held);
    for (uint r = 0u; r < rows; ++r) {
        Exact value = exact(vectors[row_place(SADDLE_RIGHT, row + r)]);
        if (!first)
            value = exact_add(whole_value(c, rows, r), exact(held[r]));
        vectors[row_place(SADDLE_RESIDUALS, row + r)] = holds[c] != 0u ? -exact_value(value) : real(0.0);
    }
}

void main()
{
    const uint groups = saddle_groups();
    if (group_number() >= groups)
        return;
    // The first time in a round there is no solution: whatever the buffers hold.
    const bool first = control[CONTROL_SADDLE_FRESH] != 0u;
    for (uint i = invocation_number(); i < saddle_count(); i += groups * gl_WorkGroupSize.x)
        if (i < free_count)
            begin_node(i, first);
        else
            begin_constraint(i - free_count, first);
}
