// variant: f64
// Conjugate gradients, second half of an iteration: x += alpha p, r -= alpha A p, z = preconditioner r, r.z.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/admm.h"
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) buffer Partials { real partials[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Preconditioner { real preconditioner[]; };
layout(scalar, set = 0, binding = 3) buffer Preconditioned { real3 preconditioned[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Direction { real3 direction[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Product { real3 product[]; };
layout(scalar, set = 0, binding = 6) buffer Residual { real3 residual[]; };
layout(scalar, set = 0, binding = 7) buffer Increment { real3 increment[]; };
layout(push_constant) uniform Push { uint node_count, parity; };

#include "common/cg.glsl"

void main()
{
    const uint groups = gl_NumWorkGroups.x;
    const real rz = partials_sum(SUM_RZ + parity, groups);
    const real curvature = partials_sum(SUM_CURVATURE, groups);
    // No curvature: the matrix is not positive definite, or rounding has eaten the direction. Nothing moves, the solve ends.
    const bool sound = curvature > real(0.0);
    const real alpha = sound ? rz / curvature : real(0.0);
    const uint from = (1u - parity) * node_count;
    real sum = real(0.0);
    for (uint row = gl_GlobalInvocationID.x; row < node_count; row += groups * gl_WorkGroupSize.x) {
        increment[row] += alpha * direction[from + row];
        const real3 r = residual[row] - alpha * product[row];
        residual[row] = r;
        real factor[6];
        for (int k = 0; k < 6; ++k)
            factor[k] = preconditioner[6u * row + k];
        const real3 z = solve_block(factor, r);
        preconditioned[row] = z;
        sum += dot(r, z);
    }
    sum = workgroup_sum(sum);
    if (gl_LocalInvocationIndex == 0u)
        partials[(SUM_RZ + 1u - parity) * SUM_GROUPS_MOST + gl_WorkGroupID.x] = sum;
    if (gl_GlobalInvocationID.x == 0u) {
        control[CONTROL_CG_ITERATION] += sound ? 1u : 0u;
        control[CONTROL_CG_INDEFINITE] = sound ? 0u : 1u;
    }
}
