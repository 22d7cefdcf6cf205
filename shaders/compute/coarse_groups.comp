// By which two groups of the coarse space a changing block counts: row's times their number plus column's, or a number behind
// all of them where it does not (on the diagonal of the matrix, below that of the groups, towards a node that is not free).
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/barrier.h"
#include "abi/kernel.h"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Columns { uvec2 columns[]; };
layout(scalar, set = 0, binding = 2) readonly buffer GroupOf { uint group_of[]; }; // of each node; group_count: none
layout(scalar, set = 0, binding = 3) writeonly buffer Keys { uint keys[]; };
layout(scalar, set = 0, binding = 4) writeonly buffer Order { uint order[]; };
layout(push_constant) uniform Push { uint group_count; };

#include "common/invocation.glsl"

void main()
{
    const uint block = invocation_number();
    if (block >= control[PAIR_BLOCKS])
        return;
    const uint column = columns[block].x, row = columns[block].y;
    const uint i = group_of[row], j = group_of[column];
    const bool counts = row != column && i < group_count && j < group_count && j >= i;
    keys[block] = counts ? i * group_count + j : group_count * group_count;
    order[block] = block;
}
