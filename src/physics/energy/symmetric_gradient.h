/// Symmetric gradient: psi = kappa/2 sum s_i^2 - kappa log J (theory.md section 3). Infinite where any s_i <= 0.
/// `s` are signed singular values, kappa in Pa; lambda is not used. Stress and second derivatives are meant for s > 0.
/// Twin: shaders/common/physics/energy/symmetric_gradient.glsl.
#ifndef PHYSICS_ENERGY_SYMMETRIC_GRADIENT_H
#define PHYSICS_ENERGY_SYMMETRIC_GRADIENT_H

#include "base/lanes.h"

/// psi - psi at rest, Pa.
LANES_INLINE Pack symmetric_gradient_energy_above_rest(const Pack s[3], Pack kappa, Pack lambda)
{
    (void)lambda;
    Pack sum = pack_set(0.0);
    for (int i = 0; i < 3; ++i)
        sum += (s[i] - 1.0) * (s[i] + 1.0);
    const Pack energy = kappa * (0.5 * sum - pack_log(s[0] * s[1] * s[2]));
    const Pack smallest = pack_min(pack_min(s[0], s[1]), s[2]);
    return pack_select(pack_less(pack_set(0.0), smallest), energy, pack_set(INFINITY));
}

/// psi at rest, Pa.
LANES_INLINE Pack symmetric_gradient_rest_energy(Pack kappa, Pack lambda)
{
    (void)lambda;
    return 1.5 * kappa;
}

/// Density psi, Pa; 3/2 kappa at rest.
LANES_INLINE Pack symmetric_gradient_energy(const Pack s[3], Pack kappa, Pack lambda)
{
    return symmetric_gradient_energy_above_rest(s, kappa, lambda) +
           symmetric_gradient_rest_energy(kappa, lambda);
}

/// psi_i, Pa.
LANES_INLINE void symmetric_gradient_stress(const Pack s[3], Pack kappa, Pack lambda, Pack stress[3])
{
    (void)lambda;
    for (int i = 0; i < 3; ++i)
        stress[i] = kappa * ((s[i] - 1.0) * (s[i] + 1.0) / s[i]);
}

/// Second derivatives, Pa, in the order of ENERGY_HESSIAN_* (energy_hessian.h).
LANES_INLINE void symmetric_gradient_hessian(const Pack s[3], Pack kappa, Pack lambda, Pack hessian[12])
{
    (void)lambda;
    for (int i = 0; i < 3; ++i) {
        hessian[i] = kappa + kappa / (s[i] * s[i]);
        hessian[3 + i] = pack_set(0.0);
    }
    for (int pair = 0; pair < 3; ++pair) {
        const Pack quotient = kappa / (s[pair == 2 ? 1 : 0] * s[pair == 0 ? 1 : 2]);
        hessian[6 + pair] = kappa - quotient;
        hessian[9 + pair] = kappa + quotient;
    }
}

/// argmin over s > 0 of K (s_i^2/2 - log s_i) + rho/2 (s_i - q_i)^2, K = w kappa: the positive root of
/// (K + rho) s^2 - rho q s - K = 0, in the form without cancellation for either sign of q.
LANES_INLINE void symmetric_gradient_prox(const Pack q[3], Pack kappa, Pack lambda, Pack rho, Pack s[3])
{
    (void)lambda;
    const Pack total = kappa + rho;
    for (int i = 0; i < 3; ++i) {
        const Pack b = rho * q[i];
        const Pack sum = pack_abs(b) + pack_sqrt(b * b + 4.0 * kappa * total);
        const PackMask stretched = pack_less_equal(pack_set(0.0), b);
        s[i] = pack_select(stretched, sum, 2.0 * kappa) / pack_select(stretched, 2.0 * total, sum);
    }
}

#endif
