// The local step of a copy: the twin of project_plane and project_sphere in src/device/cpu/terms/penalty_split.c. Include after
// common/contact/penalty_split.glsl; `split` is written.
#ifndef COMMON_CONTACT_PENALTY_PROX_GLSL
#define COMMON_CONTACT_PENALTY_PROX_GLSL

#include "common/physics/contact/friction.glsl"

/// The prox of the gap s.
real copy_sink(Copy copy, real s)
{
    return plane_penalty_prox(scalars[SCALAR_STIFFNESS], copy.across, s);
}

/// Without friction a step starts with y' = the target's gap, whatever the multiplier (theory.md section 5, "Start"). With friction it
/// starts as it goes on: steps that are over after one iteration would leave what creeps creeping.
real3 plane_copy_prox(Copy copy, real3 s, bool first)
{
    if (copy.width == 1u)
        return real3(first ? split[copy_place(copy, SPLIT_GAP, 0u)] : copy_sink(copy, s.x), 0.0, 0.0);
    const real across = copy_sink(copy, s.x), force = max(copy.across * (across - s.x), real(0.0));
    const real limit = split[copy_place(copy, SPLIT_COEFFICIENT, 0u)] * force / copy.along;
    const real3 along = friction_prox(limit, real3(0.0, s.y, s.z));
    return real3(across, along.y, along.z);
}

/// s = z + (friction - normal force)/weight in the end, so the radius is that of s less friction's part, as the last iteration has it.
real3 sphere_copy_prox(Copy copy, real3 s, bool rubs)
{
    const real radius = exact_value(obstacle_number(copy.obstacle, PLANE_RADIUS));
    const real3 drag = rubs ? copy_load(copy, SPLIT_DRAG) : real3(0.0);
    real3 normal;
    penalty_direction(s - drag / copy.across, normal);
    const real along = dot(normal, s), kept = radius + copy_sink(copy, along - radius);
    const real3 z = s + (kept - along) * normal;
    if (!rubs)
        return z;
    real3 held = s - copy_load(copy, SPLIT_REST);
    held -= dot(held, normal) * normal;
    held -= friction_prox(split[copy_place(copy, SPLIT_COEFFICIENT, 0u)] * max(kept - along, real(0.0)), held);
    for (uint j = 0u; j < 3u; ++j)
        split[copy_place(copy, SPLIT_DRAG, j)] = copy.across * held[j];
    return z - held;
}

real3 copy_prox(Copy copy, real3 s, bool first, bool rubs)
{
    return copy.is_sphere ? sphere_copy_prox(copy, s, rubs) : plane_copy_prox(copy, s, first);
}

#endif
