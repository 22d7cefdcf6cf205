// variant: f64
// The coarse matrix, its blocks on the diagonal and above, from the sums of coarse_parts in their order; what is below, where W will be, is 0.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/coarse.h"
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer BlockStart { uint block_start[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Parts { real parts[]; };
layout(scalar, set = 0, binding = 2) writeonly buffer Matrix { real matrix[]; };
layout(scalar, set = 0, binding = 3) writeonly buffer Diagonal { real diagonal[]; };
layout(scalar, set = 0, binding = 4) buffer Plan { uint plan[]; };
layout(push_constant) uniform Push { uint group_count; };

#include "common/coarse_couples.glsl"
#include "common/invocation.glsl"

void main()
{
    const uint own = gl_LocalInvocationIndex, row = own / COARSE_MODES, column = own % COARSE_MODES;
    const uint block = group_number(), i = block / group_count, j = block % group_count;
    if (i >= group_count)
        return;
    if (block_start[block] < block_start[block + 1u])
        keep_couple(i, j);
    real sum = real(0.0);
    for (uint part = block_start[block]; part < block_start[block + 1u]; ++part)
        sum += parts[COARSE_BLOCK * part + own];
    matrix[(COARSE_MODES * i + row) * COARSE_MODES * group_count + COARSE_MODES * j + column] = sum;
    if (i == j && row == column)
        diagonal[COARSE_MODES * i + row] = sum;
}
