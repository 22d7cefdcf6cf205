// variant: f64
// What holds back masses in ADMM where they are seen to move less rigid motions, -drag w/t of ways w: forces at nodes, out of which those of rigid
// motions are still to be taken.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/scalars.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Drag { real drag[]; };
layout(scalar, set = 0, binding = 3) writeonly buffer Forces { real3 forces[]; };
layout(push_constant) uniform Push { uint node_count, way; };

#include "common/invocation.glsl"

void main()
{
    const uint groups = sum_groups(node_count);
    if (group_number() >= groups)
        return;
    for (uint i = invocation_number(); i < node_count; i += groups * gl_WorkGroupSize.x)
        forces[i] = -drag[i] / scalars[SCALAR_STAGE_TIME] * exact3_value(slots[way * node_count + i]);
}
