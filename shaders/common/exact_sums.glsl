// EXACT_SUMS sums of exact numbers over a workgroup at once, as many_sums.glsl does for reals. Define EXACT_SUMS and
// declare the buffer `diagnosis` before.
#ifndef COMMON_EXACT_SUMS_GLSL
#define COMMON_EXACT_SUMS_GLSL

#include "common/real.glsl"

shared Exact exact_sums_scratch[EXACT_SUMS * (gl_WorkGroupSize.x + 1u)];

/// Writes the sums of the workgroup to entry `entry` of the sections `section`, `section` + 1, …
void exact_sums(Exact values[EXACT_SUMS], uint section, uint entry)
{
    const uint width = gl_WorkGroupSize.x + 1u;
    for (uint v = 0u; v < EXACT_SUMS; ++v)
        exact_sums_scratch[v * width + gl_LocalInvocationIndex] = values[v];
    barrier();
    for (uint v = gl_LocalInvocationIndex; v < EXACT_SUMS; v += gl_WorkGroupSize.x) {
        Exact sum = exact(real(0.0));
        for (uint i = 0u; i < gl_WorkGroupSize.x; ++i)
            sum = exact_add(sum, exact_sums_scratch[v * width + i]);
        diagnosis[(section + v) * SUM_GROUPS_MOST + entry] = sum;
    }
}

shared real smallest_scratch[gl_WorkGroupSize.x];

/// The smallest of the workgroup's values, for all of its invocations.
real workgroup_smallest(real value)
{
    const uint i = gl_LocalInvocationIndex;
    barrier();
    smallest_scratch[i] = value;
    barrier();
    for (uint width = gl_WorkGroupSize.x / 2u; width > 0u; width /= 2u) {
        if (i < width)
            smallest_scratch[i] = min(smallest_scratch[i], smallest_scratch[i + width]);
        barrier();
    }
    return smallest_scratch[0];
}

#endif
