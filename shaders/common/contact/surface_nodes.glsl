// Motions of the surface's vertices from those of nodes. Declare the buffers `starts`, `nodes` and `weights` of the surface map,
// `slots` and node_count before.
#ifndef COMMON_CONTACT_SURFACE_NODES_GLSL
#define COMMON_CONTACT_SURFACE_NODES_GLSL

#include "common/real.glsl"

/// How far a vertex is in slot `to` from where it is in slot `from`, m.
real3 vertex_difference(uint vertex, uint to, uint from)
{
    real3 sum = real3(0.0);
    for (uint k = starts[vertex]; k < starts[vertex + 1u]; ++k)
        sum += exact_value(weights[k]) *
               exact3_difference(slots[to * node_count + nodes[k]], slots[from * node_count + nodes[k]]);
    return sum;
}

/// A vertex' value in a slot.
real3 vertex_value(uint vertex, uint slot)
{
    real3 sum = real3(0.0);
    for (uint k = starts[vertex]; k < starts[vertex + 1u]; ++k)
        sum += exact_value(weights[k]) * exact3_value(slots[slot * node_count + nodes[k]]);
    return sum;
}

#endif
