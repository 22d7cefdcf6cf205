// The matrix of Newton's method: 3x3 blocks in the places of abi/admm.h's slices, a buffer for each row of the blocks (so that
// no binding gets too large), component after component. Behind them, by the rows' places, two numbers in each buffer, is what a row's blocks sum to: what is
// there for the row's own sake, its mass above all. The rest couples it to others, and takes part in a product by how they move against it: as parts of
// the diagonal's block, a stiff body's masses would be lost in single precision. Declare `first_rows`, `second_rows`, `third_rows` and entry_count before.
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

/// Where the sums of the row at `place` are.
uint row_sum_entry(uint place)
{
    return 3u * entry_count + 2u * place;
}

/// The sum of a row's blocks, 00 11 22 01 02 12, whose entry is e.
void row_sum(uint e, out real m[6])
{
    m[0] = first_rows[e];
    m[1] = first_rows[e + 1u];
    m[2] = second_rows[e];
    m[3] = second_rows[e + 1u];
    m[4] = third_rows[e];
    m[5] = third_rows[e + 1u];
}

#endif
