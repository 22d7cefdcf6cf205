// Every group chooses another one to be joined with: that of the strongest coupling, if both together are not too large.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/barrier.h"
#include "abi/contact_groups.h"
#include "abi/kernel.h"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Columns { uvec2 columns[]; }; // column, row
layout(scalar, set = 0, binding = 2) readonly buffer Rows { uvec2 rows[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Couplings { float couplings[]; };
layout(scalar, set = 0, binding = 4) buffer Links { uint links[]; };

#include "common/contact/links.glsl"
#include "common/invocation.glsl"

/// Of two nodes, whichever comes first: couplings that are as strong, as in a regular pile all are, are told apart by chance, or most groups
/// would wait for a neighbour.
uint mixed(uint a, uint b)
{
    uint x = min(a, b) * 73856093u ^ max(a, b) * 19349663u;
    x = (x ^ x >> 16u) * 0x7feb352du;
    x = (x ^ x >> 15u) * 0x846ca68bu;
    return x ^ x >> 16u;
}

void main()
{
    const uint b = invocation_number();
    if (b >= control[PAIR_BLOCKS] || columns[b].x != columns[b].y)
        return;
    const uint own = columns[b].y, count = link(own, LINK_COUNT);
    if (link(own, LINK_FIRST) != own)
        return;
    uint choice = NO_CHOICE, best = 0u, node = own;
    for (uint k = 0u; k < count; ++k) {
        for (uint e = rows[node].x; e < rows[node].y; ++e) {
            if (couplings[e] == 0.0)
                continue;
            const uint column = columns[e].x, other = link(column, LINK_FIRST);
            if (other == own || count + link(other, LINK_COUNT) > CONTACT_GROUP_ROWS)
                continue;
            const uint strength = uint(min(couplings[e], 1.0) * float(COUPLING_STEPS - 1)) << 24u | mixed(node, column) >> 8u;
            if (strength > best) {
                best = strength;
                choice = other;
            }
        }
        node = link(node, LINK_NEXT);
    }
    links[4u * own + LINK_CHOICE] = choice;
}
