// variant: f64
// The forces J^T lambda of the last multipliers join those of a slot, at all nodes.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/saddle.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Lists { uint lists[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Slopes { real3 slopes[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Sums { Exact sums[]; };

#include "common/constraints/push.glsl"

#include "common/constraints/places.glsl"
#include "common/invocation.glsl"

real row_number(uint row)
{
    return exact_value(sums[multiplier_place(row)]);
}

#include "common/constraints/pull.glsl"

void main()
{
    const uint node = invocation_number();
    if (node >= node_count)
        return;
    const uint at = slot * node_count + node;
    slots[at] = exact3_add(slots[at], exact3(pull_of_rows(node)));
}
