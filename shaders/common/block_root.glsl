// The root of a 12x12 block's inverse, by COARSE_BLOCK invocations, one for each entry: K lower triangular with K P K^T = 1, but for
// the motions that pivot_inverse leaves out, whose rows are 0. Define `real pivot_inverse(real pivot, real before)` before: 1/pivot
// or what stands for it, `before` being the number on the diagonal that the pivot began as.
#ifndef COMMON_BLOCK_ROOT_GLSL
#define COMMON_BLOCK_ROOT_GLSL

#include "abi/coarse.h"
#include "common/real.glsl"

shared real block[COARSE_BLOCK], block_before[COARSE_MODES];

/// `block` becomes K of the matrix of which the invocation has the entry `value`; the diagonal's have `before` too.
void block_root(real value, real before)
{
    const uint own = gl_LocalInvocationIndex, row = own / COARSE_MODES, column = own % COARSE_MODES;
    real inverse_of_row = real(0.0);
    block[own] = value;
    if (row == column)
        block_before[row] = before;
    // Rows of [P 1] are eliminated; columns before a row's own and up to k hold the part that began as 1. Of P only what is on
    // the diagonal and above is read. A pivot's inverse is made by all: that costs less than to wait for one.
    for (uint k = 0u; k < COARSE_MODES; ++k) {
        barrier();
        const real pivot = block[(COARSE_MODES + 1u) * k], before_it = block_before[k], of_row = block[COARSE_MODES * k + row],
                   of_column = block[COARSE_MODES * k + column]; // together: a division is as long as a load
        const real inverse = pivot_inverse(pivot, before_it), factor = inverse * of_row;
        inverse_of_row = row == k ? inverse : inverse_of_row;
        if (row > k && (column <= k || column >= row)) {
            value = column == k ? -factor : value - factor * of_column;
            block[own] = value;
        }
    }
    barrier();
    block[own] = sqrt(inverse_of_row) * (column < row ? value : real(column == row ? 1.0 : 0.0));
    barrier();
}

#endif
