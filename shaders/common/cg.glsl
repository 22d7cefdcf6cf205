// What the kernels of the conjugate gradients share. Scalars of an iteration are never read by the host: each workgroup
// sums the partial sums of the last dispatches itself, all in the same order. Declare the buffer `partials` before.
//
// An iteration k has p, r and r.z. Its first half forms A p and two sums, p.A p and A p.P^-1 A p; its second half has all that it
// needs then, for from r' = r - alpha A p follows
//
//     alpha = r.z / p.A p,     r'.z' = alpha^2 (A p.P^-1 A p) - r.z,     beta = r'.z' / r.z
//
// [Meurant, Multitasking the conjugate gradient method, 1987]. So the new direction z' + beta p is formed where z' is, which is
// stored nowhere, and neighbours read one vector. That r'.z' is off by rounding of r.z, so it serves beta alone: the next
// iteration's r.z is summed from what r' and z' have become.
#ifndef COMMON_CG_GLSL
#define COMMON_CG_GLSL

#include "abi/sums.h"
#include "common/cg_vector.glsl"
#include "common/reduce.glsl"

/// What an invocation has of the sum of a section's first `groups` entries.
real partials_part(uint section, uint groups)
{
    real sum = real(0.0);
    for (uint g = gl_LocalInvocationIndex; g < groups; g += gl_WorkGroupSize.x)
        sum += partials[section * SUM_GROUPS_MOST + g];
    return sum;
}

/// Sum of a section's first `groups` entries.
real partials_sum(uint section, uint groups)
{
    return workgroup_sum(partials_part(section, groups));
}

/// The largest of a section's first `groups` entries, which are not negative.
real partials_largest(uint section, uint groups)
{
    real largest = real(0.0);
    for (uint g = gl_LocalInvocationIndex; g < groups; g += gl_WorkGroupSize.x)
        largest = max(largest, partials[section * SUM_GROUPS_MOST + g]);
    return workgroup_largest(largest);
}

/// alpha alone, before A p.P^-1 A p is complete.
real cg_length(uint parity, uint products, uint curvatures)
{
    const real4 sums = workgroup_reduce(
        real4(partials_part(SUM_RZ + parity, products), partials_part(SUM_CURVATURE, curvatures), 0.0, 0.0));
    return sums.y > real(0.0) ? sums.x / sums.y : real(0.0);
}

/// alpha and beta from `products` partial sums of r.z and of A p.P^-1 A p, and `curvatures` of p.A p. No curvature: the matrix is not
/// positive definite, or rounding has eaten the direction; then both are 0: nothing moves, the solve ends.
real2 cg_lengths(uint parity, uint products, uint curvatures)
{
    const real4 sums = workgroup_reduce(real4(partials_part(SUM_RZ + parity, products),
                                              partials_part(SUM_CURVATURE, curvatures),
                                              partials_part(SUM_IMAGE, products), 0.0));
    if (!(sums.y > real(0.0)))
        return real2(0.0);
    const real alpha = sums.x / sums.y;
    return real2(alpha, max(alpha * (alpha * sums.z / sums.x) - real(1.0), real(0.0)));
}

#endif
