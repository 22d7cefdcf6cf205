// Conjugate gradients, second half of an iteration but for the preconditioner. Declare the buffers `control`, `partials`,
// `direction`, `product`, `residual`, `increment` and node_count, parity and begin before.
#ifndef COMMON_CG_UPDATE_GLSL
#define COMMON_CG_UPDATE_GLSL

#include "abi/control.h"
#include "abi/sums.h"
#include "common/cg.glsl"
#include "common/invocation.glsl"

/// cg_lengths, or of a guess how much of it; also counts the iteration. `begin`: there is no direction yet, only a residual to be preconditioned.
real2 cg_step(uint products, uint curvatures)
{
    if (begin != 0u)
        return real2(0.0);
    if (control[CONTROL_CG_WARMING] != 0u) { // along the guess to the least; the directions begin behind it
        if (invocation_number() == 0u)
            control[CONTROL_CG_WARM] = 0u;
        return real2(cg_length(parity, products, curvatures), real(0.0));
    }
    const real2 lengths = cg_lengths(parity, products, curvatures);
    const bool sound = lengths.x > real(0.0);
    if (invocation_number() == 0u) {
        control[CONTROL_CG_ITERATION] += sound ? 1u : 0u;
        control[CONTROL_CG_INDEFINITE] = sound ? 0u : 1u;
    }
    return lengths;
}

/// x += alpha p, r -= alpha A p of a row, whose p, r and x are loaded together and returned as they are then.
void cg_move(uint row, real2 lengths, out real3 p, out real3 r, out real3 x)
{
    const real3 image = product[row];
    p = direction[row];
    r = residual[row];
    x = increment[row];
    if (begin != 0u)
        return;
    x += lengths.x * p;
    r -= lengths.x * image;
    increment[row] = x;
    residual[row] = r;
}

/// p = z + beta p of a row whose p was `before`.
void cg_turn(uint row, real3 before, real2 lengths, real3 z)
{
    direction[row] = begin != 0u ? z : z + lengths.y * before;
}

#endif
