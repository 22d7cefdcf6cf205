// variant: f64
// Inertia of the parts of bodies, and the resultant and moment of values at their nodes: the sums of one chunk a workgroup
// (common/rigid_motion.glsl).
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/damping.h"
#include "abi/kernel.h"
#include "common/real.glsl"

#define EXACT_SUMS RIGID_SUMS

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Masses { Exact masses[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Increment { real3 increment[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Forces { real3 forces[]; };
layout(scalar, set = 0, binding = 4) readonly buffer IncidenceStart { uint incidence_start[]; };
layout(scalar, set = 0, binding = 5) readonly buffer CornerForces { real3 corner_forces[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Chunks { uint chunks[]; };
layout(scalar, set = 0, binding = 7) writeonly buffer Sums { Exact sums[]; };

#include "common/invocation.glsl"
#include "common/many_exact_sums.glsl"
#include "common/rigid_motion.glsl"

/// weight a b, both rounded to what they are.
Exact weighted(Exact weight, real a, real b)
{
    return exact_multiply(weight, exact_product(a, b));
}

void add_node(uint i, uint first)
{
    const real3 r = arm_of(i, first), value = value_of(i, first);
    const Exact mass = masses[i], weight = values == RIGID_OF_FORCES ? exact(real(1.0)) : mass;
    exact_sums_add(RIGID_MASS, mass);
    for (int k = 0; k < 3; ++k) {
        const int p = (k + 1) % 3, q = (k + 2) % 3;
        exact_sums_add(RIGID_FIRST_MOMENT + k, exact_multiply(mass, exact(r[k])));
        exact_sums_add(RIGID_SECOND_MOMENT + k, weighted(mass, r[k], r[k]));
        exact_sums_add(RIGID_SECOND_MOMENT + 3 + k, weighted(mass, r[k == 2 ? 1 : 0], r[k == 0 ? 1 : 2]));
        exact_sums_add(RIGID_VALUE + k, exact_multiply(weight, exact(value[k])));
        exact_sums_add(RIGID_VALUE_MOMENT + k,
                       exact_add(weighted(weight, r[p], value[q]), weighted(weight, -r[q], value[p])));
    }
}

void main()
{
    const uint chunk = group_number();
    if (chunk >= chunk_count || chunk_word(chunk, RIGID_CHUNK_COUNT) == 0u)
        return;
    const uint begin = chunk_word(chunk, RIGID_FIRST_NODE), end = begin + chunk_word(chunk, RIGID_NODE_COUNT),
               first = chunk_word(chunk_word(chunk, RIGID_FIRST_CHUNK), RIGID_FIRST_NODE);
    exact_sums_begin();
    for (uint i = begin + gl_LocalInvocationIndex; i < end; i += gl_WorkGroupSize.x)
        add_node(i, first);
    barrier();
    for (uint v = gl_LocalInvocationIndex; v < RIGID_SUMS; v += gl_WorkGroupSize.x)
        sums[RIGID_SUMS * chunk + v] = exact_sums_total(v);
}
