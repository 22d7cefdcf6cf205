// What pushes back in penalty contact (theory.md section 5): the gap of a sphere and how that changes. The energy in the gap is
// that of plane_penalty.glsl for planes and spheres. Twin: src/physics/contact/penalty_shape.h.
#ifndef COMMON_PHYSICS_CONTACT_PENALTY_SHAPE_GLSL
#define COMMON_PHYSICS_CONTACT_PENALTY_SHAPE_GLSL

#include "common/real.glsl"

/// |r|, m, and r/|r|; the x axis at r = 0.
real penalty_direction(real3 r, out real3 direction)
{
    const real size = length(r);
    direction = size > real(0.0) ? r / size : real3(1.0, 0.0, 0.0);
    return size;
}

/// |r| - radius at r from the centre, m, as (r.r - radius^2)/(|r| + radius), rounded once the leading parts have cancelled; and
/// its gradient.
real sphere_gap(Exact3 r, Exact radius, out real3 normal)
{
    const real size = penalty_direction(exact3_value(r), normal);
    const Exact rise = exact_add(exact_dot(r, r), exact_negative(exact_multiply(radius, radius)));
    return exact_value(rise) / (size + exact_value(radius));
}

/// |r + d| - |r|, m, formed from d.
real sphere_gap_rise(real3 r, real3 d)
{
    const real lengths = length(r + d) + length(r);
    return lengths > real(0.0) ? (real(2.0) * dot(r, d) + dot(d, d)) / lengths : real(0.0);
}

#endif
