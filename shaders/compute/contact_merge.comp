// Joins groups that have chosen each other: the lower one's first node is that of both.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/barrier.h"
#include "abi/contact_groups.h"
#include "abi/kernel.h"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Columns { uvec2 columns[]; }; // column, row
layout(scalar, set = 0, binding = 2) buffer Links { uint links[]; };

#include "common/contact/links.glsl"
#include "common/invocation.glsl"

void main()
{
    const uint b = invocation_number();
    if (b >= control[PAIR_BLOCKS] || columns[b].x != columns[b].y)
        return;
    const uint own = columns[b].y, other = link(own, LINK_CHOICE);
    if (link(own, LINK_FIRST) != own || other == NO_CHOICE || other < own || link(other, LINK_CHOICE) != own)
        return;
    const uint count = link(other, LINK_COUNT), next = link(own, LINK_NEXT);
    uint node = other, last = other;
    for (uint k = 0u; k < count; ++k) {
        links[4u * node + LINK_FIRST] = own;
        last = node;
        node = link(node, LINK_NEXT);
    }
    // The other's ring is cut behind its last node and put between the first node and the next one.
    links[4u * last + LINK_NEXT] = next;
    links[4u * own + LINK_NEXT] = other;
    links[4u * own + LINK_COUNT] += count;
}
