// variant: f64
// Sums the entries of a block in their order, which is that of the pairs: blocks on the diagonal and gradients join what the
// nodes have, the others make a list of their own, row by row.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/barrier.h"
#include "abi/kernel.h"
#include "abi/linear.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(constant_id = SPEC_FIRST_OWN) const bool WEIGHED_VERTICES = false;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Corners { uint corners[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Starts { uint starts[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Nodes { uint nodes[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Weights { Exact weights[]; };
layout(scalar, set = 0, binding = 5) readonly buffer PairNodes { uint pair_nodes[]; };
layout(scalar, set = 0, binding = 6) readonly buffer BlockStarts { uint block_starts[]; };
layout(scalar, set = 0, binding = 7) readonly buffer Sources { uint sources[]; };
layout(scalar, set = 0, binding = 8) readonly buffer Pairs { real3 pairs[]; };
layout(scalar, set = 0, binding = 9) buffer Gradient { real3 gradient[]; };
layout(scalar, set = 0, binding = 10) buffer Own { real own[]; }; // six numbers a node, which newton_start adds to the diagonal
layout(scalar, set = 0, binding = 11) writeonly buffer Rows { uvec2 rows[]; };
layout(scalar, set = 0, binding = 12) writeonly buffer Columns { uvec2 columns[]; }; // column, row
layout(scalar, set = 0, binding = 13) writeonly buffer Values { real3x3 values[]; };
layout(push_constant) uniform Push { uint whole; };

#include "common/invocation.glsl"
#include "common/contact/pair_nodes.glsl"
#include "common/contact/node_weight.glsl"

/// Vector `at` of the pair's: of one vertex, or summed over those that follow from the node.
real3 entry_vector(uint pair, uint a, uint at)
{
    if (!WEIGHED_VERTICES)
        return pairs[PAIR_DATA * pair + at + a];
    real3 sum = real3(0.0);
    const uint node = pair_node(pair, a), mask = pair_mask(pair);
    for (uint i = 0u; i < 4u; ++i)
        if ((mask >> i & 1u) != 0u)
            sum += node_weight(pair_vertex(pair, i), node) * pairs[PAIR_DATA * pair + at + i];
    return sum;
}

real3x3 entry_block(uint pair, uint a, uint b)
{
    real3x3 sum = real3x3(real(0.0));
    for (uint k = 0u; k < 3u; ++k)
        sum += outerProduct(entry_vector(pair, a, PAIR_FACTORS + 4u * k), entry_vector(pair, b, PAIR_FACTORS + 4u * k));
    return sum;
}

uint row_of(uint block)
{
    const uint source = sources[block_starts[block]];
    return pair_node(source >> ENTRY_PAIR_SHIFT, source >> ENTRY_ROW_SHIFT & ENTRY_COLUMN_MASK);
}

void main()
{
    const uint block = invocation_number(), count = control[PAIR_BLOCKS];
    if (block >= count)
        return;
    const uint first = sources[block_starts[block]];
    const uint row = row_of(block), column = pair_node(first >> ENTRY_PAIR_SHIFT, first & ENTRY_COLUMN_MASK);
    real3x3 sum = real3x3(real(0.0));
    real3 pull = real3(0.0);
    for (uint e = block_starts[block]; e < block_starts[block + 1u]; ++e) {
        const uint pair = sources[e] >> ENTRY_PAIR_SHIFT, a = sources[e] >> ENTRY_ROW_SHIFT & ENTRY_COLUMN_MASK,
                   b = sources[e] & ENTRY_COLUMN_MASK;
        if (whole != 0u)
            sum += entry_block(pair, a, b);
        if (a == b)
            pull += entry_vector(pair, a, 0u);
    }
    if (row == column) {
        gradient[row] += pull;
        rows[row].x = block + 1u;
        if (whole != 0u) {
            own[6u * row] += sum[0][0];
            own[6u * row + 1u] += sum[1][1];
            own[6u * row + 2u] += sum[2][2];
            own[6u * row + 3u] += sum[1][0];
            own[6u * row + 4u] += sum[2][0];
            own[6u * row + 5u] += sum[2][1];
        }
    }
    if (block + 1u == count || row_of(block + 1u) != row)
        rows[row].y = block + 1u;
    columns[block] = uvec2(column, row);
    values[block] = sum;
}
