// variant: f64
// Group `step` is eliminated from the rows below: A_ij -= (K A_pi)^T K A_pj, in A and in what began as the identity beside it. Both
// share one square: columns up to the step hold W, which becomes the inverse of the factor L in A = L L^T, those from a row's
// diagonal block on A. What is between is not used yet. Row p itself stays as it is until compute/coarse_pivot, so a step is one
// dispatch: each workgroup, which has the rows of one group in COARSE_BLOCK columns, makes its own K.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
#include "abi/coarse.h"
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Matrix { real matrix[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Diagonal { real diagonal[]; };
layout(push_constant) uniform Push { uint group_count, step; };

#include "common/coarse_pivot.glsl"
#include "common/invocation.glsl"

shared real own_rows[COARSE_BLOCK]; ///< A_pi
shared real above[COARSE_BLOCK];    ///< K A_pi

/// What is eliminated from a column of the workgroup's rows, `rows`, and of those of the pivot, `pivot`: loaded before K is there.
struct Column {
    real rows[COARSE_MODES], pivot[COARSE_MODES];
};

void load_column(uint i, uint c, out Column column)
{
    group_column(i, c, column.rows);
    group_column(step, c, column.pivot);
}

void eliminate(uint i, uint c, Column column)
{
    const bool begins = c / COARSE_MODES == step; // here W was 0, and the identity in row p is 1
    [[unroll]] for (uint m = 0u; m < COARSE_MODES; ++m)
        column.rows[m] = begins ? real(0.0) : column.rows[m];
    for (uint k = 0u; k < COARSE_MODES; ++k) {
        real factor = block[COARSE_MODES * k + c % COARSE_MODES];
        if (!begins) {
            factor = real(0.0);
            [[unroll]] for (uint l = 0u; l < COARSE_MODES; ++l)
                factor += block[COARSE_MODES * k + l] * column.pivot[l]; // 0 behind the diagonal
        }
        [[unroll]] for (uint m = 0u; m < COARSE_MODES; ++m)
            column.rows[m] -= above[COARSE_MODES * k + m] * factor;
    }
    [[unroll]] for (uint m = 0u; m < COARSE_MODES; ++m)
        matrix[(COARSE_MODES * i + m) * coarse_stride() + c] = column.rows[m];
}

/// Number m of K times column n of A_pi.
real scaled(uint m, uint n)
{
    real sum = real(0.0);
    for (uint k = 0u; k <= m; ++k)
        sum += block[COARSE_MODES * m + k] * own_rows[COARSE_MODES * k + n];
    return sum;
}

void main()
{
    const uint own = gl_LocalInvocationIndex, spans = (coarse_stride() + COARSE_BLOCK - 1u) / COARSE_BLOCK;
    const uint i = step + 1u + group_number() / spans;
    const uint c = COARSE_BLOCK * (group_number() % spans) + own, j = c / COARSE_MODES;
    if (i >= group_count)
        return;
    const bool changes = c < coarse_stride() && (j <= step || j >= i);
    Column column;
    if (changes)
        load_column(i, c, column);
    own_rows[own] = matrix[(COARSE_MODES * step + own / COARSE_MODES) * coarse_stride() + COARSE_MODES * i + own % COARSE_MODES];
    pivot_root(step);
    above[own] = scaled(own / COARSE_MODES, own % COARSE_MODES);
    barrier();
    if (changes)
        eliminate(i, c, column);
}
