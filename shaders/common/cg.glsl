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

#extension GL_EXT_control_flow_attributes : require

#include "abi/sums.h"
#include "common/cg_vector.glsl"
#include "common/reduce.glsl"

/// Entries that an invocation has under way together of each section.
const uint PARTS_AT_ONCE = 4u;

/// Entry number `entry` of a section, of its first `groups`.
real partials_entry(uint section, uint entry, uint groups)
{
    return partials[section * SUM_GROUPS_MOST + min(entry, groups - 1u)];
}

/// What an invocation has of the sum of a section's first `groups` entries.
real partials_part(uint section, uint groups)
{
    real sum = real(0.0);
    for (uint first = gl_LocalInvocationIndex; first < groups; first += PARTS_AT_ONCE * gl_WorkGroupSize.x) {
        real part[PARTS_AT_ONCE];
        [[unroll]] for (uint k = 0u; k < PARTS_AT_ONCE; ++k)
            part[k] = partials_entry(section, first + k * gl_WorkGroupSize.x, groups);
        [[unroll]] for (uint k = 0u; k < PARTS_AT_ONCE; ++k)
            sum += first + k * gl_WorkGroupSize.x < groups ? part[k] : real(0.0);
    }
    return sum;
}

/// What an invocation has of `products` partial sums of r.z and of A p.P^-1 A p, and `curvatures` of p.A p in between: all loads under way together.
real3 cg_parts(uint parity, uint products, uint curvatures)
{
    real3 sum = real3(0.0);
    for (uint first = gl_LocalInvocationIndex; first < max(products, curvatures); first += PARTS_AT_ONCE * gl_WorkGroupSize.x) {
        real3 part[PARTS_AT_ONCE];
        [[unroll]] for (uint k = 0u; k < PARTS_AT_ONCE; ++k) {
            const uint entry = first + k * gl_WorkGroupSize.x;
            part[k] = real3(partials_entry(SUM_RZ + parity, entry, products), partials_entry(SUM_CURVATURE, entry, curvatures),
                            partials_entry(SUM_IMAGE, entry, products));
        }
        [[unroll]] for (uint k = 0u; k < PARTS_AT_ONCE; ++k) {
            const uint entry = first + k * gl_WorkGroupSize.x;
            sum += real3(entry < products ? part[k].x : real(0.0), entry < curvatures ? part[k].y : real(0.0),
                         entry < products ? part[k].z : real(0.0));
        }
    }
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
    const real4 sums = workgroup_reduce(real4(cg_parts(parity, products, curvatures).xy, 0.0, 0.0));
    return sums.y > real(0.0) ? sums.x / sums.y : real(0.0);
}

/// alpha and beta from `products` partial sums of r.z and of A p.P^-1 A p, and `curvatures` of p.A p. No curvature: the matrix is not
/// positive definite, or rounding has eaten the direction; then both are 0: nothing moves, the solve ends.
real2 cg_lengths(uint parity, uint products, uint curvatures)
{
    const real4 sums = workgroup_reduce(real4(cg_parts(parity, products, curvatures), 0.0));
    if (!(sums.y > real(0.0)))
        return real2(0.0);
    const real alpha = sums.x / sums.y;
    return real2(alpha, max(alpha * (alpha * sums.z / sums.x) - real(1.0), real(0.0)));
}

#endif
