// Elimination of a group from the coarse matrix: K, lower triangular with K P K^T = 1 but for zeros in the rows of motions that are
// left out, of the group's block P on the diagonal, which stands in the matrix until all is eliminated. Declare the buffers `matrix`
// and `diagonal` and group_count before.
#ifndef COMMON_COARSE_PIVOT_GLSL
#define COMMON_COARSE_PIVOT_GLSL

#include "abi/coarse.h"
#include "common/real.glsl"

/// A pivot this much smaller than the diagonal was, or negative, belongs to a motion that the others make up already, or along
/// which the matrix is not positive definite: it is left out. Beyond the rounding of a pivot by all motions before.
#ifdef VELA_F64
#define SMALLEST_PIVOT 1e-12lf
#else
#define SMALLEST_PIVOT 1e-5
#endif

real pivot_inverse(real pivot, real before)
{
    return pivot > real(SMALLEST_PIVOT) * max(before, real(0.0)) ? real(1.0) / pivot : real(0.0);
}

#include "common/block_root.glsl"

uint coarse_stride()
{
    return COARSE_MODES * group_count;
}

/// `block` becomes K of a group. In a workgroup of COARSE_BLOCK invocations.
void pivot_root(uint group)
{
    const uint row = COARSE_MODES * group + gl_LocalInvocationIndex / COARSE_MODES,
               column = COARSE_MODES * group + gl_LocalInvocationIndex % COARSE_MODES;
    block_root(matrix[row * coarse_stride() + column], diagonal[row]);
}

/// Number m of K times a group's rows in column c.
real scaled_row(uint group, uint m, uint c)
{
    real sum = real(0.0);
    for (uint k = 0u; k <= m; ++k)
        sum += block[COARSE_MODES * m + k] * matrix[(COARSE_MODES * group + k) * coarse_stride() + c];
    return sum;
}

#endif
