// variant: f64
// Start of the linear solve: the nodes' own part joins the diagonal blocks, which are factored for the preconditioner; the
// right-hand side -gradient - H d of the free nodes, d the way of the pinned ones.
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
layout(scalar, set = 0, binding = 12) readonly buffer ChangingBlocks { real3x3 changing_blocks[]; };
layout(push_constant) uniform Push { uint node_count, entry_count, pin_count, changes; };

#include "common/block_rows.glsl"
#include "common/cg_vector.glsl"
#include "common/invocation.glsl"
#include "common/matrix_rows.glsl"

real3 pull_of_pins(uint place, uint row)
{
    real3 sum = real3(0.0);
    const uvec2 entries = row_entries(place);
    for (uint e = entries.x; e < entries.y; e += SLICE_ROWS)
        sum += block_apply(e, increment[columns[e]]);
    const uvec2 range = changes != 0u ? changing_rows[row] : uvec2(0u);
    for (uint b = range.x; b < range.y; ++b)
        sum += changing_blocks[b] * increment[changing_columns[b].x];
    return sum;
}

/// The diagonal's entry gets the node's own block; its factors take that one's place.
void finish_diagonal(uint place, uint row)
{
    const uint e = row_entries(place).x, f = e + entry_count, g = f + entry_count;
    real m[6], factor[6];
    for (uint k = 0u; k < 6u; ++k)
        m[k] = preconditioner[6u * row + k];
    m[0] += first_rows[e];
    m[1] += second_rows[f];
    m[2] += third_rows[g];
    m[3] += first_rows[f];
    m[4] += first_rows[g];
    m[5] += second_rows[g];
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

void main()
{
    const uint place = invocation_number();
    if (place >= node_count)
        return;
    const uint row = row_node(place);
    real3 r = real3(0.0);
    if ((flags[row] & NODE_IS_FREE) != 0u) {
        r = -gradient[row];
        if (pin_count != 0u)
            r -= pull_of_pins(place, row);
        finish_diagonal(place, row);
    }
    residual[row] = r;
}
