// Sums and largest values over a workgroup, in an order that depends on its size only. Include after local_size_x_id; sizes are
// powers of 2.
#ifndef COMMON_REDUCE_GLSL
#define COMMON_REDUCE_GLSL

#include "common/real.glsl"

shared real4 reduce_scratch[gl_WorkGroupSize.x];

real4 reduce_two(real4 a, real4 b)
{
    return real4(a.xyz + b.xyz, max(a.w, b.w));
}

/// The sums of x, y and z of `value` over the workgroup and the largest w, for all of its invocations. Call in uniform control
/// flow.
real4 workgroup_reduce(real4 value)
{
    const uint i = gl_LocalInvocationIndex;
    barrier();
    reduce_scratch[i] = value;
    barrier();
    for (uint width = gl_WorkGroupSize.x / 2u; width > 0u; width /= 2u) {
        if (i < width)
            reduce_scratch[i] = reduce_two(reduce_scratch[i], reduce_scratch[i + width]);
        barrier();
    }
    return reduce_scratch[0];
}

real workgroup_sum(real value)
{
    return workgroup_reduce(real4(value, 0.0, 0.0, 0.0)).x;
}

/// Values are not negative.
real workgroup_largest(real value)
{
    return workgroup_reduce(real4(0.0, 0.0, 0.0, value)).w;
}

#endif
