// Penalty of a node before a plane (theory.md section 5): E = k/2 min(0, gap)^2 with the gap n.x - o, m, and the stiffness k,
// N/m. Twin: src/physics/contact/plane_penalty.h.
#ifndef COMMON_PHYSICS_CONTACT_PLANE_PENALTY_GLSL
#define COMMON_PHYSICS_CONTACT_PLANE_PENALTY_GLSL

#include "common/real.glsl"

/// J
real plane_penalty_energy(real stiffness, real gap)
{
    const real depth = min(gap, real(0.0));
    return real(0.5) * stiffness * depth * depth;
}

/// dE/dgap <= 0, N: the gradient is this times n.
real plane_penalty_slope(real stiffness, real gap)
{
    return stiffness * min(gap, real(0.0));
}

/// d2E/dgap2, N/m: the Hessian is this times n n^T.
real plane_penalty_curvature(real stiffness, real gap)
{
    return gap < real(0.0) ? stiffness : real(0.0);
}

/// E at gap + rise less E at gap, J, and the size of what it is rounded from.
real plane_penalty_change(real stiffness, real gap, real rise, out real magnitude)
{
    const real depth = min(gap, real(0.0)), next = min(gap + rise, real(0.0));
    // Where it touches before and after, the change is the motion's, without the error of next - depth.
    const real change = depth < real(0.0) && next < real(0.0) ? rise : next - depth;
    magnitude = real(0.5) * stiffness * (abs(change) + abs(depth)) * (abs(next) + abs(depth));
    return real(0.5) * stiffness * change * (next + depth);
}

/// ADMM's weight of a split vertex, N/m: the geometric mean of the stiffness and its inertia m/a^2, N/m, but the stiffness where that is
/// less (theory.md section 6).
real plane_penalty_weight(real stiffness, real inertia)
{
    return sqrt(stiffness * min(stiffness, inertia));
}

/// argmin E(y) + weight/2 (y - s)^2, m.
real plane_penalty_prox(real stiffness, real weight, real s)
{
    return s >= real(0.0) ? s : weight / (weight + stiffness) * s;
}

#endif
