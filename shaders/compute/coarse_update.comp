// variant: f64
// Conjugate gradients, second half of an iteration, with the two-level preconditioner: x += alpha p, r -= alpha A p, and
// p = z + beta p, where z is the first level's and the motions of the node's group: W^T times what coarse_forward left. The first
// level's part of r.z, and the sums of r over the motions; the largest component of x.
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
layout(scalar, set = 0, binding = 3) buffer Direction { real3 direction[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Product { real3 product[]; };
layout(scalar, set = 0, binding = 5) buffer Residual { real3 residual[]; };
layout(scalar, set = 0, binding = 6) buffer Increment { real3 increment[]; };
layout(scalar, set = 0, binding = 7) readonly buffer MatrixRows { uint matrix_rows[]; };
layout(scalar, set = 0, binding = 8) readonly buffer Arms { real3 arms[]; };
layout(scalar, set = 0, binding = 9) readonly buffer Matrix { real matrix[]; };
layout(scalar, set = 0, binding = 10) readonly buffer Reduced { real reduced[]; };
layout(scalar, set = 0, binding = 11) readonly buffer BodyRoots { real body_roots[]; };
layout(scalar, set = 0, binding = 12) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 13) readonly buffer PartialPins { real partial_pins[]; };

#include "common/linear_push.glsl"

#include "common/cg_update.glsl"
#include "common/coarse.glsl"
#include "common/coarse_motions.glsl"
#include "common/invocation.glsl"
#include "common/partial_pins.glsl"

shared real motion[COARSE_MODES];

void solve_motion(uint first)
{
    const uint own = gl_LocalInvocationIndex;
    many_sums_begin();
    for (uint c = first + own; c < coarse_size(); c += gl_WorkGroupSize.x) {
        const uvec2 motions = coarse_motions_with(c);
        for (uint m = motions.x; m < motions.y; ++m)
            many_sums_add(m, matrix[c * coarse_size() + first + m] * reduced[c]);
    }
    barrier();
    if (own < COARSE_MODES)
        motion[own] = many_sums_total(own);
    barrier();
}

real3 moved(real3 arm)
{
    real3 sum;
    for (uint k = 0u; k < 3u; ++k)
        sum[k] =
            motion[4u * k] + dot(arm, real3(motion[4u * k + 1u], motion[4u * k + 2u], motion[4u * k + 3u]));
    return sum;
}

void keep_row(uint row, real2 lengths, real3 r, real3 z)
{
    const real3 arm = arms[row];
    const real3 way = moved(arm);
    cg_turn(row, lengths, z + (held != 0u ? free_part(row, way) : way));
    motions_add(r, arm);
}

#include "common/cg_bodies.glsl"

void main()
{
    const uint chunk = group_number();
    if (chunk >= group_count * chunks_per_group)
        return;
    if (begin != 0u && invocation_number() == 0u)
        control[ARGUMENTS_START_COARSE] = control[ARGUMENTS_START_CHUNKS] = 0u;
    const uvec2 range = coarse_chunk(chunk);
    const real2 lengths = cg_step(product_count, curvature_count);
    real sum = real(0.0);
    solve_motion(chunk / chunks_per_group * COARSE_MODES);
    motions_begin();
    for (uint p = range.x + gl_LocalInvocationIndex; p < range.y; p += gl_WorkGroupSize.x)
        sum += move_rows(p, lengths);
    motions_end(SUM_RESIDUAL_MOTIONS, chunk);
    const real4 sums = workgroup_reduce(real4(sum, 0.0, 0.0, largest_moved));
    if (gl_LocalInvocationIndex == 0u) {
        partials[(SUM_RZ + 1u - parity) * SUM_GROUPS_MOST + chunk] = sums.x;
        partials[SUM_LARGEST * SUM_GROUPS_MOST + chunk] = sums.w;
    }
}
