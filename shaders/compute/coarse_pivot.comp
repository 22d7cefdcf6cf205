// variant: f64
// The rows of group `step` are finished: with P their block on the diagonal, all of them are multiplied by K, which is lower
// triangular with K P K^T = 1 but for zeros in the rows of motions that are left out. K takes the place of P. One workgroup of
// COARSE_BLOCK invocations.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/coarse.h"
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Matrix { real matrix[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Diagonal { real diagonal[]; };
layout(push_constant) uniform Push { uint group_count, step; };

/// A pivot this much smaller than the diagonal was, or negative, belongs to a motion that the others make up already, or along
/// which the matrix is not positive definite: it is left out. Beyond the rounding of a pivot by all motions before.
#ifdef VELA_F64
#define SMALLEST_PIVOT 1e-12lf
#else
#define SMALLEST_PIVOT 1e-5
#endif

shared real block[COARSE_BLOCK], inverses[COARSE_MODES];

/// The inverse of pivot k, 0 if it is left out.
real inverse_pivot(uint k)
{
    const real pivot = block[(COARSE_MODES + 1u) * k], before = diagonal[COARSE_MODES * step + k];
    return pivot > real(SMALLEST_PIVOT) * max(before, real(0.0)) ? real(1.0) / pivot : real(0.0);
}

/// `block` becomes K.
void factor_block(uint row, uint column)
{
    const uint own = gl_LocalInvocationIndex, first = COARSE_MODES * step;
    real value = matrix[(first + row) * COARSE_MODES * group_count + first + column];
    block[own] = value;
    // Rows of [P 1] are eliminated; columns before a row's own and up to k hold the part that began as 1. Of P only what is on
    // the diagonal and above is read.
    for (uint k = 0u; k < COARSE_MODES; ++k) {
        barrier();
        const real inverse = inverse_pivot(k);
        if (row > k && (column <= k || column >= row)) {
            const real factor = inverse * block[COARSE_MODES * k + row];
            value = column == k ? -factor : value - factor * block[COARSE_MODES * k + column];
            block[own] = value;
        }
        if (own == k)
            inverses[k] = inverse;
    }
    barrier();
    block[own] = sqrt(inverses[row]) * (column < row ? value : real(column == row ? 1.0 : 0.0));
    barrier();
}

void scale_column(uint c)
{
    const uint stride = COARSE_MODES * group_count, first = COARSE_MODES * step * stride + c;
    real column[COARSE_MODES];
    for (uint k = 0u; k < COARSE_MODES; ++k)
        column[k] = matrix[first + k * stride];
    for (uint m = 0u; m < COARSE_MODES; ++m) {
        real sum = real(0.0);
        for (uint k = 0u; k < COARSE_MODES; ++k)
            sum += block[COARSE_MODES * m + k] * column[k];
        matrix[first + m * stride] = sum;
    }
}

void main()
{
    const uint own = gl_LocalInvocationIndex, row = own / COARSE_MODES, column = own % COARSE_MODES;
    factor_block(row, column);
    for (uint c = own; c < COARSE_MODES * group_count; c += gl_WorkGroupSize.x)
        if (c / COARSE_MODES != step)
            scale_column(c);
    const uint first = COARSE_MODES * step;
    matrix[(first + row) * COARSE_MODES * group_count + first + column] = block[own];
}
