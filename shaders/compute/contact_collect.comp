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
layout(scalar, set = 0, binding = 6) readonly buffer Nodes { uvec4 nodes[]; };
layout(scalar, set = 0, binding = 7) readonly buffer OwnNodes { uvec4 own_nodes[]; };
layout(scalar, set = 0, binding = 8) buffer Starts { uint starts[]; };
layout(scalar, set = 0, binding = 9) writeonly buffer Raw { uvec2 raw[]; };
layout(scalar, set = 0, binding = 10) readonly buffer Walked { uvec2 walked[]; };

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
    const uint group = group_number() / CONTACT_COLLECTORS, part = group_number() % CONTACT_COLLECTORS;
    if (group >= search_groups())
        return;
    const uint first = first_walked(group), count = walked[first - WALKED_HEAD].x;
    if (count > walk_room) {
        if (part == 0u)
            search(group * GROUP_CONTACT + gl_LocalInvocationIndex);
        return;
    }
    for (uint i = part * COPIES * GROUP_CONTACT + gl_LocalInvocationIndex; i < count;
         i += CONTACT_COLLECTORS * COPIES * GROUP_CONTACT) {
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
