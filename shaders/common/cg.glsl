// What the kernels of the conjugate gradients share. Scalars of an iteration are never read by the host: each workgroup
// sums the partial sums of the last dispatch itself, all in the same order. Declare the buffer `partials` before.
#ifndef COMMON_CG_GLSL
#define COMMON_CG_GLSL

#include "abi/sums.h"
#include "common/cg_vector.glsl"
#include "common/reduce.glsl"

/// Sum of a section's first `groups` entries.
real partials_sum(uint section, uint groups)
{
    real sum = real(0.0);
    for (uint g = gl_LocalInvocationIndex; g < groups; g += gl_WorkGroupSize.x)
        sum += partials[section * SUM_GROUPS_MOST + g];
    return workgroup_sum(sum);
}

/// The largest of a section's first `groups` entries, which are not negative.
real partials_largest(uint section, uint groups)
{
    real largest = real(0.0);
    for (uint g = gl_LocalInvocationIndex; g < groups; g += gl_WorkGroupSize.x)
        largest = max(largest, partials[section * SUM_GROUPS_MOST + g]);
    return workgroup_largest(largest);
}

/// The step length alpha from `products` partial sums of r.z and `curvatures` of p.A p. No curvature: the matrix is not positive
/// definite, or rounding has eaten the direction; then 0: nothing moves, the solve ends.
real cg_length(uint parity, uint products, uint curvatures)
{
    const real rz = partials_sum(SUM_RZ + parity, products);
    const real curvature = partials_sum(SUM_CURVATURE, curvatures);
    return curvature > real(0.0) ? rz / curvature : real(0.0);
}

#endif
