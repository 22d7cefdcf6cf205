/// Symmetric Dirichlet: psi = kappa/2 sum (s_i^2 + s_i^-2) (theory.md section 3). Infinite where any s_i <= 0.
/// `s` are signed singular values, kappa in Pa; lambda is not used. Stress and second derivatives are meant for s > 0.
/// Twin: shaders/common/physics/energy/symmetric_dirichlet.glsl.
#ifndef PHYSICS_ENERGY_SYMMETRIC_DIRICHLET_H
#define PHYSICS_ENERGY_SYMMETRIC_DIRICHLET_H

#include "base/lanes.h"
#include "physics/energy/roots.h"

enum { SYMMETRIC_DIRICHLET_MAX_ITERATIONS = 40 };

/// psi - psi at rest, Pa: kappa/2 sum (s_i - 1/s_i)^2.
LANES_INLINE Pack symmetric_dirichlet_energy_above_rest(const Pack s[3], Pack kappa, Pack lambda)
{
    (void)lambda;
    Pack sum = pack_set(0.0);
    for (int i = 0; i < 3; ++i) {
        const Pack difference = (s[i] - 1.0) * (s[i] + 1.0) / s[i];
        sum += difference * difference;
    }
    const Pack smallest = pack_min(pack_min(s[0], s[1]), s[2]);
    return pack_select(pack_less(pack_set(0.0), smallest), 0.5 * kappa * sum, pack_set(INFINITY));
}

/// psi at rest, Pa.
LANES_INLINE Pack symmetric_dirichlet_rest_energy(Pack kappa, Pack lambda)
{
    (void)lambda;
    return 3.0 * kappa;
}

/// Density psi, Pa; 3 kappa at rest.
LANES_INLINE Pack symmetric_dirichlet_energy(const Pack s[3], Pack kappa, Pack lambda)
{
    return symmetric_dirichlet_energy_above_rest(s, kappa, lambda) +
           symmetric_dirichlet_rest_energy(kappa, lambda);
}

/// psi_i, Pa.
LANES_INLINE void symmetric_dirichlet_stress(const Pack s[3], Pack kappa, Pack lambda, Pack stress[3])
{
    (void)lambda;
    for (int i = 0; i < 3; ++i) {
        const Pack s_sq = s[i] * s[i];
        // s - s^-3 = (s - 1)(s + 1)(s^2 + 1)/s^3
        stress[i] = kappa * ((s[i] - 1.0) * (s[i] + 1.0) * (s_sq + 1.0) / (s_sq * s[i]));
    }
}

/// Second derivatives, Pa, in the order of ENERGY_HESSIAN_* (energy_hessian.h).
LANES_INLINE void symmetric_dirichlet_hessian(const Pack s[3], Pack kappa, Pack lambda, Pack hessian[12])
{
    (void)lambda;
    for (int i = 0; i < 3; ++i) {
        const Pack s_sq = s[i] * s[i];
        hessian[i] = kappa + 3.0 * kappa / (s_sq * s_sq);
        hessian[3 + i] = pack_set(0.0);
    }
    for (int pair = 0; pair < 3; ++pair) {
        const Pack a = s[pair == 2 ? 1 : 0], b = s[pair == 0 ? 1 : 2], product = a * b,
                   squares = a * a + b * b;
        const Pack scale = kappa / (product * product * product);
        hessian[6 + pair] = kappa - scale * (squares - product);
        hessian[9 + pair] = kappa + scale * (squares + product);
    }
}

/// argmin over s > 0 of K (s_i^2 + s_i^-2)/2 + rho/2 (s_i - q_i)^2, K = w kappa (theory.md section 5).
///
/// With b = rho q/(K + rho), r = K/(K + rho) it is the root of s - b - r s^-3, which increases and is concave: Newton's
/// method from the left of the root goes up to it monotonically. Left of the root lie max(b, r^1/4) for b >= 0 and 3/4
/// of min(r^1/4, (r/|b|)^1/3) for b < 0, neither further away than a factor of 1.7.
LANES_INLINE void symmetric_dirichlet_prox(const Pack q[3], Pack kappa, Pack lambda, Pack rho, Pack s[3])
{
    (void)lambda;
    const Pack scale = 1.0 / (kappa + rho), r = kappa * scale, fourth_root = pack_sqrt(pack_sqrt(r));
    Pack b[3];
    for (int i = 0; i < 3; ++i) {
        b[i] = rho * q[i] * scale;
        const Pack below = pack_min(fourth_root, rough_cube_root(r / pack_abs(b[i])));
        s[i] = pack_select(pack_less(b[i], pack_set(0.0)), 0.75 * below, pack_max(b[i], fourth_root));
    }
    PackMask active[3] = {~(PackMask){0}, ~(PackMask){0}, ~(PackMask){0}};
    for (int iteration = 0; iteration < SYMMETRIC_DIRICHLET_MAX_ITERATIONS; ++iteration) {
        for (int i = 0; i < 3; ++i) {
            const Pack inverse = 1.0 / s[i], pressure = r * inverse * inverse * inverse;
            const Pack step = (s[i] - b[i] - pressure) / (1.0 + 3.0 * pressure * inverse);
            s[i] = pack_select(active[i], s[i] - step, s[i]);
            // A step of 1e-8 leaves an error of about its square.
            active[i] &= pack_less(1e-8 * s[i], pack_abs(step));
        }
        if (!pack_any(active[0] | active[1] | active[2]))
            break;
    }
}

#endif
