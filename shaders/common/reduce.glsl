// Sums over a workgroup, in an order that depends on its size only. Include after local_size_x_id; sizes are powers of 2.
#ifndef COMMON_REDUCE_GLSL
#define COMMON_REDUCE_GLSL

#include "common/real.glsl"

shared real reduce_scratch[gl_WorkGroupSize.x];

/// The largest `value` of the workgroup, for all of its invocations. Call in uniform control flow.
real workgroup_largest(real value)
{
    const uint i = gl_LocalInvocationIndex;
    barrier();
    reduce_scratch[i] = value;
    barrier();
    for (uint width = gl_WorkGroupSize.x / 2u; width > 0u; width /= 2u) {
        if (i < width)
            reduce_scratch[i] = max(reduce_scratch[i], reduce_scratch[i + width]);
        barrier();
    }
    return reduce_scratch[0];
}

/// The sum of `value` over the workgroup, for all of its invocations. Call in uniform control flow.
real workgroup_sum(real value)
{
    const uint i = gl_LocalInvocationIndex;
    barrier();
    reduce_scratch[i] = value;
    barrier();
    for (uint width = gl_WorkGroupSize.x / 2u; width > 0u; width /= 2u) {
        if (i < width)
            reduce_scratch[i] += reduce_scratch[i + width];
        barrier();
    }
    return reduce_scratch[0];
}

#endif
