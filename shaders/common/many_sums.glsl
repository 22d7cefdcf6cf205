// MANY_SUMS sums over a workgroup at once: every invocation adds to its own column in shared memory (an array of its own
// would be indexed dynamically, and live in slow memory), invocation v adds up number v over the group, in order. Define
// MANY_SUMS before.
#ifndef COMMON_MANY_SUMS_GLSL
#define COMMON_MANY_SUMS_GLSL

#extension GL_EXT_control_flow_attributes : require

#include "common/real.glsl"

// One column more than invocations: neighbours read different banks.
shared real many_sums_scratch[MANY_SUMS * (gl_WorkGroupSize.x + 1u)];

void many_sums_begin()
{
    for (uint v = 0u; v < MANY_SUMS; ++v)
        many_sums_scratch[v * (gl_WorkGroupSize.x + 1u) + gl_LocalInvocationIndex] = real(0.0);
}

void many_sums_add(uint v, real value)
{
    many_sums_scratch[v * (gl_WorkGroupSize.x + 1u) + gl_LocalInvocationIndex] += value;
}

/// The workgroup's sum of number v, in order. Call behind a barrier.
real many_sums_total(uint v)
{
    const uint first = v * (gl_WorkGroupSize.x + 1u);
    real sum = real(0.0);
    for (uint i = 0u; i < gl_WorkGroupSize.x; i += 8u) { // a power of 2, 8 or more; eight loads under way together
        real part[8];
        [[unroll]] for (uint k = 0u; k < 8u; ++k)
            part[k] = many_sums_scratch[first + i + k];
        [[unroll]] for (uint k = 0u; k < 8u; ++k)
            sum += part[k];
    }
    return sum;
}

#endif
