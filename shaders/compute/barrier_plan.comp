// What a scan has counted becomes a count, or 0 where it is more than there is room for: then nothing that follows has work, and the
// host sees what was wanted. And the arguments of the dispatches over it.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/barrier.h"
#include "abi/kernel.h"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Control { uint control[]; };
/// of: one of the counts; rubs: with PAIR_ACTIVE, whether what rubs is linearized too; pair_room: of both together
layout(push_constant) uniform Push { uint of, room, rubs, pair_room, groups_in_row; };

#include "common/dispatch_grid.glsl"

void arrange(uint which)
{
    const uint at_once = which == PAIR_GROUPS ? 1u : GROUP_PAIRS;
    const uvec3 grid = dispatch_grid((control[which] + at_once - 1u) / at_once, groups_in_row);
    for (uint i = 0u; i < 3u; ++i)
        control[PAIR_ARGUMENTS + 3u * which + i] = control[which] > 0u ? grid[i] : 1u;
    if (control[which] == 0u)
        control[PAIR_ARGUMENTS + 3u * which] = 0u;
}

void main()
{
    if (gl_GlobalInvocationID.x != 0u)
        return;
    const uint wanted = control[PAIR_WANTED + of];
    // What rubs is found from the list of what is active.
    const bool fits = wanted <= room && (of != PAIR_FRICTION || control[PAIR_ACTIVE] > 0u);
    control[of] = fits ? wanted : 0u;
    arrange(of);
    if (of != PAIR_ACTIVE)
        return;
    control[PAIR_RUBBING] = rubs != 0u ? control[PAIR_FRICTION] : 0u;
    const uint pairs = wanted + control[PAIR_RUBBING];
    control[PAIR_WANTED + PAIR_COUNT] = pairs;
    control[PAIR_COUNT] = pairs <= pair_room ? pairs : 0u;
    arrange(PAIR_RUBBING);
    arrange(PAIR_COUNT);
}
