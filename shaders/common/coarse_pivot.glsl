// Elimination of a group from the coarse matrix: K, lower triangular with K P K^T = 1 but for zeros in the rows of motions that are
// left out, of the group's block P on the diagonal, which stands in the matrix until all is eliminated. Declare the buffers `matrix`
// and `diagonal` and group_count before.
#ifndef COMMON_COARSE_PIVOT_GLSL
#define COMMON_COARSE_PIVOT_GLSL

#extension GL_EXT_control_flow_attributes : require

#include "abi/coarse.h"
#include "common/coarse_inverse.glsl"
#include "common/real.glsl"

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

/// A group's rows in column c: all loads under way together.
void group_column(uint group, uint c, out real column[COARSE_MODES])
{
    [[unroll]] for (uint m = 0u; m < COARSE_MODES; ++m)
        column[m] = matrix[(COARSE_MODES * group + m) * coarse_stride() + c];
}

#endif
