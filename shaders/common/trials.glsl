// The step lengths that are tried at once, and the sums over their terms. Declare the buffers `diagnosis` and `indices` before; define
// EXACT_SUMS where more is summed than every term has.
#ifndef COMMON_TRIALS_GLSL
#define COMMON_TRIALS_GLSL

#include "abi/newton.h"
#ifndef EXACT_SUMS
#define EXACT_SUMS TRIAL_TERM_SUMS
#endif

#include "abi/sums.h"
#include "common/exact_sums.glsl"

/// longest/2^halvings, the first step; in uniform control flow.
real first_step(uint halvings)
{
    real longest = real(1.0);
    for (uint g = gl_LocalInvocationIndex; g < SUM_GROUPS_MOST; g += gl_WorkGroupSize.x)
        longest = min(longest, exact_value(diagnosis[TRIAL_BOUND * SUM_GROUPS_MOST + g]));
    longest = workgroup_smallest(longest);
    for (uint i = 0u; i < halvings; ++i)
        longest *= real(0.5);
    return longest;
}

/// One term over trial i's step: what its value rises by, its slope there, the size of what both are rounded from.
void trial_add(uint i, real rise, real slope, real magnitude)
{
    if (!(abs(rise) < real(3e38))) {
        atomicOr(indices[TRIAL_INFINITE], 1u << i);
        return;
    }
    exact_sums_add(TRIAL_DIFFERENCE + i, exact(rise));
    exact_sums_add(TRIAL_SLOPE + i, exact(slope));
    exact_sums_add(TRIAL_MAGNITUDE + i, exact(magnitude));
}

#endif
