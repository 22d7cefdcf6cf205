// The sum of A_ij (x) arm_i arm_j^T over entries of two groups by one workgroup: sixteen invocations, one for each pair of arms,
// share an entry. Declare the buffer `arms` before.
#ifndef COMMON_COARSE_BLOCK_GLSL
#define COMMON_COARSE_BLOCK_GLSL

#include "abi/coarse.h"
#include "common/real.glsl"

const uint ARM_PAIRS = 16u;
shared real coarse_scratch[9u * gl_WorkGroupSize.x];

real arm(uint node, uint l)
{
    return l == 0u ? real(1.0) : arms[3u * node + l - 1u];
}

/// What the invocation's team begins with, and how many teams there are.
uint own_team()
{
    return gl_LocalInvocationIndex / ARM_PAIRS;
}

uint team_count()
{
    return gl_WorkGroupSize.x / ARM_PAIRS;
}

/// The invocation's pair of arms for an entry in a row and a column.
real arm_factor(uint row, uint column)
{
    const uint pair = gl_LocalInvocationIndex % ARM_PAIRS;
    return arm(row, pair / 4u) * arm(column, pair % 4u);
}

/// Keeps the invocation's sums, nine numbers of A_ij row by row; then a barrier is due.
void coarse_block_keep(real sum[9])
{
    for (uint k = 0u; k < 9u; ++k)
        coarse_scratch[k * gl_WorkGroupSize.x + gl_LocalInvocationIndex] = sum[k];
}

/// Number `o` of the block: the sums of all teams, in order.
real coarse_block_total(uint o)
{
    const uint row = o / COARSE_MODES, column = o % COARSE_MODES;
    const uint at = (3u * (row / 4u) + column / 4u) * gl_WorkGroupSize.x + 4u * (row % 4u) + column % 4u;
    real sum = real(0.0);
    for (uint team = 0u; team < gl_WorkGroupSize.x; team += ARM_PAIRS)
        sum += coarse_scratch[at + team];
    return sum;
}

#endif
