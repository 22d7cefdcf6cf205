/// The largest step along which an element does not invert (theory.md section 8 "Inversion"). Matrices are row-major.
/// Twin: shaders/common/physics/energy/inversion.glsl.
#ifndef PHYSICS_ENERGY_INVERSION_H
#define PHYSICS_ENERGY_INVERSION_H

#include "base/lanes.h"

/// a . cof b
LANES_INLINE Pack dot_cofactor(const Pack a[9], const Pack b[9])
{
    return a[0] * (b[4] * b[8] - b[5] * b[7]) + a[1] * (b[5] * b[6] - b[3] * b[8]) +
           a[2] * (b[3] * b[7] - b[4] * b[6]) + a[3] * (b[2] * b[7] - b[1] * b[8]) +
           a[4] * (b[0] * b[8] - b[2] * b[6]) + a[5] * (b[1] * b[6] - b[0] * b[7]) +
           a[6] * (b[1] * b[5] - b[2] * b[4]) + a[7] * (b[2] * b[3] - b[0] * b[5]) +
           a[8] * (b[0] * b[4] - b[1] * b[3]);
}

/// Largest t <= 1 with det(F + t D) >= det(F)/10 on all of [0, t], or a little less: the polynomial's Bernstein coefficients
/// on [t, t + w] bound it there. 1 in lanes that are not `wanted`, and where det F <= 0.
LANES_INLINE Pack inversion_bound(const Pack F[9], const Pack D[9], PackMask wanted)
{
    const Pack one = pack_set(1.0), zero = pack_set(0.0), bound = pack_set(0.1), third = pack_set(1.0 / 3);
    const Pack det = dot_cofactor(F, F) / 3;
    PackMask active = wanted & pack_less(zero, det);
    const Pack scale = 1.0 / pack_select(active, det, one);
    const Pack c1 = dot_cofactor(D, F) * scale, c2 = dot_cofactor(F, D) * scale,
               c3 = dot_cofactor(D, D) / 3 * scale;
    Pack t = pack_select(active, zero, one), w = one;
    while (pack_any(active)) {
        const Pack q = 1.0 + t * (c1 + t * (c2 + t * c3)), q1 = w * (c1 + t * (2.0 * c2 + 3.0 * t * c3)),
                   q2 = w * w * (c2 + 3.0 * t * c3), q3 = w * w * w * c3;
        const PackMask safe = pack_less_equal(bound, q) & pack_less_equal(bound, q + third * q1) &
                              pack_less_equal(bound, q + third * (2.0 * q1 + q2)) &
                              pack_less_equal(bound, q + q1 + q2 + q3);
        t = pack_select(active & safe, t + w, t);
        w = pack_select(safe, pack_min(2.0 * w, 1.0 - t), 0.5 * w);
        active &= pack_less(t, one) & pack_less_equal(1e-3 * t, w) & pack_less_equal(pack_set(1e-12), w);
    }
    return t;
}

#endif
