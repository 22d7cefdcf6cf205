// How vertices of a surface move between two slots. Declare the buffers `map_starts`, `map_nodes`, `map_weights` and `slots` before, and
// node_count of the push constants.
#ifndef COMMON_VERTEX_WAY_GLSL
#define COMMON_VERTEX_WAY_GLSL

#include "common/real.glsl"

real3 vertex_way(uint v, uint from, uint to)
{
    real3 sum = real3(0.0);
    for (uint k = map_starts[v]; k < map_starts[v + 1u]; ++k) {
        const uint i = map_nodes[k];
        sum += exact_value(map_weights[k]) * exact3_difference(slots[to * node_count + i], slots[from * node_count + i]);
    }
    return sum;
}

#endif
