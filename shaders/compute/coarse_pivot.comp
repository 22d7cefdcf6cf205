// variant: f64
// After all groups are eliminated: each one's rows of the inverse, so far without their own factor, are multiplied by K, which takes
// the place of the block on the diagonal. One workgroup of COARSE_BLOCK invocations for each group.
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
layout(push_constant) uniform Push { uint group_count; };

#include "common/coarse_pivot.glsl"
#include "common/invocation.glsl"

/// Multiplies a group's column by K.
void scale_column(uint group, uint c)
{
    real column[COARSE_MODES];
    group_column(group, c, column);
    [[unroll]] for (uint m = 0u; m < COARSE_MODES; ++m) {
        real sum = real(0.0);
        [[unroll]] for (uint k = 0u; k <= m; ++k)
            sum += block[COARSE_MODES * m + k] * column[k];
        matrix[(COARSE_MODES * group + m) * coarse_stride() + c] = sum;
    }
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
