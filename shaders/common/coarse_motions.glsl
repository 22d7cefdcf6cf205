// Sums of a vector of nodes over the motions of a chunk of a group. Define MANY_SUMS as COARSE_MODES and declare the buffer
// `partials` before.
#ifndef COMMON_COARSE_MOTIONS_GLSL
#define COMMON_COARSE_MOTIONS_GLSL

#include "abi/coarse.h"
#include "abi/sums.h"
#include "common/many_sums.glsl"
#include "common/real.glsl"

void motions_begin()
{
    many_sums_begin();
}

/// Adds what a node with these arms has of a vector.
void motions_add(real3 value, real3 arm)
{
    for (uint k = 0u; k < 3u; ++k) {
        many_sums_add(4u * k, value[k]);
        for (uint l = 0u; l < 3u; ++l)
            many_sums_add(4u * k + l + 1u, value[k] * arm[l]);
    }
}

/// Leaves the sums of chunk number `chunk` in the sections `section`, `section` + 1, …
void motions_end(uint section, uint chunk)
{
    barrier();
    for (uint v = gl_LocalInvocationIndex; v < COARSE_MODES; v += gl_WorkGroupSize.x)
        partials[(section + v) * SUM_GROUPS_MOST + chunk] = many_sums_total(v);
}

#endif
