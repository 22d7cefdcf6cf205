// variant: f64
// After the dual residual: stop, or go on. In the sheet's variable q the residual and its bound are half of what they are
// in the stage's.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/admm.h"
#include "abi/control.h"
#include "abi/kernel.h"
#include "abi/scalars.h"
#include "abi/sums.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Partials { real partials[]; };

#include "common/cg.glsl"
#include "common/control.glsl"

/// The sums of n n^T, of which the trace is 0 without penalty contact.
uint iterations_least()
{
    const real trace = scalars[SCALAR_PLANE_ACROSS] + scalars[SCALAR_PLANE_ACROSS + 1] + scalars[SCALAR_PLANE_ACROSS + 2];
    return trace > real(0.0) ? ADMM_LEAST_WITH_CONTACT : 0u;
}

void main()
{
    real norms[SUM_DUAL_COUNT];
    for (uint v = 0u; v < SUM_DUAL_COUNT; ++v)
        norms[v] = sqrt(partials_sum(SUM_DUAL + v, control[CONTROL_SUMS_NODES]));
    if (gl_LocalInvocationIndex != 0u)
        return;
    const real dual = real(0.5) * norms[0];
    const real bound = scalars[SCALAR_TOLERANCE] * (real(0.5) * norms[2] + norms[3] + real(0.5) * norms[1]);
    scalars[SCALAR_DUAL] = dual;
    scalars[SCALAR_DUAL_BOUND] = bound;
    end_dual();
    const uint primal = control[CONTROL_PRIMAL_DONE];
    if (primal != ADMM_RUNNING && control[CONTROL_ITERATION] >= iterations_least() && dual <= max(bound, scalars[SCALAR_DUAL_FLOOR])) {
        control[CONTROL_STOP] = dual <= bound ? primal : ADMM_AT_ROUNDING;
        return;
    }
    if (control[CONTROL_ITERATION] >= control[CONTROL_LIMIT]) {
        control[CONTROL_STOP] = ADMM_AT_LIMIT;
        return;
    }
    run_local_step();
}
