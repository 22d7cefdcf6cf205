// Sums and largest values over a workgroup, in an order that depends on its size only. Include after local_size_x_id; sizes are
// powers of 2.
#ifndef COMMON_REDUCE_GLSL
#define COMMON_REDUCE_GLSL

#include "common/real.glsl"
#include "common/subgroup.glsl"

shared real4 reduce_scratch[gl_WorkGroupSize.x];

real4 reduce_two(real4 a, real4 b)
{
    precise const real3 sum = a.xyz + b.xyz; // no compiler joins the sums of several rounds in an order of its own
    return real4(sum, max(a.w, b.w));
}

/// What the first `count` entries add up to, for all invocations: entry i and entry i + count/2 are added, and so on. Every subgroup
/// does it for itself, which saves handing the outcome round: up to four entries a lane, then shuffles.
real4 subgroup_reduce(uint count)
{
    const uint lane = gl_SubgroupInvocationID;
    real4 value = reduce_scratch[lane];
    if (count >= 2u * SUBGROUP_SIZE) {
        real4 other = reduce_scratch[lane + SUBGROUP_SIZE];
        if (count == 4u * SUBGROUP_SIZE) {
            value = reduce_two(value, reduce_scratch[lane + 2u * SUBGROUP_SIZE]);
            other = reduce_two(other, reduce_scratch[lane + 3u * SUBGROUP_SIZE]);
        }
        value = reduce_two(value, other);
    }
    for (uint width = SUBGROUP_SIZE / 2u; width > 0u; width /= 2u)
        value = reduce_two(value, subgroupShuffleXor(value, width));
    // Lanes may differ where something is not a number: the larger of two depends on which comes first.
    return subgroupShuffle(value, 0u);
}

/// The sums of x, y and z of `value` over the workgroup and the largest w, for all of its invocations. Call in uniform control
/// flow.
real4 workgroup_reduce(real4 value)
{
    const uint i = gl_LocalInvocationIndex;
    const uint rest = SUBGROUP_SIZE > 1u ? min(4u * SUBGROUP_SIZE, gl_WorkGroupSize.x) : 1u;
    barrier();
    reduce_scratch[i] = value;
    barrier();
    for (uint width = gl_WorkGroupSize.x / 2u; width >= rest; width /= 2u) {
        if (i < width)
            reduce_scratch[i] = reduce_two(reduce_scratch[i], reduce_scratch[i + width]);
        barrier();
    }
    if (SUBGROUP_SIZE > 1u)
        return subgroup_reduce(rest);
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
