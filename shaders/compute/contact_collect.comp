// variant: f64
// The raw pairs of every query, in no order: contact_list finds one. Where a query's pairs start becomes where they end. A workgroup
// that had no room for all that its walks found walks again.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/contact/boxes.glsl"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Vertices { Exact3 vertices[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Motion { Exact3 motion[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Lists { uint lists[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Numbers { real numbers[]; };
layout(scalar, set = 0, binding = 4) readonly buffer OwnerMotion { vec3 owner_motion[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Order { uint order[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Boxes { Box boxes[]; };
layout(scalar, set = 0, binding = 7) readonly buffer OwnBoxes { Box own_boxes[]; };
layout(scalar, set = 0, binding = 8) readonly buffer NodeOwners { uvec2 node_owners[]; };
layout(scalar, set = 0, binding = 9) buffer Starts { uint starts[]; };
layout(scalar, set = 0, binding = 10) writeonly buffer Raw { uvec2 raw[]; };
layout(scalar, set = 0, binding = 11) readonly buffer Walked { uvec2 walked[]; };

#include "common/contact/vertex_boxes.glsl"
#include "common/invocation.glsl"

#include "common/contact/planes.glsl"
#include "common/contact/queries.glsl"

/// Pairs that an invocation has under way together: each takes three accesses that wait for each other.
#define COPIES 4u

void found(uint query, uint partner)
{
    raw[atomicAdd(starts[query], 1u)] = uvec2(query, partner);
}

#include "common/contact/search.glsl"

void main()
{
    const uint group = group_number();
    if (GROUP_CONTACT * group >= search_count())
        return;
    const uint first = first_walked(group), count = walked[first - WALKED_HEAD].x;
    if (count > walk_room) {
        search(invocation_number());
        return;
    }
    for (uint i = gl_LocalInvocationIndex; i < count; i += COPIES * GROUP_CONTACT) {
        uvec2 pairs[COPIES];
        uint places[COPIES];
        for (uint c = 0u; c < COPIES; ++c)
            pairs[c] = walked[first + min(i + c * GROUP_CONTACT, count - 1u)];
        for (uint c = 0u; c < COPIES; ++c)
            if (i + c * GROUP_CONTACT < count)
                places[c] = atomicAdd(starts[pairs[c].x], 1u);
        for (uint c = 0u; c < COPIES; ++c)
            if (i + c * GROUP_CONTACT < count)
                raw[places[c]] = pairs[c];
    }
}
