// Deformation gradients of elements from node vectors. Declare the buffers `slots`, `tets`, `gradients` and node_count and
// tet_count before.
#ifndef COMMON_GATHER_TETS_GLSL
#define COMMON_GATHER_TETS_GLSL

#include "common/tets.glsl"

/// G_1, G_2, G_3 of element t.
void gather_shape(uint t, out real g[9])
{
    for (uint k = 0u; k < 9u; ++k)
        g[k] = gradients[k * tet_count + t];
}

/// F of element t at the positions of a slot: the exact positions' differences first, then rounded.
void gather_gradient(uint t, uint slot, real g[9], out real f[9])
{
    const uint base = slot * node_count;
    const Exact3 x0 = slots[base + tets[t]];
    gradient_of(exact3_difference(slots[base + tets[tet_count + t]], x0),
                exact3_difference(slots[base + tets[2u * tet_count + t]], x0),
                exact3_difference(slots[base + tets[3u * tet_count + t]], x0), g, f);
}

#endif
