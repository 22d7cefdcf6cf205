// Sums of a vector of nodes over the motions of a chunk of a group. Define MANY_SUMS as COARSE_MODES and declare the buffers
// `partials` and `arms` and node_count before.
#ifndef COMMON_COARSE_MOTIONS_GLSL
#define COMMON_COARSE_MOTIONS_GLSL

#include "abi/coarse.h"
#include "abi/sums.h"
#include "common/group_motions.glsl"
#include "common/many_sums.glsl"
#include "common/real.glsl"

void motions_begin()
{
    many_sums_begin();
}

/// Adds what a node of the group with these arms has of a vector.
void motions_add(GroupMotions motions, real3 arm, real3 value)
{
    real of[COARSE_MODES];
    motions_of(motions, arm, value, of);
    for (uint m = 0u; m < COARSE_MODES; ++m)
        many_sums_add(m, of[m]);
}

/// Leaves the sums of chunk number `chunk` in the sections `section`, `section` + 1, …
void motions_end(uint section, uint chunk)
{
    barrier();
    for (uint v = gl_LocalInvocationIndex; v < COARSE_MODES; v += gl_WorkGroupSize.x)
        partials[(section + v) * SUM_GROUPS_MOST + chunk] = many_sums_total(v);
}

#endif
