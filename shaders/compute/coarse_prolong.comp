// variant: f64
// Second half of the coarse solve, W^T times what coarse_forward left, for the motions of a chunk's group; z += those motions.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/coarse.h"
#include "abi/kernel.h"
#include "common/real.glsl"

#define MANY_SUMS COARSE_MODES

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Matrix { real matrix[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Reduced { real reduced[]; };
layout(scalar, set = 0, binding = 2) readonly buffer GroupNodes { uint group_nodes[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Arms { real3 arms[]; };
layout(scalar, set = 0, binding = 4) buffer Preconditioned { real3 preconditioned[]; };

#include "common/linear_push.glsl"

#include "common/coarse.glsl"
#include "common/invocation.glsl"
#include "common/many_sums.glsl"

shared real motion[COARSE_MODES];

void solve_motion(uint first)
{
    const uint own = gl_LocalInvocationIndex;
    many_sums_begin();
    for (uint c = first + own; c < coarse_size(); c += gl_WorkGroupSize.x)
        for (uint m = 0u; m < COARSE_MODES; ++m)
            many_sums_add(m, matrix[c * coarse_size() + first + m] * reduced[c]);
    barrier();
    if (own < COARSE_MODES)
        motion[own] = many_sums_total(own);
    barrier();
}

void main()
{
    const uint chunk = group_number();
    if (chunk >= group_count * chunks_per_group)
        return;
    const uvec2 range = coarse_chunk(chunk);
    solve_motion(chunk / chunks_per_group * COARSE_MODES);
    for (uint p = range.x + gl_LocalInvocationIndex; p < range.y; p += gl_WorkGroupSize.x) {
        const uint row = group_nodes[p];
        real3 moved;
        for (uint k = 0u; k < 3u; ++k)
            moved[k] = motion[4u * k] +
                       dot(arms[row], real3(motion[4u * k + 1u], motion[4u * k + 2u], motion[4u * k + 3u]));
        preconditioned[row] += moved;
    }
}
