// variant: f64
// The air's force B u at the nodes as a gradient, what it takes, (v - wind).B u, what that is of the free nodes' motion, and what the wind
// puts in, -wind.B u.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "common/real.glsl"

#define EXACT_SUMS 3

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer MapStarts { uint map_starts[]; };
layout(scalar, set = 0, binding = 1) readonly buffer MapNodes { uint map_nodes[]; };
layout(scalar, set = 0, binding = 2) readonly buffer MapWeights { Exact map_weights[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Starts { uint starts[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Terms { uint terms[]; };
layout(scalar, set = 0, binding = 7) readonly buffer Blocks { real blocks[]; };
layout(scalar, set = 0, binding = 8) buffer Gradient { real3 gradient[]; };
layout(scalar, set = 0, binding = 9) buffer Diagnosis { Exact diagnosis[]; };
layout(scalar, push_constant) uniform Push
{
    Exact inverse;
    Exact3 wind;
    uint node_count, vertex_count, to, from, adds, section;
};

#include "common/air.glsl"
#include "common/exact_sums.glsl"
#include "common/invocation.glsl"

void main()
{
    const uint groups = sum_groups(node_count);
    if (group_number() >= groups)
        return;
    exact_sums_begin();
    for (uint i = invocation_number(); i < node_count; i += groups * gl_WorkGroupSize.x) {
        const uint first = starts[vertex_count + 1u + i], end = starts[vertex_count + 2u + i];
        real3 force = real3(0.0);
        for (uint t = AIR_TERM_WORDS * first; t < AIR_TERM_WORDS * end; t += AIR_TERM_WORDS) {
            const uint v = terms[t + AIR_TERM_VERTEX];
            const real weight = exact_value(map_weights[terms[t + AIR_TERM_WEIGHT]]);
            const real3 against = velocity_against(v), pull = weight * air_apply(v, against);
            force += pull;
            exact_sums_add(0u, exact(dot(pull, against))); // weights of a vertex sum to 1
        }
        gradient[i] = adds != 0u ? gradient[i] + force : force;
        if ((flags[i] & NODE_IS_FREE) != 0u)
            exact_sums_add(1u, exact(dot(force, node_velocity(i))));
        exact_sums_add(2u, exact(-dot(force, exact3_value(wind))));
    }
    exact_sums_end(section, group_number());
}
