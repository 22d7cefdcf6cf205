// D x of how nodes move. Declare the buffers `slots`, `element_nodes` and `shapes` before, and require GL_EXT_control_flow_attributes.
#ifndef COMMON_ELEMENTS_GATHER_WAY_GLSL
#define COMMON_ELEMENTS_GATHER_WAY_GLSL

#include "common/elements/push.glsl"

/// D x at one slot less D x at another: the ways of nodes first, as exact as they are, then their differences. Corner after corner: unrolled,
/// the loop takes all of them at once, and elements of many corners more registers than there are.
void gather_way(uint e, uint from, uint to, out real f[ELEMENT_SIZE])
{
    const uint node = element_nodes[corner_place(e, 0u)];
    const Exact3 own = exact3_subtract(slots[to * node_count + node], slots[from * node_count + node]);
    for (uint k = 0u; k < ELEMENT_SIZE; ++k)
        f[k] = real(0.0);
    [[dont_unroll]] for (uint a = 1u; a < ELEMENT_CORNERS; ++a) {
        const uint other = element_nodes[corner_place(e, a)];
        const real3 edge =
            exact3_difference(exact3_subtract(slots[to * node_count + other], slots[from * node_count + other]), own);
        for (uint j = 0u; j < ELEMENT_COLUMNS; ++j) {
            const real g = shapes[shape_place(e, ELEMENT_COLUMNS * (a - 1u) + j)];
            for (int i = 0; i < 3; ++i)
                f[ELEMENT_COLUMNS * i + j] += edge[i] * g;
        }
    }
}

#endif
