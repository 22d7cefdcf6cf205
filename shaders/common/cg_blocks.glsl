// The preconditioner's first level: the inverses of the blocks on the diagonal. Declare the buffer `preconditioner` before.
#ifndef COMMON_CG_BLOCKS_GLSL
#define COMMON_CG_BLOCKS_GLSL

#include "common/cg_vector.glsl"

void block_factor(uint row, out real factor[6])
{
    for (uint k = 0u; k < 6u; ++k)
        factor[k] = preconditioner[6u * row + k];
}

real3 solve_own_block(uint row, real3 r)
{
    real factor[6];
    block_factor(row, factor);
    return solve_block(factor, r);
}

#endif
