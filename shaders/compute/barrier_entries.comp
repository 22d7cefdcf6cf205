// The entries of Newton's matrix that a pair adds to, as keys to be sorted: row, column with the diagonal first. Once to count
// them, once to write them; for a gradient alone those of the diagonal.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/barrier.h"
#include "abi/kernel.h"
#include "abi/nodes.h"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(constant_id = SPEC_FIRST_OWN) const bool WEIGHED_VERTICES = false;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Corners { uint corners[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Starts { uint starts[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Nodes { uint nodes[]; };
layout(scalar, set = 0, binding = 4) buffer PairNodes { uint pair_nodes[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 6) buffer Counts { uint counts[]; };
layout(scalar, set = 0, binding = 7) writeonly buffer Keys { uint keys[]; };
layout(scalar, set = 0, binding = 8) writeonly buffer Sources { uint sources[]; };
/// column_bits: of the lower part of the key
layout(push_constant) uniform Push { uint writes, whole, column_bits; };

#include "common/invocation.glsl"
#include "common/contact/pair_nodes.glsl"

/// Writes the pair's list of nodes, each once.
void find_nodes(uint pair)
{
    uint count = 0u;
    for (uint i = 0u; i < 4u; ++i) {
        const uint vertex = pair_vertex(pair, i);
        for (uint k = starts[vertex]; k < starts[vertex + 1u] && (pair_mask(pair) >> i & 1u) != 0u; ++k) {
            bool known = false;
            for (uint a = 0u; a < count; ++a)
                known = known || pair_nodes[PAIR_NODES * pair + 1u + a] == nodes[k];
            if (!known)
                pair_nodes[PAIR_NODES * pair + 1u + count++] = nodes[k];
        }
    }
    pair_nodes[PAIR_NODES * pair] = count;
}

void write_entry(uint at, uint row, uint column, uint source)
{
    // The diagonal block comes first in its row.
    const uint place = column == row ? 0u : column + 1u;
    keys[2u * at] = row << column_bits | place;
    keys[2u * at + 1u] = column_bits > 0u && column_bits < 32u ? row >> (32u - column_bits) : row;
    sources[at] = source;
}

void main()
{
    const uint pair = invocation_number();
    // Entries that there is no room for are 0 (barrier_plan).
    if (pair >= control[PAIR_COUNT] || (writes != 0u && control[PAIR_ENTRIES] == 0u))
        return;
    if (WEIGHED_VERTICES && writes == 0u)
        find_nodes(pair);
    uint at = writes != 0u ? counts[pair] : 0u;
    for (uint a = 0u; a < pair_node_places(pair); ++a) {
        if (!pair_has_node(pair, a) || (flags[pair_node(pair, a)] & NODE_IS_FREE) == 0u)
            continue;
        for (uint b = 0u; b < pair_node_places(pair); ++b) {
            if (!pair_has_node(pair, b) || (whole == 0u && a != b))
                continue;
            if (writes != 0u)
                write_entry(at, pair_node(pair, a), pair_node(pair, b),
                            pair << ENTRY_PAIR_SHIFT | a << ENTRY_ROW_SHIFT | b);
            ++at;
        }
    }
    if (writes == 0u)
        counts[pair] = at;
}
