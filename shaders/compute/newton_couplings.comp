// variant: f64
// What coupled masses add to the matrix beside its diagonal blocks: m/a^2 between every two nodes of a block. An invocation has
// one entry of one block.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "abi/scalars.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 2) readonly buffer MassLists { uint mass_lists[]; };
layout(scalar, set = 0, binding = 3) readonly buffer MassBlocks { Exact mass_blocks[]; };
layout(scalar, set = 0, binding = 4) buffer FirstRows { real first_rows[]; };
layout(scalar, set = 0, binding = 5) buffer SecondRows { real second_rows[]; };
layout(scalar, set = 0, binding = 6) buffer ThirdRows { real third_rows[]; };
layout(push_constant) uniform Push { uint node_count, entry_count, block_count; };

#include "common/invocation.glsl"

void main()
{
    const uint block = invocation_number() / 16u, entry = invocation_number() % 16u;
    // The diagonal is in newton_nodes.
    if (block >= block_count || entry / 4u == entry % 4u)
        return;
    if ((flags[mass_lists[node_count + 4u * block]] & NODE_IS_FREE) == 0u)
        return;
    const uint e = mass_lists[node_count + 4u * block_count + 16u * block + entry];
    const real weight = exact_value(mass_blocks[MASS_BLOCK_SIZE * block + entry]) * scalars[SCALAR_INVERSE_A_SQ];
    first_rows[e] += weight;
    second_rows[e + entry_count] += weight;
    third_rows[e + 2u * entry_count] += weight;
}
