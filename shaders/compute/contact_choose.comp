// Every group chooses another one to be joined with: that of the strongest coupling, if both together are not too large.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
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

/// Entries of a row that are under way together.
const uint ENTRIES_AT_ONCE = 4u;

/// Looks at some entries of the row of `node`, from `first` on to before `end`: `choice` becomes the group that one of them couples more strongly than
/// `best`.
void choose(uint own, uint count, uint node, uint first, uint end, inout uint best, inout uint choice)
{
    float coupling[ENTRIES_AT_ONCE];
    uint column[ENTRIES_AT_ONCE], other[ENTRIES_AT_ONCE], others[ENTRIES_AT_ONCE];
    [[unroll]] for (uint k = 0u; k < ENTRIES_AT_ONCE; ++k) {
        coupling[k] = couplings[min(first + k, end - 1u)];
        column[k] = columns[min(first + k, end - 1u)].x;
    }
    [[unroll]] for (uint k = 0u; k < ENTRIES_AT_ONCE; ++k)
        other[k] = link(column[k], LINK_FIRST);
    [[unroll]] for (uint k = 0u; k < ENTRIES_AT_ONCE; ++k)
        others[k] = link(other[k], LINK_COUNT);
    [[unroll]] for (uint k = 0u; k < ENTRIES_AT_ONCE; ++k) { // the last one may be looked at again
        const uint strength = uint(min(coupling[k], 1.0) * float(COUPLING_STEPS - 1)) << 24u | mixed(node, column[k]) >> 8u;
        if (coupling[k] != 0.0 && other[k] != own && count + others[k] <= CONTACT_GROUP_ROWS && strength > best) {
            best = strength;
            choice = other[k];
        }
    }
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
        const uvec2 range = rows[node];
        for (uint e = range.x; e < range.y; e += ENTRIES_AT_ONCE)
            choose(own, count, node, e, range.y, best, choice);
        node = link(node, LINK_NEXT);
    }
    links[4u * own + LINK_CHOICE] = choice;
}
