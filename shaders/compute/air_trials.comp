// variant: f64
// The air along the direction d: with the velocity u of a vertex against the wind it rises by s d.B u + s^2/(2 t) d.B d over a step s.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/newton.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer MapStarts { uint map_starts[]; };
layout(scalar, set = 0, binding = 1) readonly buffer MapNodes { uint map_nodes[]; };
layout(scalar, set = 0, binding = 2) readonly buffer MapWeights { Exact map_weights[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Blocks { real blocks[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Increment { real3 increment[]; };
layout(scalar, set = 0, binding = 6) buffer Diagnosis { Exact diagnosis[]; };
layout(scalar, set = 0, binding = 7) buffer Indices { uint indices[]; };
layout(scalar, push_constant) uniform Push { Exact inverse; Exact3 wind; uint node_count, vertex_count, to, from, halvings; };

#include "common/air.glsl"
#include "common/invocation.glsl"
#include "common/trials.glsl"

real3 motion_of(uint v)
{
    real3 sum = real3(0.0);
    for (uint k = map_starts[v]; k < map_starts[v + 1u]; ++k)
        sum += exact_value(map_weights[k]) * increment[map_nodes[k]];
    return sum;
}

void main()
{
    const uint groups = sum_groups(vertex_count);
    if (group_number() >= groups)
        return;
    const real step = first_step(halvings);
    exact_sums_begin();
    for (uint v = invocation_number(); v < vertex_count; v += groups * gl_WorkGroupSize.x) {
        const real3 d = motion_of(v), rise = d * air_apply(v, velocity_against(v));
        const real slope = rise.x + rise.y + rise.z, size = abs(rise.x) + abs(rise.y) + abs(rise.z);
        const real curvature = exact_value(inverse) * dot(d, air_apply(v, d));
        real s = step;
        for (uint i = 0u; i < TRIALS_MOST; ++i) {
            trial_add(i, s * (slope + real(0.5) * s * curvature), slope + s * curvature,
                      s * (size + real(0.5) * s * abs(curvature)));
            s *= real(0.5);
        }
    }
    exact_sums_end(TRIAL_DIFFERENCE, group_number());
}
