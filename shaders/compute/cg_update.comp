// variant: f64
// Conjugate gradients, second half of an iteration: x += alpha p, r -= alpha A p, z = P^-1 r, p = z + beta p, r.z, with block Jacobi;
// the largest component of x.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
#include "abi/kernel.h"
#include "abi/sums.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) buffer Partials { real partials[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Preconditioner { real preconditioner[]; };
layout(scalar, set = 0, binding = 3) buffer Direction { real3 direction[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Product { real3 product[]; };
layout(scalar, set = 0, binding = 5) buffer Residual { real3 residual[]; };
layout(scalar, set = 0, binding = 6) buffer Increment { real3 increment[]; };
layout(scalar, set = 0, binding = 7) readonly buffer MatrixRows { uint matrix_rows[]; };
layout(scalar, set = 0, binding = 8) readonly buffer BodyRoots { real body_roots[]; };

#include "common/linear_push.glsl"

#include "common/cg_update.glsl"
#include "common/invocation.glsl"

#include "common/cg_bodies.glsl"

void keep_row(uint place, uint node, real3 r, real3 before, real2 lengths, real3 z)
{
    cg_turn(node, before, lengths, z);
}

real3 contact_way(uint node, bool has_factors)
{
    return real3(0.0);
}

void main()
{
    const uint groups = sum_groups(node_count);
    if (group_number() >= groups)
        return;
    const real2 lengths = cg_step(groups, groups);
    real sum = real(0.0);
    for (uint place = invocation_number(); place < node_count; place += groups * gl_WorkGroupSize.x)
        sum += move_rows(place, lengths);
    const real4 sums = workgroup_reduce(real4(sum, 0.0, 0.0, largest_moved));
    if (gl_LocalInvocationIndex == 0u) {
        partials[(SUM_RZ + 1u - parity) * SUM_GROUPS_MOST + group_number()] = sums.x;
        partials[SUM_LARGEST * SUM_GROUPS_MOST + group_number()] = sums.w;
    }
}
