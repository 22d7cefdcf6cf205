// variant: f64
// Group `step`, whose rows are finished, is eliminated from the rows below: A_ij -= A_pi^T A_pj, in A and in what began as the
// identity beside it. Both share one square: columns up to the step hold W, which becomes the inverse of the factor L in
// A = L L^T, those from a row's diagonal block on A. What is between is not used yet. An invocation has the rows of one group
// in one column.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/coarse.h"
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Matrix { real matrix[]; };
layout(push_constant) uniform Push { uint group_count, step; };

#include "common/invocation.glsl"

void eliminate(uint i, uint c)
{
    const uint stride = COARSE_MODES * group_count;
    const uint finished = COARSE_MODES * step * stride, own = COARSE_MODES * i * stride + c;
    const bool begins = c / COARSE_MODES == step; // here W was 0
    real sum[COARSE_MODES];
    for (uint m = 0u; m < COARSE_MODES; ++m)
        sum[m] = begins ? real(0.0) : matrix[own + m * stride];
    for (uint k = 0u; k < COARSE_MODES; ++k) {
        const real above = matrix[finished + k * stride + c];
        for (uint m = 0u; m < COARSE_MODES; ++m)
            sum[m] -= matrix[finished + k * stride + COARSE_MODES * i + m] * above;
    }
    for (uint m = 0u; m < COARSE_MODES; ++m)
        matrix[own + m * stride] = sum[m];
}

void main()
{
    const uint c = invocation_number() % (COARSE_MODES * group_count), j = c / COARSE_MODES;
    const uint i = step + 1u + invocation_number() / (COARSE_MODES * group_count);
    if (i < group_count && (j <= step || j >= i))
        eliminate(i, c);
}
