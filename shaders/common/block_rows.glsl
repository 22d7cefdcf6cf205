// The matrix of Newton's method: 3x3 blocks in the places of abi/admm.h's slices, a buffer for each row of the blocks (so that
// no binding gets too large), component after component. Declare `first_rows`, `second_rows`, `third_rows` and entry_count
// before.
#ifndef COMMON_BLOCK_ROWS_GLSL
#define COMMON_BLOCK_ROWS_GLSL

#include "common/real.glsl"

/// Block e times v.
real3 block_apply(uint e, real3 v)
{
    const uint f = e + entry_count, g = f + entry_count;
    return real3(first_rows[e] * v.x + first_rows[f] * v.y + first_rows[g] * v.z,
                 second_rows[e] * v.x + second_rows[f] * v.y + second_rows[g] * v.z,
                 third_rows[e] * v.x + third_rows[f] * v.y + third_rows[g] * v.z);
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
