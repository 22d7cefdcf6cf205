// variant: f64
// What holds back masses in ADMM, drag (x - xp)/t: a node's part of the gradient, added to the force on its first corner.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "abi/scalars.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 2) readonly buffer IncidenceStart { uint incidence_start[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Drag { real drag[]; };
layout(scalar, set = 0, binding = 4) buffer CornerForces { real3 corner_forces[]; };
layout(push_constant) uniform Push { uint node_count, base; };

#include "common/invocation.glsl"

void main()
{
    const uint groups = sum_groups(node_count);
    if (group_number() >= groups)
        return;
    const real inverse = real(1.0) / scalars[SCALAR_STAGE_TIME];
    // Nodes without elements have none.
    for (uint i = invocation_number(); i < node_count; i += groups * gl_WorkGroupSize.x)
        if (drag[i] > real(0.0))
            corner_forces[incidence_start[i]] -=
                drag[i] * inverse *
                exact3_difference(slots[ABI_SLOT_STAGE * node_count + i], slots[base * node_count + i]);
}
