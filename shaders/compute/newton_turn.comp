// variant: f64
// How far a direction turns the free affine bodies at the most.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/newton.h"
#include "abi/nodes.h"
#include "common/real.glsl"

#define EXACT_SUMS 1

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Straight { real3 straight[]; };
layout(scalar, set = 0, binding = 3) readonly buffer MassLists { uint mass_lists[]; };
layout(scalar, set = 0, binding = 4) buffer Diagnosis { Exact diagnosis[]; };
layout(push_constant) uniform Push { uint node_count, block_count; };

#include "common/affine_turn.glsl"
#include "common/exact_sums.glsl"
#include "common/invocation.glsl"

void main()
{
    const uint groups = sum_groups(block_count);
    if (group_number() >= groups)
        return;
    real most = real(0.0);
    for (uint block = invocation_number(); block < block_count; block += groups * gl_WorkGroupSize.x)
        if ((flags[block_node(block, 0u)] & NODE_IS_FREE) != 0u)
            most = max(most, length(affine_axial(affine_motion(block, real(1.0)))));
    smallest_end(-most, DIRECTION_TURN, group_number());
}
