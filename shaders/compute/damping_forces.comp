// variant: f64
// variant: kinds
// Corner forces C v of elements of one kind from what damping_elements has left of them, and their powers v.C v. Nodes go from one slot's
// places to the other's in a unit of time, or there is a velocity. An invocation has one corner of one element.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/real.glsl"

#define EXACT_SUMS 1

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 1) readonly buffer ElementNodes { uint element_nodes[]; };
layout(scalar, set = 0, binding = 2) readonly buffer CornerPlaces { uint corner_places[]; };
layout(scalar, set = 0, binding = 3) readonly buffer ElementData { real data[]; };
layout(scalar, set = 0, binding = 4) writeonly buffer CornerForces { real3 corner_forces[]; };
layout(scalar, set = 0, binding = 5) buffer Diagnosis { Exact diagnosis[]; };

#include "common/elements/damping.glsl"
#include "common/elements/corner_velocity.glsl"
#include "common/exact_sums.glsl"
#include "common/invocation.glsl"

real element_data(uint at)
{
    return data[at];
}

#if ELEMENT_IS_DAMPED

/// No translation is damped: the other corners' velocities count as they differ from the corner's own.
real3 corner_force(uint e, uint c, Exact3 own)
{
    real3 force = real3(0.0);
    for (uint other = 0u; other < ELEMENT_CORNERS; ++other) {
        if (other == c)
            continue;
        real block[9];
        damping_block(data_place(e), c, other, block);
        const real3 v = exact3_difference(velocity_of(e, other), own);
        for (int i = 0; i < 3; ++i)
            force[i] += block[3 * i] * v.x + block[3 * i + 1] * v.y + block[3 * i + 2] * v.z;
    }
    return force;
}

#endif

void main()
{
    const uint groups = sum_groups(count);
    if (group_number() >= groups)
        return;
    exact_sums_begin();
#if ELEMENT_IS_DAMPED
    for (uint i = invocation_number(); i < ELEMENT_CORNERS * count; i += groups * gl_WorkGroupSize.x) {
        const uint c = i / count, e = i % count;
        const Exact3 own = velocity_of(e, c);
        const real3 force = corner_force(e, c, own);
        corner_forces[corner_places[corner_place(e, c)]] = force;
        exact_sums_add(0u, exact(dot(force, exact3_difference(own, velocity_of(e, 0u)))));
    }
#endif
    exact_sums_end(argument >> DAMPING_SECTION_SHIFT, group_number());
}
