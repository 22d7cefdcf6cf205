// The largest step along which no element inverts (theory.md section 8 "Inversion"); twin of src/physics/energy/inversion.h.
#ifndef COMMON_PHYSICS_ENERGY_INVERSION_GLSL
#define COMMON_PHYSICS_ENERGY_INVERSION_GLSL

#include "common/real.glsl"

/// a . cof b, row-major 3x3.
real dot_cofactor(real a[9], real b[9])
{
    real sum = real(0);
    for (int i = 0; i < 3; ++i) {
        const int k = (i + 1) % 3, l = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            const int m = (j + 1) % 3, n = (j + 2) % 3;
            sum += a[3 * i + j] * (b[3 * k + m] * b[3 * l + n] - b[3 * k + n] * b[3 * l + m]);
        }
    }
    return sum;
}

/// Largest t <= 1 with det(F + t D) >= det(F)/10 on all of [0, t], or a little less: the polynomial's Bernstein coefficients
/// on [t, t + w] bound it there. 1 where det F <= 0. The tenth is raised by the rounding of the polynomial's coefficients
/// (products of three lengths, relative to det F), to a half at most: elements so flat that it would be more are beyond the
/// precision anyway.
real inversion_bound(real f[9], real d[9])
{
    const real det = dot_cofactor(f, f) / 3.0;
    if (!(det > 0.0))
        return real(1);
    real size = real(0);
    for (int i = 0; i < 9; ++i)
        size = max(size, abs(f[i]) + abs(d[i]));
    const real scale = 1.0 / det, rounding = 32.0 * REAL_ROUNDOFF * size * size * size * scale;
    const real bound = min(real(1) / real(10) + rounding, real(0.5));
    const real c1 = dot_cofactor(d, f) * scale, c2 = dot_cofactor(f, d) * scale, c3 = dot_cofactor(d, d) / 3.0 * scale;
    real t = real(0), w = real(1);
    while (t < 1.0 && 1000.0 * w >= t && w >= 1e-12) {
        const real q = 1.0 + t * (c1 + t * (c2 + t * c3)), q1 = w * (c1 + t * (2.0 * c2 + 3.0 * t * c3));
        const real q2 = w * w * (c2 + 3.0 * t * c3), q3 = w * w * w * c3;
        const bool safe = q >= bound && q + q1 / 3.0 >= bound && q + (2.0 * q1 + q2) / 3.0 >= bound &&
                          q + q1 + q2 + q3 >= bound;
        t += safe ? w : real(0);
        w = safe ? min(2.0 * w, 1.0 - t) : 0.5 * w;
    }
    return t;
}

#endif
