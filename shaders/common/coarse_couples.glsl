// Which supernodes of the coarse matrix (abi/coarse.h) are coupled. Declare the buffer `plan` before.
#ifndef COMMON_COARSE_COUPLES_GLSL
#define COMMON_COARSE_COUPLES_GLSL

#include "abi/coarse.h"

/// There is a block of groups i and j, i <= j. By all invocations of a workgroup.
void keep_couple(uint i, uint j)
{
    const uint supernode = i / COARSE_ELIMINATED, other = j / COARSE_ELIMINATED;
    if (gl_LocalInvocationIndex == 0u && supernode != other)
        atomicOr(plan[COARSE_PLAN_COUPLES + 2u * supernode + other / 32u], 1u << other % 32u);
}

#endif
