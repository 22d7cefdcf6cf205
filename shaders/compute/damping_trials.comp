// variant: f64
// Damping along the direction d: with C v of damping_linearize it rises by s d.C v + s^2/(2 t) d.C d over a step s. An invocation has a row.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/newton.h"
#include "abi/nodes.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 1) readonly buffer MatrixRows { uint matrix_rows[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Columns { uint columns[]; };
layout(scalar, set = 0, binding = 3) readonly buffer FirstRows { real first_rows[]; };
layout(scalar, set = 0, binding = 4) readonly buffer SecondRows { real second_rows[]; };
layout(scalar, set = 0, binding = 5) readonly buffer ThirdRows { real third_rows[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Drag { real drag[]; };
layout(scalar, set = 0, binding = 7) readonly buffer Increment { real3 increment[]; };
layout(scalar, set = 0, binding = 8) readonly buffer Force { real3 damping_force[]; };
layout(scalar, set = 0, binding = 9) buffer Diagnosis { Exact diagnosis[]; };
layout(scalar, set = 0, binding = 10) buffer Indices { uint indices[]; };
/// inverse: 1/t
layout(scalar, push_constant) uniform Push { Exact inverse; uint node_count, entry_count, halvings; };

#include "common/block_rows.glsl"
#include "common/invocation.glsl"
#include "common/matrix_columns.glsl"
#include "common/matrix_rows.glsl"
#include "common/trials.glsl"

/// C d, no translation being damped.
real3 product_of(uint place, uint row)
{
    const uvec2 entries = row_entries(place);
    const RowColumns own_columns = row_columns(place, entries.x);
    const real3 own = increment[row];
    real3 sum = drag[row] * own;
    for (uint e = entries.x + SLICE_ROWS; e < entries.y; e += SLICE_ROWS)
        sum += block_apply(e, increment[column_of(own_columns, e)] - own);
    return sum;
}

void main()
{
    const uint groups = sum_groups(node_count);
    if (group_number() >= groups)
        return;
    const real step = first_step(halvings);
    exact_sums_begin();
    for (uint place = invocation_number(); place < node_count; place += groups * gl_WorkGroupSize.x) {
        const uint row = row_node(place);
        if ((flags[row] & NODE_IS_FREE) == 0u)
            continue;
        const real3 d = increment[row], rise = d * damping_force[row];
        const real slope = rise.x + rise.y + rise.z, size = abs(rise.x) + abs(rise.y) + abs(rise.z);
        const real curvature = exact_value(inverse) * dot(d, product_of(place, row));
        real s = step;
        for (uint i = 0u; i < TRIALS_MOST; ++i) {
            trial_add(i, s * (slope + real(0.5) * s * curvature), slope + s * curvature,
                      s * (size + real(0.5) * s * abs(curvature)));
            s *= real(0.5);
        }
    }
    exact_sums_end(TRIAL_DIFFERENCE, group_number());
}
