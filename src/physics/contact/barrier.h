/// The contact barrier b and its first two derivatives in the distance (theory.md section 8, "Barrier"): with
/// s = distance/range, b = -(s - 1)^2 log s for s < 1, 0 for s >= 1, infinity for s <= 0. It is C2 at s = 1 and has no
/// unit; a stiffness in J makes an energy of it.
#ifndef PHYSICS_CONTACT_BARRIER_H
#define PHYSICS_CONTACT_BARRIER_H

#include <math.h>

/// log s, to the last digits of s - 1 where s is near 1.
static inline double barrier_logarithm(double distance, double range)
{
    return 2 * distance > range ? log1p((distance - range) / range) : log(distance / range);
}

/// b >= 0. `distance` and `range` > 0 in the same unit.
static inline double barrier(double distance, double range)
{
    if (distance >= range)
        return 0;
    if (!(distance > 0))
        return INFINITY;
    const double y = (distance - range) / range; // s - 1
    return -y * y * barrier_logarithm(distance, range);
}

/// b' = -(2 (s - 1) log s + (s - 1)^2/s)/range <= 0, 1/unit of the distance; distance > 0.
static inline double barrier_slope(double distance, double range)
{
    if (distance >= range)
        return 0;
    const double y = (distance - range) / range, s = distance / range;
    return -(2 * y * barrier_logarithm(distance, range) + y * y / s) / range;
}

/// b'' = -(2 log s + 4 (s - 1)/s - (s - 1)^2/s^2)/range^2 >= 0, 1/unit of the distance squared; distance > 0.
static inline double barrier_curvature(double distance, double range)
{
    if (distance >= range)
        return 0;
    const double quotient = (distance - range) / distance; // (s - 1)/s
    return -(2 * barrier_logarithm(distance, range) + (4 - quotient) * quotient) / (range * range);
}

#endif
