// variant: f64
// Conjugate gradients, second half of an iteration, with the two-level preconditioner: x += alpha p, r -= alpha A p, the first
// level of z and its part of r.z; and the residual summed over the motions of each chunk of a group.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/coarse.h"
#include "abi/kernel.h"
#include "abi/sums.h"
#include "common/real.glsl"

#define MANY_SUMS COARSE_MODES

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) buffer Partials { real partials[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Preconditioner { real preconditioner[]; };
layout(scalar, set = 0, binding = 3) writeonly buffer Preconditioned { real3 preconditioned[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Direction { real3 direction[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Product { real3 product[]; };
layout(scalar, set = 0, binding = 6) buffer Residual { real3 residual[]; };
layout(scalar, set = 0, binding = 7) buffer Increment { real3 increment[]; };
layout(scalar, set = 0, binding = 8) readonly buffer GroupNodes { uint group_nodes[]; };
layout(scalar, set = 0, binding = 9) readonly buffer Arms { real3 arms[]; };
layout(scalar, set = 0, binding = 10) writeonly buffer Restricted { real restricted[]; };

#include "common/linear_push.glsl"

#include "common/cg_blocks.glsl"
#include "common/cg_update.glsl"
#include "common/coarse.glsl"
#include "common/invocation.glsl"
#include "common/many_sums.glsl"

void add_motions(real3 r, real3 arm)
{
    for (uint k = 0u; k < 3u; ++k) {
        many_sums_add(4u * k, r[k]);
        for (uint l = 0u; l < 3u; ++l)
            many_sums_add(4u * k + l + 1u, r[k] * arm[l]);
    }
}

void main()
{
    const uint chunk = group_number();
    if (chunk >= group_count * chunks_per_group)
        return;
    const uvec2 range = coarse_chunk(chunk);
    const real alpha = cg_step(product_count, curvature_count);
    real sum = real(0.0);
    many_sums_begin();
    for (uint p = range.x + gl_LocalInvocationIndex; p < range.y; p += gl_WorkGroupSize.x) {
        const uint row = group_nodes[p];
        const real3 r = cg_move(row, alpha), z = solve_own_block(row, r);
        preconditioned[row] = z;
        sum += dot(r, z);
        add_motions(r, arms[row]);
    }
    sum = workgroup_sum(sum);
    if (gl_LocalInvocationIndex == 0u)
        partials[(SUM_RZ + 1u - parity) * SUM_GROUPS_MOST + chunk] = sum;
    for (uint v = gl_LocalInvocationIndex; v < COARSE_MODES; v += gl_WorkGroupSize.x)
        restricted[COARSE_MODES * chunk + v] = many_sums_total(v);
}
