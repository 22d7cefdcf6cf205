// variant: f64
// How strongly contact's blocks couple their two nodes; every node that has some is a group of its own at first (src/device/vulkan/linear/contact_groups.c).
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/barrier.h"
#include "abi/contact_groups.h"
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Preconditioner { real preconditioner[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Columns { uvec2 columns[]; }; // column, row
layout(scalar, set = 0, binding = 4) readonly buffer Values { real3x3 values[]; };
layout(scalar, set = 0, binding = 5) writeonly buffer Couplings { float couplings[]; };
layout(scalar, set = 0, binding = 6) writeonly buffer Links { uvec4 links[]; };

#include "common/cg_blocks.glsl"
#include "common/invocation.glsl"

/// tr(D_i^-1 K D_j^-1 K^T): of a block and its transpose the very same, for both groups have to choose each other.
real coupling(uint i, uint j, real3x3 block)
{
    const real3x3 turned = transpose(block);
    real sum = real(0.0);
    real3x3 across;
    for (int k = 0; k < 3; ++k)
        across[k] = solve_own_block(j, turned[k]); // column k of D_j^-1 K^T
    for (int k = 0; k < 3; ++k) {
        const real3 along = solve_own_block(i, block[k]); // column k of D_i^-1 K
        sum += along.x * across[0][k] + along.y * across[1][k] + along.z * across[2][k];
    }
    return sum;
}

void main()
{
    const uint b = invocation_number();
    if (b >= control[PAIR_BLOCKS])
        return;
    const uint row = columns[b].y, column = columns[b].x;
    couplings[b] = 0.0;
    if (row == column) {
        links[row] = uvec4(row, row, 1u, NO_CHOICE);
        return;
    }
    // Bodies of coupled masses have blocks of their own.
    if ((flags[column] & NODE_IS_FREE) == 0u || ((flags[row] | flags[column]) & NODE_IS_COUPLED) != 0u)
        return;
    const real3x3 value = values[b];
    const real found = row < column ? coupling(row, column, value) : coupling(column, row, transpose(value));
    if (found > real(COUPLING_LEAST))
        couplings[b] = float(found);
}
