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

real pivot_inverse(real pivot, real before)
{
    return pivot > real(SMALLEST_PIVOT) * max(before, real(0.0)) ? real(1.0) / pivot : real(0.0);
}

#include "common/block_root.glsl"

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
    const uint first = COARSE_MODES * step;
    block_root(matrix[(first + row) * COARSE_MODES * group_count + first + column], diagonal[first + row]);
    for (uint c = own; c < COARSE_MODES * group_count; c += gl_WorkGroupSize.x)
        if (c / COARSE_MODES != step)
            scale_column(c);
    matrix[(first + row) * COARSE_MODES * group_count + first + column] = block[own];
}
