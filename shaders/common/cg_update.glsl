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
    const bool warming = control[CONTROL_CG_WARMING] != 0u;
    if (warming) { // along the guess to the least; the directions begin behind it
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

/// A row's vectors as the iteration finds them, loaded together.
struct RowVectors {
    real3 direction, product, residual, increment;
};

RowVectors cg_vectors(uint row)
{
    return RowVectors(direction[row], product[row], residual[row], increment[row]);
}

/// x += alpha p, r -= alpha A p of a row.
void cg_move(uint row, inout RowVectors own, real2 lengths)
{
    if (begin != 0u)
        return;
    own.increment += lengths.x * own.direction;
    own.residual -= lengths.x * own.product;
    increment[row] = own.increment;
    residual[row] = own.residual;
}

/// p = z + beta p of a row whose p was `before`.
void cg_turn(uint row, real3 before, real2 lengths, real3 z)
{
    direction[row] = begin != 0u ? z : z + lengths.y * before;
}

#endif
