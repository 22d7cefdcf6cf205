// The contact barrier b and its first two derivatives in the distance (theory.md section 8, "Barrier"); twin of
// src/physics/contact/barrier.h. A distance here is the gap d - xi.
#ifndef COMMON_PHYSICS_CONTACT_BARRIER_GLSL
#define COMMON_PHYSICS_CONTACT_BARRIER_GLSL

#include "common/real_math.glsl"

/// log s, to the last digits of s - 1 where s is near 1.
real barrier_logarithm(real distance, real range)
{
    return real(2.0) * distance > range ? real_log1p((distance - range) / range) : real_log(distance / range);
}

/// b >= 0. `distance` and `range` > 0 in the same unit.
real barrier(real distance, real range)
{
    if (distance >= range)
        return real(0.0);
    if (!(distance > real(0.0)))
        return real_infinity();
    const real y = (distance - range) / range; // s - 1
    return -y * y * barrier_logarithm(distance, range);
}

/// b' = -(2 (s - 1) log s + (s - 1)^2/s)/range <= 0, 1/unit of the distance; distance > 0.
real barrier_slope(real distance, real range)
{
    if (distance >= range)
        return real(0.0);
    const real y = (distance - range) / range, s = distance / range;
    return -(real(2.0) * y * barrier_logarithm(distance, range) + y * y / s) / range;
}

/// b'' = -(2 log s + 4 (s - 1)/s - (s - 1)^2/s^2)/range^2 >= 0, 1/unit of the distance squared; distance > 0.
real barrier_curvature(real distance, real range)
{
    if (distance >= range)
        return real(0.0);
    const real quotient = (distance - range) / distance; // (s - 1)/s
    return -(real(2.0) * barrier_logarithm(distance, range) + (real(4.0) - quotient) * quotient) / (range * range);
}

/// b at distance + change less b at distance > 0. With y = s - 1 bounded by 0 and D its change,
/// b' - b = -(y'^2 log(s'/s) + D (y' + y) log s): both terms have the same sign. y' is y + D, so that it has the digits of D near
/// s = 1. Infinity where distance + change is not positive.
real barrier_change(real distance, real change, real range)
{
    if (!(distance + change > real(0.0)))
        return real_infinity();
    const real from = min(distance, range), outside = (distance - range) / range, y0 = min(outside, real(0.0));
    const real moved = change / range, y1 = min(outside + moved, real(0.0));
    const real step = outside < real(0.0) && y1 < real(0.0) ? moved : y1 - y0;
    return -(y1 * y1 * real_log1p(step * range / from) + step * (y1 + y0) * barrier_logarithm(from, range));
}

#endif
