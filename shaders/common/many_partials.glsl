// Sums as many_sums.glsl forms them, to sections of the partial sums. Define MANY_SUMS and declare the buffer `partials` before.
#ifndef COMMON_MANY_PARTIALS_GLSL
#define COMMON_MANY_PARTIALS_GLSL

#include "abi/sums.h"
#include "common/many_sums.glsl"

/// Writes the sums of the workgroup to entry `entry` of sections `section`, `section` + 1, … of the partial sums. In uniform
/// control flow.
void many_sums_end(uint section, uint entry)
{
    barrier();
    for (uint v = gl_LocalInvocationIndex; v < MANY_SUMS; v += gl_WorkGroupSize.x)
        partials[(section + v) * SUM_GROUPS_MOST + entry] = many_sums_total(v);
}

#endif
