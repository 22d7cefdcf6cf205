// Penalty contact of a point along a direction. Include after common/contact/penalty_obstacles.glsl and common/trials.glsl; declare the
// buffer `scalars` before.
#ifndef COMMON_CONTACT_PENALTY_TRIAL_GLSL
#define COMMON_CONTACT_PENALTY_TRIAL_GLSL

#include "abi/newton.h"
#include "abi/scalars.h"

/// Adds what its energy changes by over the steps from `longest` on, and its slope there.
void penalty_try(uint obstacle, Exact3 x, real3 motion, real longest)
{
    const real stiffness = scalars[SCALAR_STIFFNESS];
    const bool is_sphere = obstacle_is_sphere(obstacle);
    real3 normal;
    const real gap = obstacle_gap(obstacle, x, normal);
    const real3 arm = is_sphere ? exact3_difference(x, obstacle_point(obstacle)) : real3(0.0);
    real s = longest;
    for (uint t = 0u; t < TRIALS_MOST; ++t) {
        const real rise = is_sphere ? sphere_gap_rise(arm, s * motion) : s * dot(normal, motion);
        real magnitude;
        const real change = plane_penalty_change(stiffness, gap, rise, magnitude);
        if (is_sphere)
            penalty_direction(arm + s * motion, normal);
        trial_add(t, change, plane_penalty_slope(stiffness, gap + rise) * dot(normal, motion), magnitude);
        s *= real(0.5);
    }
}

#endif
