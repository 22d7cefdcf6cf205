// D x of how nodes move. Declare the buffers `slots`, `element_nodes` and `shapes` before, and require GL_EXT_control_flow_attributes.
#ifndef COMMON_ELEMENTS_GATHER_WAY_GLSL
#define COMMON_ELEMENTS_GATHER_WAY_GLSL

#include "abi/damping.h"
#include "common/elements/push.glsl"

/// The way of a node; that of a slot itself where it comes from DAMPING_NO_SLOT.
Exact3 way_of(uint node, uint from, uint to)
{
    const Exact3 end = slots[to * node_count + node];
    if (from == DAMPING_NO_SLOT)
        return end;
    return exact3_subtract(end, slots[from * node_count + node]);
}

/// D x at one slot less D x at another: the ways of nodes first, as exact as they are, then their differences. Corner after corner: unrolled,
/// the loop takes all of them at once, and elements of many corners more registers than there are.
void gather_way(uint e, uint from, uint to, out real f[ELEMENT_SIZE])
{
    const uint node = element_nodes[corner_place(e, 0u)];
    const Exact3 own = way_of(node, from, to);
    for (uint k = 0u; k < ELEMENT_SIZE; ++k)
        f[k] = real(0.0);
    [[dont_unroll]] for (uint a = 1u; a < ELEMENT_CORNERS; ++a) {
        const real3 edge = exact3_difference(way_of(element_nodes[corner_place(e, a)], from, to), own);
        for (uint j = 0u; j < ELEMENT_COLUMNS; ++j) {
            const real g = shapes[shape_place(e, ELEMENT_COLUMNS * (a - 1u) + j)];
            for (int i = 0; i < 3; ++i)
                f[ELEMENT_COLUMNS * i + j] += edge[i] * g;
        }
    }
}

#endif
