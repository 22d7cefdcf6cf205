// What a step along the direction does to an element. Declare the buffers `tets`, `gradients`, `increment` and tet_count before.
#ifndef COMMON_GATHER_INCREMENT_GLSL
#define COMMON_GATHER_INCREMENT_GLSL

#include "common/tets.glsl"

/// dF of element t over the whole direction.
void gather_increment(uint t, real g[9], out real change[9])
{
    const real3 d0 = increment[tets[t]];
    gradient_of(increment[tets[tet_count + t]] - d0, increment[tets[2u * tet_count + t]] - d0,
                increment[tets[3u * tet_count + t]] - d0, g, change);
}

#endif
