// Elements from nodes: D x from node vectors. Declare the buffers `slots`, `element_nodes` and `shapes` before.
#ifndef COMMON_ELEMENTS_GATHER_GLSL
#define COMMON_ELEMENTS_GATHER_GLSL

#include "common/elements/push.glsl"

/// G_1, G_2, ... of element e.
void gather_shape(uint e, out real g[ELEMENT_SHAPES])
{
    for (uint k = 0u; k < ELEMENT_SHAPES; ++k)
        g[k] = shapes[shape_place(e, k)];
}

/// F_ij = sum_a (x_a - x_0)_i G_aj from the edges x_a - x_0.
void gradient_of(real3 edges[ELEMENT_CORNERS - 1], real g[ELEMENT_SHAPES], out real f[ELEMENT_SIZE])
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < ELEMENT_COLUMNS; ++j) {
            real sum = edges[0][i] * g[j];
            for (int a = 1; a < ELEMENT_CORNERS - 1; ++a)
                sum += edges[a][i] * g[ELEMENT_COLUMNS * a + j];
            f[ELEMENT_COLUMNS * i + j] = sum;
        }
}

/// F of element e at the positions of a slot: the exact positions' differences first, then rounded.
void gather_gradient(uint e, uint slot, real g[ELEMENT_SHAPES], out real f[ELEMENT_SIZE])
{
    const uint base = slot * node_count;
    const Exact3 x0 = slots[base + element_nodes[corner_place(e, 0u)]];
    real3 edges[ELEMENT_CORNERS - 1];
    for (uint a = 1u; a < ELEMENT_CORNERS; ++a)
        edges[a - 1u] = exact3_difference(slots[base + element_nodes[corner_place(e, a)]], x0);
    gradient_of(edges, g, f);
}

#ifdef ELEMENT_FLOAT_FLOAT
/// The same without rounding; G is taken as it is, which is a rest shape off by its rounding.
void gather_gradient(uint e, uint slot, real g[ELEMENT_SHAPES], out Exact f[ELEMENT_SIZE])
{
    const uint base = slot * node_count;
    const Exact3 x0 = slots[base + element_nodes[corner_place(e, 0u)]];
    for (int k = 0; k < ELEMENT_SIZE; ++k)
        f[k] = exact(real(0.0));
    for (uint a = 1u; a < ELEMENT_CORNERS; ++a) {
        const Exact3 edge = exact3_subtract(slots[base + element_nodes[corner_place(e, a)]], x0);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < ELEMENT_COLUMNS; ++j) {
                const int k = ELEMENT_COLUMNS * i + j;
                f[k] = exact_add(f[k], exact_multiply(exact3_component(edge, i),
                                                      exact(g[ELEMENT_COLUMNS * (a - 1u) + j])));
            }
    }
}
#endif

#endif
