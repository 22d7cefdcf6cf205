// The matrix of Newton's method: 3x3 blocks in the places of abi/admm.h's slices, a buffer for each row of the blocks (so that
// no binding gets too large), component after component. Declare `first_rows`, `second_rows`, `third_rows` and entry_count
// before.
#ifndef COMMON_BLOCK_ROWS_GLSL
#define COMMON_BLOCK_ROWS_GLSL

#include "common/real.glsl"

real3x3 block_at(uint e)
{
    const uint f = e + entry_count, g = f + entry_count;
    return real3x3(first_rows[e], second_rows[e], third_rows[e], first_rows[f], second_rows[f], third_rows[f], first_rows[g],
                   second_rows[g], third_rows[g]);
}

/// Block e times v.
real3 block_apply(uint e, real3 v)
{
    return block_at(e) * v;
}

/// Block e where it is symmetric, 00 11 22 01 02 12.
void symmetric_block(uint e, out real m[6])
{
    const uint f = e + entry_count, g = f + entry_count;
    m[0] = first_rows[e];
    m[1] = second_rows[f];
    m[2] = third_rows[g];
    m[3] = first_rows[f];
    m[4] = first_rows[g];
    m[5] = second_rows[g];
}

#endif
