// What a direction of Newton's method does to an affine body (theory.md section 9; device/cpu/newton/turn.c has its twin). Declare the
// buffers `slots`, `straight` and `mass_lists`, and node_count, before.
#ifndef COMMON_AFFINE_TURN_GLSL
#define COMMON_AFFINE_TURN_GLSL

#include "abi/nodes.h"
#include "common/real.glsl"

/// Node c of a block of coupled masses: of an affine body its centre of mass, then the ends of the arms from there.
uint block_node(uint block, uint c)
{
    return mass_lists[node_count + 4u * block + c];
}

/// From the centre to end c.
real3 affine_arm(uint block, uint c)
{
    return exact3_difference(slots[ABI_SLOT_STAGE * node_count + block_node(block, c)],
                             slots[ABI_SLOT_STAGE * node_count + block_node(block, 0u)]);
}

/// dA A^-1 by `part` of the direction.
real3x3 affine_motion(uint block, real part)
{
    real3x3 arms, moves;
    for (uint a = 0u; a < 3u; ++a) {
        arms[a] = affine_arm(block, a + 1u);
        moves[a] = part * (straight[block_node(block, a + 1u)] - straight[block_node(block, 0u)]);
    }
    return moves * inverse(arms);
}

/// w of the skew part.
real3 affine_axial(real3x3 motion)
{
    return real(0.5) * real3(motion[1].z - motion[2].y, motion[2].x - motion[0].z, motion[0].y - motion[1].x);
}

#endif
