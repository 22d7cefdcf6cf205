// variant: f64
// Sums of m a.b over the free nodes, for up to four pairs of slots.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "common/real.glsl"

#define EXACT_SUMS 4

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Masses { Exact masses[]; };
layout(scalar, set = 0, binding = 3) buffer Diagnosis { Exact diagnosis[]; };
layout(push_constant) uniform Push { uint pairs[8]; uint count, node_count; };

#include "common/exact_sums.glsl"

void main()
{
    exact_sums_begin();
    for (uint i = gl_GlobalInvocationID.x; i < node_count; i += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
        if ((flags[i] & NODE_IS_FREE) == 0u)
            continue;
        for (uint p = 0u; p < count; ++p)
            exact_sums_add(p, exact_multiply(masses[i], exact_dot(slots[pairs[2u * p] * node_count + i],
                                                                  slots[pairs[2u * p + 1u] * node_count + i])));
    }
    exact_sums_end(0u, gl_WorkGroupID.x);
}
