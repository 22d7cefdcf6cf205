// variant: f64
// The same along the direction: a force that stands still.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/newton.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer ShapeForce { real3 shape_force[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Increment { real3 increment[]; };
layout(scalar, set = 0, binding = 2) buffer Diagnosis { Exact diagnosis[]; };
layout(scalar, set = 0, binding = 3) buffer Indices { uint indices[]; };
layout(push_constant) uniform Push { uint node_count, halvings; };

#include "common/invocation.glsl"
#include "common/trials.glsl"

void main()
{
    const uint groups = sum_groups(node_count);
    if (group_number() >= groups)
        return;
    const real step = first_step(halvings);
    exact_sums_begin();
    for (uint i = invocation_number(); i < node_count; i += groups * gl_WorkGroupSize.x) {
        const real3 rise = increment[i] * shape_force[i];
        const real slope = rise.x + rise.y + rise.z, size = abs(rise.x) + abs(rise.y) + abs(rise.z);
        real s = step;
        for (uint k = 0u; k < TRIALS_MOST; ++k) {
            trial_add(k, s * slope, slope, s * size);
            s *= real(0.5);
        }
    }
    exact_sums_end(TRIAL_DIFFERENCE, group_number());
}
