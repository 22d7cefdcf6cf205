// variant: f64
// First half of the coarse solve A^-1 b = W^T W b, one group a workgroup: b = the sums over motions of the residual that this
// iteration will have, and W b. Its square is the coarse space's part of r.z; that of W times A p's sums its part of A p.P^-1 A p.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/coarse.h"
#include "abi/kernel.h"
#include "abi/sums.h"
#include "common/real.glsl"

#define MANY_SUMS (2 * COARSE_MODES)

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Partials { real partials[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Matrix { real matrix[]; };
layout(scalar, set = 0, binding = 2) writeonly buffer Reduced { real reduced[]; };

#include "common/linear_push.glsl"

#include "common/cg.glsl"
#include "common/coarse.glsl"
#include "common/invocation.glsl"
#include "common/many_sums.glsl"

/// Unknown `c` of the sums of all chunks of its group, in order.
real chunks_sum(uint first_section, uint c)
{
    const uint section = (first_section + c % COARSE_MODES) * SUM_GROUPS_MOST,
               first = c / COARSE_MODES * chunks_per_group;
    real sum = real(0.0);
    for (uint chunk = 0u; chunk < chunks_per_group; chunk += 4u) { // four loads under way together
        real part[4];
        [[unroll]] for (uint k = 0u; k < 4u; ++k)
            part[k] = partials[section + first + min(chunk + k, chunks_per_group - 1u)];
        [[unroll]] for (uint k = 0u; k < 4u; ++k)
            sum += chunk + k < chunks_per_group ? part[k] : real(0.0);
    }
    return sum;
}

shared real squares[MANY_SUMS];

/// Leaves the sum of some squares where the coarse space's parts of a section are.
void keep_squares(uint section, uint first)
{
    real sum = real(0.0);
    for (uint m = 0u; m < COARSE_MODES; ++m)
        sum += squares[first + m];
    partials[section * SUM_GROUPS_MOST + group_count * chunks_per_group + group_number()] = sum;
}

void main()
{
    const uint own = gl_LocalInvocationIndex, group = group_number(), first = COARSE_MODES * group;
    if (group >= group_count)
        return;
    const real alpha = begin != 0u ? real(0.0) : cg_length(parity, product_count, curvature_count);
    many_sums_begin();
    for (uint c = own; c < first + COARSE_MODES; c += gl_WorkGroupSize.x) {
        const real product = begin != 0u ? real(0.0) : chunks_sum(SUM_PRODUCT_MOTIONS, c);
        const real b = chunks_sum(SUM_RESIDUAL_MOTIONS, c) - alpha * product;
        const uvec2 motions = coarse_motions_with(c);
        for (uint m = motions.x; m < motions.y; m += 4u) {
            real w[4];
            [[unroll]] for (uint k = 0u; k < 4u; ++k)
                w[k] = matrix[(first + m + k) * coarse_size() + c];
            [[unroll]] for (uint k = 0u; k < 4u; ++k) {
                many_sums_add(m + k, w[k] * b);
                many_sums_add(COARSE_MODES + m + k, w[k] * product);
            }
        }
    }
    barrier();
    if (own < MANY_SUMS) {
        const real sum = many_sums_total(own);
        if (own < COARSE_MODES)
            reduced[first + own] = sum;
        squares[own] = sum * sum;
    }
    barrier();
    if (own < 2u)
        keep_squares(own == 0u ? SUM_RZ + 1u - parity : SUM_IMAGE, own * COARSE_MODES);
}
