// variant: f64
// A solved system of constraints: the way of the free nodes to where the direction is kept.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/saddle.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer MatrixRows { uint matrix_rows[]; };
layout(scalar, set = 0, binding = 1) writeonly buffer Increment { real3 increment[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Sums { Exact sums[]; };

#include "common/constraints/push.glsl"

#include "common/constraints/places.glsl"
#include "common/invocation.glsl"
#include "common/matrix_rows.glsl"

void main()
{
    const uint groups = saddle_groups();
    if (group_number() >= groups)
        return;
    for (uint i = invocation_number(); i < free_count; i += groups * gl_WorkGroupSize.x) {
        const uint node = row_node(i);
        increment[node] = real3(exact_value(sums[way_place(node, 0u)]), exact_value(sums[way_place(node, 1u)]),
                                exact_value(sums[way_place(node, 2u)]));
    }
}
