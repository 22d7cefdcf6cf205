// Conjugate gradients, second half of an iteration but for the preconditioner. Declare the buffers `control`, `partials`,
// `direction`, `product`, `residual`, `increment` and node_count, parity and begin before.
#ifndef COMMON_CG_UPDATE_GLSL
#define COMMON_CG_UPDATE_GLSL

#include "abi/control.h"
#include "abi/sums.h"
#include "common/cg.glsl"
#include "common/invocation.glsl"

/// cg_length; also counts the iteration. `begin`: there is no direction yet, only a residual to be preconditioned.
real cg_step(uint products, uint curvatures)
{
    if (begin != 0u)
        return real(0.0);
    const real alpha = cg_length(parity, products, curvatures);
    const bool sound = alpha > real(0.0);
    if (invocation_number() == 0u) {
        control[CONTROL_CG_ITERATION] += sound ? 1u : 0u;
        control[CONTROL_CG_INDEFINITE] = sound ? 0u : 1u;
    }
    return alpha;
}

/// x += alpha p, r -= alpha A p of a row; returns r.
real3 cg_move(uint row, real alpha)
{
    if (begin != 0u)
        return residual[row];
    increment[row] += alpha * direction[(1u - parity) * node_count + row];
    const real3 r = residual[row] - alpha * product[row];
    residual[row] = r;
    return r;
}

#endif
