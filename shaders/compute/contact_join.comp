// The nodes above those that contact_leaves or an earlier run of this has set; `argument` is how many runs came before.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/contact/boxes.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Lists { uint lists[]; };
layout(scalar, set = 0, binding = 1) buffer Boxes { Box boxes[]; };
layout(scalar, set = 0, binding = 2) buffer OwnBoxes { Box own_boxes[]; };
layout(scalar, set = 0, binding = 3) buffer NodeOwners { uvec2 node_owners[]; };

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
        joined[own] = boxes[base + first + own];
        own_joined[own] = own_boxes[base + first + own];
        owners_joined[own] = node_owners[base + first + own];
    }
    barrier();
    join_levels(base, first, width);
}
