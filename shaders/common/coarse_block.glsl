// The sum of P_i^T A_ij P_j over entries of two groups by one workgroup, P_i the motions of node i. The invocations first multiply an entry each by the motions of its
// column; then as many of them as fit in twelves have a column of the block each, and sum it over the entries by the motions of their rows. Declare the buffer
// `arms` and node_count before.
#ifndef COMMON_COARSE_BLOCK_GLSL
#define COMMON_COARSE_BLOCK_GLSL

#extension GL_EXT_control_flow_attributes : require

#include "abi/coarse.h"
#include "common/group_motions.glsl"
#include "common/real.glsl"

/// Of each invocation's entry: what axis a of its row has of motion m of its column, number COARSE_MODES a + m; and its row's arm. At the end its sums.
shared real entry_products[3u * COARSE_MODES * gl_WorkGroupSize.x], entry_arms[3u * gl_WorkGroupSize.x];

/// Column number gl_LocalInvocationIndex % COARSE_MODES of the block, over every so many-th entry.
real block_column[COARSE_MODES];

const uint BLOCK_TEAMS = gl_WorkGroupSize.x / COARSE_MODES;

void coarse_block_begin()
{
    [[unroll]] for (uint m = 0u; m < COARSE_MODES; ++m)
        block_column[m] = real(0.0);
}

/// An entry of the invocation's, by rows; `against`: of how the column's node moves against the row's, both of one group.
void coarse_block_put(GroupMotions columns_motions, uint row, uint column, real3 entry[3], bool against)
{
    const uint own = gl_LocalInvocationIndex;
    const real3 arm = arms[column], row_arm = arms[row];
    [[unroll]] for (uint a = 0u; a < 3u; ++a) {
        real of[COARSE_MODES], of_row[COARSE_MODES];
        motions_of(columns_motions, arm, entry[a], of);
        if (against)
            motions_of(columns_motions, row_arm, entry[a], of_row);
        [[unroll]] for (uint m = 0u; m < COARSE_MODES; ++m)
            entry_products[(COARSE_MODES * a + m) * gl_WorkGroupSize.x + own] = against ? of[m] - of_row[m] : of[m];
        entry_arms[a * gl_WorkGroupSize.x + own] = row_arm[a];
    }
}

/// Adds what the first `count` invocations have put. In uniform control flow.
void coarse_block_add(GroupMotions rows_motions, uint count)
{
    const uint motion = gl_LocalInvocationIndex % COARSE_MODES, team = gl_LocalInvocationIndex / COARSE_MODES;
    barrier();
    for (uint e = team < BLOCK_TEAMS ? team : count; e < count; e += BLOCK_TEAMS) {
        real3 product, arm;
        [[unroll]] for (uint a = 0u; a < 3u; ++a) {
            product[a] = entry_products[(COARSE_MODES * a + motion) * gl_WorkGroupSize.x + e];
            arm[a] = entry_arms[a * gl_WorkGroupSize.x + e];
        }
        real of[COARSE_MODES];
        motions_of(rows_motions, arm, product, of);
        [[unroll]] for (uint m = 0u; m < COARSE_MODES; ++m)
            block_column[m] += of[m];
    }
    barrier();
}

/// Keeps the invocations' sums, behind which a barrier is due.
void coarse_block_keep()
{
    [[unroll]] for (uint m = 0u; m < COARSE_MODES; ++m)
        entry_products[m * gl_WorkGroupSize.x + gl_LocalInvocationIndex] = block_column[m];
}

/// Number `o` of the block: the sums of all teams, in order.
real coarse_block_total(uint o)
{
    real sum = real(0.0);
    for (uint team = 0u; team < BLOCK_TEAMS; ++team)
        sum += entry_products[o / COARSE_MODES * gl_WorkGroupSize.x + COARSE_MODES * team + o % COARSE_MODES];
    return sum;
}

#endif
