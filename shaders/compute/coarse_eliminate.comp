// variant: f64
// Group `step` is eliminated from the rows below it, by A_ij -= A_pi^T P^-1 A_pj with P the pivot block, in A and in what began
// as the identity beside it. Both share one square: columns left of a row's diagonal block and up to the step hold W, the
// inverse of the factor L in A = L D L^T, those from the diagonal block on A. What is between is not used yet.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/coarse.h"
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Matrix { real matrix[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Diagonal { real diagonal[]; };
layout(scalar, set = 0, binding = 2) buffer Pivots { real pivots[]; };
layout(push_constant) uniform Push { uint group_count, step; };

#include "common/coarse_pivot.glsl"

shared real pivot[COARSE_BLOCK], left[COARSE_BLOCK], right[COARSE_BLOCK];

uint place(uint i, uint j)
{
    const uint row = gl_LocalInvocationIndex / COARSE_MODES, column = gl_LocalInvocationIndex % COARSE_MODES;
    return (COARSE_MODES * i + row) * COARSE_MODES * group_count + COARSE_MODES * j + column;
}

void main()
{
    const uint own = gl_LocalInvocationIndex, row = own / COARSE_MODES, column = own % COARSE_MODES;
    const uint i = step + 1u + gl_WorkGroupID.x / group_count, j = gl_WorkGroupID.x % group_count;
    if (j > step && j < i)
        return;
    pivot[own] = pivots[COARSE_BLOCK * step + own];
    left[own] = matrix[place(step, i)];
    right[own] = j != step ? matrix[place(step, j)] : real(row == column ? 1.0 : 0.0);
    barrier();
    real scaled_left = real(0.0), scaled_right = real(0.0);
    for (uint k = 0u; k <= row; ++k) {
        scaled_left += pivot[COARSE_MODES * row + k] * left[COARSE_MODES * k + column];
        scaled_right += pivot[COARSE_MODES * row + k] * right[COARSE_MODES * k + column];
    }
    barrier();
    left[own] = scaled_left;
    right[own] = scaled_right;
    barrier();
    real value = j != step ? matrix[place(i, j)] : real(0.0);
    for (uint k = 0u; k < COARSE_MODES; ++k)
        value -= left[COARSE_MODES * k + row] * right[COARSE_MODES * k + column];
    matrix[place(i, j)] = value;
    if (i == step + 1u && j == i)
        store_pivot(i, value, diagonal[COARSE_MODES * i + row]);
}
