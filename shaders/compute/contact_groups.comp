// The list of groups of more than one node: once as flags to be counted, at the block on the diagonal of a group's first node, once written.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/barrier.h"
#include "abi/contact_groups.h"
#include "abi/kernel.h"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Columns { uvec2 columns[]; }; // column, row
layout(scalar, set = 0, binding = 2) readonly buffer Links { uint links[]; };
layout(scalar, set = 0, binding = 3) buffer Places { uint places[]; };
layout(scalar, set = 0, binding = 4) writeonly buffer Groups { uint groups[]; };
layout(push_constant) uniform Push { uint writes; };

#include "common/contact/links.glsl"
#include "common/invocation.glsl"

void main()
{
    const uint b = invocation_number();
    if (b >= control[PAIR_BLOCKS])
        return;
    const uint own = columns[b].y;
    const bool is_first =
        columns[b].x == own && link(own, LINK_FIRST) == own && link(own, LINK_COUNT) > 1u;
    if (writes == 0u) {
        places[b] = is_first ? 1u : 0u;
        return;
    }
    if (!is_first || control[PAIR_GROUPS] == 0u)
        return;
    uint node = own;
    for (uint k = 0u; k < CONTACT_GROUP_ROWS; ++k) {
        groups[CONTACT_GROUP_ROWS * places[b] + k] = k < link(own, LINK_COUNT) ? node : NO_CHOICE;
        node = link(node, LINK_NEXT);
    }
}
