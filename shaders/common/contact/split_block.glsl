// What ADMM's split of penalty contact adds to the global matrix at a surface node. Declare the buffer `scalars` before.
#ifndef COMMON_CONTACT_SPLIT_BLOCK_GLSL
#define COMMON_CONTACT_SPLIT_BLOCK_GLSL

#include "abi/scalars.h"
#include "common/physics/contact/plane_penalty.glsl"

/// 00 11 22 01 02 12, N/m; `mass`: of the node, kg.
real[6] split_block(real mass)
{
    const real inertia = mass * scalars[SCALAR_INVERSE_A_SQ],
               weight = plane_penalty_weight(scalars[SCALAR_STIFFNESS], inertia);
    real block[6];
    for (int k = 0; k < 6; ++k)
        block[k] = weight * scalars[SCALAR_PLANE_ACROSS + k] + inertia * scalars[SCALAR_PLANE_ALONG + k];
    return block;
}

#endif
