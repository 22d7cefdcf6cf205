// The size of the dispatches of a scan or a sort of as many items as device memory says.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Counts { uint counts[]; };
layout(scalar, set = 0, binding = 1) writeonly buffer Work { uint work[]; };
layout(push_constant) uniform Push { uint count_place, groups_in_row; };

#include "common/dispatch_grid.glsl"
#include "common/invocation.glsl"
#include "common/sort/tiles.glsl"

void main()
{
    const uvec3 grid = dispatch_grid(tile_groups(counts[count_place]), groups_in_row);
    if (invocation_number() > 0u)
        return;
    work[SORT_ARGUMENTS] = grid.x;
    work[SORT_ARGUMENTS + 1] = grid.y;
    work[SORT_ARGUMENTS + 2] = grid.z;
}
