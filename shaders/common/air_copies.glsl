// ADMM's copies of vertices' positions for the air (abi/air.h). Declare the buffers `air_copies` and `air_weights` before, where they are
// needed `map_starts`, `map_nodes`, `map_weights` and `slots`, and vertex_count and node_count of the push constants.
#ifndef COMMON_AIR_COPIES_GLSL
#define COMMON_AIR_COPIES_GLSL

#include "abi/air.h"
#include "common/real.glsl"

uint air_place(uint section, uint v, uint k)
{
    return (3u * section + k) * vertex_count + v;
}

real3 air_load(uint section, uint v)
{
    return real3(air_copies[air_place(section, v, 0u)], air_copies[air_place(section, v, 1u)], air_copies[air_place(section, v, 2u)]);
}

#endif
