// variant: f64
// Conjugate gradients of ADMM: what damping that sees no rigid motions has in the matrix, Q, times a direction that is already without them.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/control.h"
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer MatrixRows { uint matrix_rows[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Columns { uint columns[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Values { real values[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Seen { real3 seen[]; };
layout(scalar, set = 0, binding = 4) writeonly buffer Forces { real3 forces[]; };
layout(push_constant) uniform Push { uint node_count; };

#include "common/invocation.glsl"
#include "common/matrix_columns.glsl"
#include "common/matrix_rows.glsl"

void main()
{
    const uint groups = sum_groups(node_count);
    if (group_number() >= groups)
        return;
    for (uint place = invocation_number(); place < node_count; place += groups * gl_WorkGroupSize.x) {
        const uint row = row_node(place);
        const uvec2 entries = row_entries(place);
        const RowColumns own = row_columns(place, entries.x);
        real3 sum = values[entries.x] * seen[row];
        for (uint e = entries.x + SLICE_ROWS; e < entries.y; e += SLICE_ROWS) {
            const uint column = column_of(own, e);
            if (column == row) // from here on there is only padding
                break;
            sum += values[e] * seen[column];
        }
        forces[row] = sum;
    }
}
