// variant: f64
// Forces at nodes, times a factor, added to those on each node's first corner, which ADMM gathers.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer IncidenceStart { uint incidence_start[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Forces { real3 forces[]; };
layout(scalar, set = 0, binding = 2) buffer CornerForces { real3 corner_forces[]; };
layout(push_constant) uniform Push { uint node_count; float factor; };

#include "common/invocation.glsl"

void main()
{
    const uint groups = sum_groups(node_count);
    if (group_number() >= groups)
        return;
    // Nodes without elements have no such force.
    for (uint i = invocation_number(); i < node_count; i += groups * gl_WorkGroupSize.x)
        if (incidence_start[i] < incidence_start[i + 1u])
            corner_forces[incidence_start[i]] += real(factor) * forces[i];
}
