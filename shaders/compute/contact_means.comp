// variant: f64
// The mean motion of every owner that is held against itself: within it boxes move relative to that. One workgroup an owner.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Motion { Exact3 motion[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Lists { uint lists[]; };
layout(scalar, set = 0, binding = 2) writeonly buffer OwnerMotion { vec3 owner_motion[]; };

#include "common/contact/lists.glsl"
#include "common/invocation.glsl"

shared vec3 sums[gl_WorkGroupSize.x];

void main()
{
    const uint owner = group_number(), own = gl_LocalInvocationIndex;
    if (owner >= owner_count)
        return;
    const uvec3 words = owner_words(owner);
    if ((words.z & OWNER_MEETS_ITSELF) == 0u || words.y == 0u)
        return;
    vec3 sum = vec3(0.0);
    for (uint i = own; moves != 0u && i < words.y; i += gl_WorkGroupSize.x)
        sum += vec3(exact3_value(motion[words.x + i]));
    sums[own] = sum;
    barrier();
    for (uint width = gl_WorkGroupSize.x / 2u; width > 0u; width /= 2u) {
        if (own < width)
            sums[own] += sums[own + width];
        barrier();
    }
    if (own == 0u)
        owner_motion[owner] = sums[0] / float(words.y);
}
