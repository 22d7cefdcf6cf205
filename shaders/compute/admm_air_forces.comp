// variant: f64
// What the copies for the air push nodes with, added to the force on each node's first corner: w (2 Z - S - J), or of the dual residual w (J - Z).
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer MapWeights { Exact map_weights[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Starts { uint starts[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Terms { uint terms[]; };
layout(scalar, set = 0, binding = 3) readonly buffer IncidenceStart { uint incidence_start[]; };
layout(scalar, set = 0, binding = 4) readonly buffer AirWeights { real air_weights[]; };
layout(scalar, set = 0, binding = 5) readonly buffer AirCopies { real air_copies[]; };
layout(scalar, set = 0, binding = 6) buffer CornerForces { real3 corner_forces[]; };
layout(push_constant) uniform Push { uint vertex_count, node_count, is_dual; };

#include "common/air_copies.glsl"
#include "common/invocation.glsl"

real3 push_of(uint v)
{
    if (is_dual != 0u)
        return air_load(AIR_COPY_RESIDUAL, v);
    const real3 z = air_load(AIR_COPY_PROJECTED, v);
    return (z - air_load(AIR_COPY_STATE, v)) + (z - air_load(AIR_COPY_PLACE, v));
}

void main()
{
    const uint groups = sum_groups(node_count);
    if (group_number() >= groups)
        return;
    for (uint i = invocation_number(); i < node_count; i += groups * gl_WorkGroupSize.x) {
        const uint first = starts[vertex_count + 1u + i], end = starts[vertex_count + 2u + i];
        real3 force = real3(0.0);
        for (uint t = AIR_TERM_WORDS * first; t < AIR_TERM_WORDS * end; t += AIR_TERM_WORDS) {
            const uint v = terms[t + AIR_TERM_VERTEX];
            force += exact_value(map_weights[terms[t + AIR_TERM_WEIGHT]]) * air_weights[v] * push_of(v);
        }
        if (first < end)
            corner_forces[incidence_start[i]] += force;
    }
}
