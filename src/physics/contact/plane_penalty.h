/// Penalty of a node before a plane (theory.md section 5): E = k/2 min(0, gap)^2 with the gap n.x - o, m, and the stiffness k,
/// N/m. Twin: shaders/common/physics/contact/plane_penalty.glsl.
#ifndef PHYSICS_CONTACT_PLANE_PENALTY_H
#define PHYSICS_CONTACT_PLANE_PENALTY_H

#include <math.h>

/// J
static inline double plane_penalty_energy(double stiffness, double gap)
{
    const double depth = fmin(gap, 0);
    return 0.5 * stiffness * depth * depth;
}

/// dE/dgap <= 0, N: the gradient is this times n.
static inline double plane_penalty_slope(double stiffness, double gap)
{
    return stiffness * fmin(gap, 0);
}

/// d2E/dgap2, N/m: the Hessian is this times n n^T.
static inline double plane_penalty_curvature(double stiffness, double gap)
{
    return gap < 0 ? stiffness : 0;
}

/// E at gap + rise less E at gap, J, and the size of what it is rounded from.
static inline double plane_penalty_change(double stiffness, double gap, double rise, double *magnitude)
{
    const double depth = fmin(gap, 0), next = fmin(gap + rise, 0);
    // Where it touches before and after, the change is the motion's, without the error of next - depth.
    const double change = depth < 0 && next < 0 ? rise : next - depth;
    *magnitude = 0.5 * stiffness * (fabs(change) + fabs(depth)) * (fabs(next) + fabs(depth));
    return 0.5 * stiffness * change * (next + depth);
}

/// ADMM's weight of a split vertex, N/m: the geometric mean of the stiffness and its inertia m/a^2, N/m, but the stiffness where that is
/// less (theory.md section 6).
static inline double plane_penalty_weight(double stiffness, double inertia)
{
    return sqrt(stiffness * fmin(stiffness, inertia));
}

/// argmin E(y) + weight/2 (y - s)^2, m.
static inline double plane_penalty_prox(double stiffness, double weight, double s)
{
    return s >= 0 ? s : weight / (weight + stiffness) * s;
}

#endif
