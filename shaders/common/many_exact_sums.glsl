// EXACT_SUMS sums of exact numbers over a workgroup at once, as many_sums.glsl does for reals. Define EXACT_SUMS before.
#ifndef COMMON_MANY_EXACT_SUMS_GLSL
#define COMMON_MANY_EXACT_SUMS_GLSL

#include "common/real.glsl"

shared Exact exact_sums_scratch[EXACT_SUMS * (gl_WorkGroupSize.x + 1u)];

void exact_sums_begin()
{
    for (uint v = 0u; v < EXACT_SUMS; ++v)
        exact_sums_scratch[v * (gl_WorkGroupSize.x + 1u) + gl_LocalInvocationIndex] = exact(real(0.0));
}

void exact_sums_add(uint v, Exact value)
{
    const uint at = v * (gl_WorkGroupSize.x + 1u) + gl_LocalInvocationIndex;
    exact_sums_scratch[at] = exact_add(exact_sums_scratch[at], value);
}

/// The workgroup's sum of number v, in order. Call behind a barrier.
Exact exact_sums_total(uint v)
{
    Exact sum = exact(real(0.0));
    for (uint i = 0u; i < gl_WorkGroupSize.x; ++i)
        sum = exact_add(sum, exact_sums_scratch[v * (gl_WorkGroupSize.x + 1u) + i]);
    return sum;
}

#endif
