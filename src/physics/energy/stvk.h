/// Saint Venant-Kirchhoff: psi = mu sum e_i^2 + lambda/2 (sum e_i)^2, e_i = (s_i^2 - 1)/2, mu = kappa (theory.md section
/// 3). Finite everywhere, also inverted. `s` are signed singular values, kappa > 0 and lambda >= 0 in Pa.
/// Twin: shaders/common/physics/energy/stvk.glsl.
#ifndef PHYSICS_ENERGY_STVK_H
#define PHYSICS_ENERGY_STVK_H

#include "base/lanes.h"
#include "physics/energy/roots.h"

enum { STVK_MAX_ITERATIONS = 100, STVK_ROOT_MAX_ITERATIONS = 40 };

/// e_i of some stretches, two or three, and their sum.
LANES_INLINE Pack stvk_strain_some(int count, const Pack *s, Pack *e)
{
    for (int i = 0; i < count; ++i)
        e[i] = 0.5 * ((s[i] - 1.0) * (s[i] + 1.0));
    return count == 2 ? e[0] + e[1] : e[0] + e[1] + e[2];
}

/// e_i, and their sum.
LANES_INLINE Pack stvk_strain(const Pack s[3], Pack e[3])
{
    return stvk_strain_some(3, s, e);
}

/// psi - psi at rest, Pa.
LANES_INLINE Pack stvk_energy_above_rest(const Pack s[3], Pack kappa, Pack lambda)
{
    Pack e[3];
    const Pack trace = stvk_strain(s, e);
    return kappa * (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]) + 0.5 * lambda * trace * trace;
}

/// psi at rest, Pa.
LANES_INLINE Pack stvk_rest_energy(Pack kappa, Pack lambda)
{
    (void)kappa, (void)lambda;
    return pack_set(0.0);
}

/// Density psi, Pa.
LANES_INLINE Pack stvk_energy(const Pack s[3], Pack kappa, Pack lambda)
{
    return stvk_energy_above_rest(s, kappa, lambda) + stvk_rest_energy(kappa, lambda);
}

/// psi_i, Pa.
LANES_INLINE void stvk_stress(const Pack s[3], Pack kappa, Pack lambda, Pack stress[3])
{
    Pack e[3];
    const Pack pressure = lambda * stvk_strain(s, e);
    for (int i = 0; i < 3; ++i)
        stress[i] = (2.0 * kappa * e[i] + pressure) * s[i];
}

/// Second derivatives, Pa, in the order of ENERGY_HESSIAN_* (energy_hessian.h).
LANES_INLINE void stvk_hessian(const Pack s[3], Pack kappa, Pack lambda, Pack hessian[12])
{
    Pack e[3];
    const Pack pressure = lambda * stvk_strain(s, e);
    for (int i = 0; i < 3; ++i) {
        const Pack square = s[i] * s[i];
        hessian[i] = 2.0 * kappa * (square + e[i]) + lambda * square + pressure; // 3 s^2 - 1 = 2 s^2 + 2 e
    }
    for (int pair = 0; pair < 3; ++pair) {
        const Pack a = s[pair == 2 ? 1 : 0], b = s[pair == 0 ? 1 : 2];
        hessian[3 + pair] = lambda * (a * b);
        // a^2 - a b + b^2 - 1 = (a - b)^2 + (a b - 1)
        hessian[6 + pair] = kappa * ((a - b) * (a - b) + ((a - 1.0) + a * (b - 1.0))) + pressure;
        hessian[9 + pair] = kappa * (a * a + a * b + (b - 1.0) * (b + 1.0)) + pressure;
    }
}

// ---------------------------------------------------------------- prox
/// Right of the positive root s of k s^3 + a s = b, b >= 0 (for b = 0 and a < 0 the root is sqrt(-a/k)).
LANES_INLINE Pack stvk_root_start(Pack a, Pack b, Pack k)
{
    const Pack zero = pack_set(0.0), tiny = pack_set(1e-100);
    const Pack cubic = 1.1 * rough_cube_root(pack_max(b / k, tiny)), linear = b / pack_max(pack_abs(a), tiny);
    const Pack fold = pack_sqrt(pack_max(-a / k, zero));
    return pack_select(pack_less(a, zero), fold + pack_min(cubic, 0.5 * linear), pack_min(cubic, linear));
}

/// That root from the start s at its right: Newton's method, which goes down to it. Lanes outside `active` keep s.
LANES_INLINE Pack stvk_root(Pack s, Pack a, Pack b, Pack k, PackMask active)
{
    for (int iteration = 0; iteration < STVK_ROOT_MAX_ITERATIONS && pack_any(active); ++iteration) {
        const Pack square = k * s * s;
        const Pack step = ((square + a) * s - b) / pack_max(3.0 * square + a, pack_set(1e-100));
        s = pack_select(active, pack_max(s - step, pack_set(0.0)), s);
        active &= pack_less(1e-8 * s, pack_abs(step)); // a step of 1e-8 leaves an error of about its square
    }
    return s;
}

/// argmin of w psi(s) + rho/2 |s - q|^2 for some stretches, two or three, given kappa = w mu and lambda = w lambda.
///
/// s_i has the sign of q_i, and with k = K/(K + rho), r = rho/(K + rho), l = lambda/(K + rho), |s_i| is the positive root
/// of k s^3 + a s = r |q_i| for a = r - k + l sum e. The sum, as a function of a, decreases and is convex, so Newton's
/// method for H(a) = r - k + l sum e(a) - a goes up to its one root from the left. Left of it lies the a of
/// |s_i| = min(|q_i|, 1); as a grows the |s_i| fall, so that each is a start at the right for the next.
LANES_INLINE void stvk_prox_some(int count, const Pack *q, Pack kappa, Pack lambda, Pack rho, Pack *s)
{
    const Pack scale = 1.0 / (kappa + rho), k = kappa * scale, r = rho * scale, l = lambda * scale;
    const Pack one = pack_set(1.0), tiny = pack_set(1e-100);
    Pack b[3], e[3], root[3], shortest[3];
    for (int i = 0; i < count; ++i) {
        b[i] = r * pack_abs(q[i]);
        shortest[i] = pack_min(pack_abs(q[i]), one);
    }
    Pack a = r - k + l * stvk_strain_some(count, shortest, e);
    for (int i = 0; i < count; ++i)
        root[i] = stvk_root_start(a, b[i], k);
    const PackMask all = ~(PackMask){0};
    PackMask active = all;
    for (int iteration = 0; iteration < STVK_MAX_ITERATIONS && pack_any(active); ++iteration) {
        Pack slope = one, softest = pack_set(INFINITY);
        for (int i = 0; i < count; ++i) {
            root[i] = stvk_root(root[i], a, b[i], k, active);
            const Pack square = root[i] * root[i], stiffness = pack_max(3.0 * k * square + a, tiny);
            slope += l * square / stiffness;
            softest = pack_min(softest, stiffness);
        }
        const Pack step = (r - k + l * stvk_strain_some(count, root, e) - a) / slope;
        a = pack_select(active, a + step, a);
        active &= pack_less(1e-8 * softest, step); // it changes no s by more; to rounding, a does not fall
    }
    for (int i = 0; i < count; ++i)
        s[i] = pack_copysign(stvk_root(root[i], a, b[i], k, all), q[i]);
}

/// The same of three.
LANES_INLINE void stvk_prox(const Pack q[3], Pack kappa, Pack lambda, Pack rho, Pack s[3])
{
    stvk_prox_some(3, q, kappa, lambda, rho, s);
}

#endif
