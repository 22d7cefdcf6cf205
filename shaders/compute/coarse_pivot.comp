// variant: f64
// After all groups are eliminated: each one's rows of the inverse, so far without their own factor, are multiplied by K, which takes
// the place of the block on the diagonal. One workgroup of COARSE_BLOCK invocations for each group.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/coarse.h"
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Matrix { real matrix[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Diagonal { real diagonal[]; };
layout(push_constant) uniform Push { uint group_count; };

#include "common/coarse_pivot.glsl"
#include "common/invocation.glsl"

void scale_column(uint group, uint c)
{
    real column[COARSE_MODES];
    for (uint m = 0u; m < COARSE_MODES; ++m)
        column[m] = scaled_row(group, m, c);
    for (uint m = 0u; m < COARSE_MODES; ++m)
        matrix[(COARSE_MODES * group + m) * coarse_stride() + c] = column[m];
}

void main()
{
    const uint group = group_number(), own = gl_LocalInvocationIndex, first = COARSE_MODES * group;
    if (group >= group_count)
        return;
    pivot_root(group);
    for (uint c = own; c < first; c += gl_WorkGroupSize.x)
        scale_column(group, c);
    matrix[(first + own / COARSE_MODES) * coarse_stride() + first + own % COARSE_MODES] = block[own];
}
