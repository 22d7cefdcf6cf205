// The nodes above those that contact_leaves or an earlier run of this has set; `argument` is how many runs came before.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/contact/boxes.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Lists { uint lists[]; };
layout(scalar, set = 0, binding = 1) buffer Nodes { uvec4 nodes[]; };
layout(scalar, set = 0, binding = 2) buffer OwnNodes { uvec4 own_nodes[]; };

#include "common/contact/lists.glsl"
#include "common/invocation.glsl"

#include "common/contact/levels.glsl"

void main()
{
    uint kind, first, width;
    if (!level_part(argument, kind, first, width))
        return;
    const uint own = gl_LocalInvocationIndex, base = tree_of(kind).base;
    if (own < width) {
        const uint at = 2u * (base + first + own);
        const uvec4 low = nodes[at], high = nodes[at + 1u];
        joined[own] = node_box(low, high);
        own_joined[own] = node_box(own_nodes[at], own_nodes[at + 1u]);
        owners_joined[own] = uvec2(low.w, high.w);
    }
    barrier();
    join_levels(base, first, width);
}
