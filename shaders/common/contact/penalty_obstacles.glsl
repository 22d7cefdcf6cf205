// Planes and spheres of penalty contact. Declare the buffer `planes` (PLANE_STRIDE exact numbers each, abi/nodes.h) before.
#ifndef COMMON_CONTACT_PENALTY_OBSTACLES_GLSL
#define COMMON_CONTACT_PENALTY_OBSTACLES_GLSL

#include "abi/nodes.h"
#include "common/physics/contact/penalty_shape.glsl"
#include "common/physics/contact/plane_penalty.glsl"
#include "common/real.glsl"

Exact obstacle_number(uint obstacle, uint at)
{
    return planes[PLANE_STRIDE * obstacle + at];
}

real3 obstacle_vector(uint obstacle, uint at)
{
    return real3(exact_value(obstacle_number(obstacle, at)), exact_value(obstacle_number(obstacle, at + 1u)),
                 exact_value(obstacle_number(obstacle, at + 2u)));
}

bool obstacle_is_sphere(uint obstacle)
{
    return exact_value(obstacle_number(obstacle, PLANE_RADIUS)) > real(0.0);
}

/// Of a plane one of its points, of a sphere the centre.
Exact3 obstacle_point(uint obstacle)
{
    return exact3_from(obstacle_number(obstacle, PLANE_POINT), obstacle_number(obstacle, PLANE_POINT + 1u),
                       obstacle_number(obstacle, PLANE_POINT + 2u));
}

/// n.x - o, rounded once the leading parts have cancelled, or |x - c| - r; m. `normal`: its gradient, unit.
real obstacle_gap(uint obstacle, Exact3 x, out real3 normal)
{
    if (obstacle_is_sphere(obstacle))
        return sphere_gap(exact3_subtract(x, obstacle_point(obstacle)), obstacle_number(obstacle, PLANE_RADIUS), normal);
    normal = obstacle_vector(obstacle, PLANE_NORMAL);
    Exact sum = obstacle_number(obstacle, PLANE_OFFSET);
    for (int k = 0; k < 3; ++k)
        sum = exact_add(sum, exact_multiply(obstacle_number(obstacle, PLANE_NORMAL + k), exact3_component(x, k)));
    return exact_value(sum);
}

#endif
