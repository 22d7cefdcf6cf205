// variant: f64
// The first level of the preconditioner for bodies whose masses are coupled: the root K of the inverse of the block that all four of
// their nodes have in the matrix (P^-1 = K^T K), contact's blocks included. The shape energy of a
// stiff body couples its nodes far more strongly than anything else. A workgroup of COARSE_BLOCK invocations has a body.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/coarse.h"
#include "abi/kernel.h"
#include "abi/linear.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer MatrixRows { uint matrix_rows[]; };
layout(scalar, set = 0, binding = 1) readonly buffer MassLists { uint mass_lists[]; };
layout(scalar, set = 0, binding = 2) readonly buffer FirstRows { real first_rows[]; };
layout(scalar, set = 0, binding = 3) readonly buffer SecondRows { real second_rows[]; };
layout(scalar, set = 0, binding = 4) readonly buffer ThirdRows { real third_rows[]; };
layout(scalar, set = 0, binding = 5) readonly buffer ChangingRows { uvec2 changing_rows[]; };
layout(scalar, set = 0, binding = 6) readonly buffer ChangingColumns { uvec2 changing_columns[]; };
layout(scalar, set = 0, binding = 7) readonly buffer ChangingBlocks { real3x3 changing_blocks[]; };
layout(scalar, set = 0, binding = 8) writeonly buffer BodyRoots { real body_roots[]; };
layout(push_constant) uniform Push { uint node_count, entry_count, block_count, body_count, changes; };

#include "common/invocation.glsl"
#include "common/matrix_rows.glsl"

/// Beyond the rounding of a pivot by all motions before. None is left out, for nothing else takes it on: what is less is taken for as
/// much, and one that is negative, where a true Hessian or its rounding is not positive definite, for its size: taken for the smallest
/// one it would have all that follow grow by its ratio to it, from pivot to pivot and beyond all numbers.
#ifdef VELA_F64
#define SMALLEST_PIVOT 1e-14lf
#else
#define SMALLEST_PIVOT 1e-6
#endif

real pivot_inverse(real pivot, real before)
{
    const real least = real(SMALLEST_PIVOT) * before;
    return before > real(0.0) ? real(1.0) / max(abs(pivot), least) : real(0.0);
}

#include "common/block_root.glsl"

/// Component (i, j) of the matrix' block in the row of node a and the column of node b.
real matrix_entry(uint a, uint b, uint i, uint j)
{
    const uint list = node_count + 4u * block_count + 16u * (mass_lists[a] >> 2);
    const uint e = mass_lists[list + 4u * (mass_lists[a] & 3u) + (mass_lists[b] & 3u)] + j * entry_count;
    real value = i == 0u ? first_rows[e] : i == 1u ? second_rows[e] : third_rows[e];
    const uvec2 range = changes != 0u ? changing_rows[a] : uvec2(0u);
    for (uint c = range.x; c < range.y; ++c)
        value += changing_columns[c].x == b ? changing_blocks[c][j][i] : real(0.0);
    return value;
}

void main()
{
    const uint body = group_number(), own = gl_LocalInvocationIndex;
    if (body >= body_count)
        return;
    const uint row = own / COARSE_MODES, column = own % COARSE_MODES;
    const uint a = row / 3u, b = column / 3u, i = row % 3u, j = column % 3u;
    const real value = matrix_entry(row_node(4u * body + a), row_node(4u * body + b), i, j);
    block_root(value, value);
    if (b <= a)
        body_roots[(9u * (a * (a + 1u) / 2u + b) + 3u * i + j) * body_count + body] = block[own];
}
