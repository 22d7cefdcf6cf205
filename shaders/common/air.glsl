// The air at the surface's vertices. Declare the buffers `map_starts`, `map_nodes`, `map_weights` and `slots`, and `blocks`, B of every vertex, and
// the words of AirPush (src/device/vulkan/terms/air.c) before.
#ifndef COMMON_AIR_GLSL
#define COMMON_AIR_GLSL

#include "abi/air.h"
#include "abi/damping.h"

/// B w of vertex v.
real3 air_apply(uint v, real3 w)
{
    const real xx = blocks[v], yy = blocks[vertex_count + v], zz = blocks[2u * vertex_count + v];
    const real xy = blocks[3u * vertex_count + v], xz = blocks[4u * vertex_count + v], yz = blocks[5u * vertex_count + v];
    return real3(xx * w.x + xy * w.y + xz * w.z, xy * w.x + yy * w.y + yz * w.z, xz * w.x + yz * w.y + zz * w.z);
}

/// The velocity of a node.
real3 node_velocity(uint i)
{
    const Exact3 end = slots[to * node_count + i];
    return exact_value(inverse) * (from == DAMPING_NO_SLOT ? exact3_value(end)
                                                           : exact3_difference(end, slots[from * node_count + i]));
}

/// That of a vertex against the wind.
real3 velocity_against(uint v)
{
    real3 sum = real3(0.0);
    for (uint k = map_starts[v]; k < map_starts[v + 1u]; ++k)
        sum += exact_value(map_weights[k]) * node_velocity(map_nodes[k]);
    return sum - exact3_value(wind);
}

#endif
