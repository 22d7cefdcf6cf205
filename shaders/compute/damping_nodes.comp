// variant: f64
// Damping at the nodes from the forces on the corners of their elements and what holds back masses: C v as a gradient, or added to one, and
// what it takes of the motion of masses, or of all, and of that of the free nodes. Velocities are times `factor` as those of damping_forces are not.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/damping.h"
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "common/real.glsl"

#define EXACT_SUMS 2

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 1) readonly buffer IncidenceStart { uint incidence_start[]; };
layout(scalar, set = 0, binding = 2) readonly buffer CornerForces { real3 corner_forces[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Drag { real drag[]; };
layout(scalar, set = 0, binding = 5) buffer Gradient { real3 gradient[]; };
layout(scalar, set = 0, binding = 6) buffer Diagnosis { Exact diagnosis[]; };
layout(scalar, push_constant) uniform Push { Exact factor; uint node_count, to, from, holds_masses, section, adds, counts_all; };

#include "common/exact_sums.glsl"
#include "common/invocation.glsl"

real3 velocity_of(uint i)
{
    const Exact3 end = slots[to * node_count + i];
    return exact_value(factor) * (from == DAMPING_NO_SLOT ? exact3_value(end)
                                                          : exact3_difference(end, slots[from * node_count + i]));
}

void main()
{
    const uint groups = sum_groups(node_count);
    if (group_number() >= groups)
        return;
    exact_sums_begin();
    for (uint i = invocation_number(); i < node_count; i += groups * gl_WorkGroupSize.x) {
        const real3 v = velocity_of(i), pull = (holds_masses != 0u ? drag[i] : real(0.0)) * v;
        real3 force = real3(0.0);
        for (uint p = incidence_start[i]; p < incidence_start[i + 1u]; ++p)
            force += corner_forces[p];
        force = exact_value(factor) * force + pull;
        gradient[i] = adds != 0u ? gradient[i] + force : force;
        exact_sums_add(0u, exact(dot(counts_all != 0u ? force : pull, v)));
        if ((flags[i] & NODE_IS_FREE) != 0u)
            exact_sums_add(1u, exact(dot(force, v)));
    }
    exact_sums_end(section, group_number());
}
