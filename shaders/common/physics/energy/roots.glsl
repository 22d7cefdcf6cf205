// Roots of the scalar equations that the prox operators come down to; twin of src/physics/energy/roots.h.
#ifndef COMMON_PHYSICS_ENERGY_ROOTS_GLSL
#define COMMON_PHYSICS_ENERGY_ROOTS_GLSL

#include "common/real.glsl"

/// The larger root s of s^2 - b s - e = 0, and the root of the discriminant, which is 2 s - b.
real larger_root(real b, real e, out real slope)
{
    slope = sqrt(max(b * b + 4.0 * e, real(0)));
    const real sum = abs(b) + slope;
    return b >= 0.0 ? 0.5 * sum : 2.0 * e / sum;
}

/// The cube root of a positive number, roughly (GLSL's own exp2 and log2, in float).
real rough_cube_root(real a) { return real(exp2(log2(clamp(float(a), 1e-37, 1e37)) / 3.0)); }

#endif
