// variant: f64
// Before the first iteration of a linear solve: the residual summed over the motions of each chunk of a group.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/coarse.h"
#include "abi/kernel.h"
#include "common/real.glsl"

#define MANY_SUMS COARSE_MODES

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Partials { real partials[]; };
layout(scalar, set = 0, binding = 1) readonly buffer MatrixRows { uint matrix_rows[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Arms { real3 arms[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Residual { real3 residual[]; };

#include "common/linear_push.glsl"

#include "common/coarse.glsl"
#include "common/coarse_motions.glsl"
#include "common/coarse_stripes.glsl"
#include "common/invocation.glsl"
#include "common/matrix_rows.glsl"

void main()
{
    const uint chunk = group_number();
    if (chunk >= group_count * chunks_per_group)
        return;
    const uvec2 range = coarse_chunk(chunk);
    const GroupMotions motions = group_motions(chunk / chunks_per_group);
    motions_begin();
    for (uint p = range.x + gl_LocalInvocationIndex; p < range.y; p += gl_WorkGroupSize.x) {
        const uint row = row_node(p);
        motions_add(motions, arms[row], residual[row]);
    }
    motions_end(SUM_RESIDUAL_MOTIONS, chunk);
}
