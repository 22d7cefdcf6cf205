// What elimination divides by. Declare the buffer `pivots` before; workgroups have COARSE_BLOCK invocations.
#ifndef COMMON_COARSE_PIVOT_GLSL
#define COMMON_COARSE_PIVOT_GLSL

#include "common/real.glsl"

/// A pivot this much smaller than the diagonal was, or negative, belongs to a motion that the others make up already, or along
/// which the matrix is not positive definite: it is left out. Beyond the rounding of a pivot by all motions before.
#ifdef VELA_F64
#define SMALLEST_PIVOT 1e-12lf
#else
#define SMALLEST_PIVOT 1e-5
#endif

shared real pivot_block[COARSE_BLOCK], pivot_inverses[COARSE_MODES], pivot_floors[COARSE_MODES];

/// Of the symmetric block P of a group, every invocation bringing its number, writes K, lower triangular with K P K^T = 1, or
/// zeros in the rows of motions that are left out. `before`: the number before any elimination, looked at on the diagonal.
/// Call in uniform control flow.
void store_pivot(uint group, real value, real before)
{
    const uint own = gl_LocalInvocationIndex, row = own / COARSE_MODES, column = own % COARSE_MODES;
    pivot_block[own] = value;
    if (row == column)
        pivot_floors[row] = real(SMALLEST_PIVOT) * before;
    // Rows of [P 1] are eliminated; columns up to the pivot hold the part that began as 1.
    for (uint k = 0u; k < COARSE_MODES; ++k) {
        barrier();
        const real pivot = pivot_block[(COARSE_MODES + 1u) * k];
        const real inverse = pivot > max(pivot_floors[k], real(0.0)) ? real(1.0) / pivot : real(0.0);
        real factor = real(0.0), other = real(1.0), old = real(0.0);
        if (row > k) {
            factor = inverse * pivot_block[COARSE_MODES * k + row];
            if (column != k) {
                other = pivot_block[COARSE_MODES * k + column];
                old = pivot_block[own];
            }
        }
        barrier();
        // Below the pivot nothing is read any more but what stands in or right of the row's own place.
        if (row > k && (column <= k || column >= row))
            pivot_block[own] = old - factor * other;
        if (own == 0u)
            pivot_inverses[k] = inverse;
    }
    barrier();
    const real below = column < row ? pivot_block[own] : real(column == row ? 1.0 : 0.0);
    pivots[COARSE_BLOCK * group + own] = sqrt(pivot_inverses[row]) * below;
}

#endif
