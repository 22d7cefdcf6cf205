/// As-rigid-as-possible: psi = kappa/2 sum (s_i - 1)^2 (theory.md section 3). Finite everywhere, also inverted.
/// `s` are signed singular values, kappa in Pa; lambda is not used. Twin: shaders/common/physics/energy/arap.glsl.
#ifndef PHYSICS_ENERGY_ARAP_H
#define PHYSICS_ENERGY_ARAP_H

#include "base/lanes.h"
#include "physics/energy/energy_hessian.h"

/// psi - psi at rest, Pa.
LANES_INLINE Pack arap_energy_above_rest(const Pack s[3], Pack kappa, Pack lambda)
{
    (void)lambda;
    Pack sum = pack_set(0.0);
    for (int i = 0; i < 3; ++i)
        sum += (s[i] - 1.0) * (s[i] - 1.0);
    return 0.5 * kappa * sum;
}

/// psi at rest, Pa.
LANES_INLINE Pack arap_rest_energy(Pack kappa, Pack lambda)
{
    (void)kappa, (void)lambda;
    return pack_set(0.0);
}

/// Density psi, Pa.
LANES_INLINE Pack arap_energy(const Pack s[3], Pack kappa, Pack lambda)
{
    return arap_energy_above_rest(s, kappa, lambda) + arap_rest_energy(kappa, lambda);
}

/// psi_i, Pa.
LANES_INLINE void arap_stress(const Pack s[3], Pack kappa, Pack lambda, Pack stress[3])
{
    (void)lambda;
    for (int i = 0; i < 3; ++i)
        stress[i] = kappa * (s[i] - 1.0);
}

/// Second derivatives, Pa, in the order of ENERGY_HESSIAN_* (energy_hessian.h). The twist terms go to -inf as
/// s_i + s_j goes to 0 (F on the edge to another rotation); they stop at ENERGY_HESSIAN_LEAST_SUM.
LANES_INLINE void arap_hessian(const Pack s[3], Pack kappa, Pack lambda, Pack hessian[12])
{
    (void)lambda;
    for (int i = 0; i < 3; ++i) {
        hessian[i] = kappa;
        hessian[3 + i] = pack_set(0.0);
    }
    for (int pair = 0; pair < 3; ++pair) {
        const Pack a = s[pair == 2 ? 1 : 0], b = s[pair == 0 ? 1 : 2];
        hessian[6 + pair] = kappa - 2.0 * kappa / pack_max(a + b, pack_set(ENERGY_HESSIAN_LEAST_SUM));
        hessian[9 + pair] = kappa;
    }
}

/// argmin over s >= 0 of K sum (s_i - 1)^2/2 + rho/2 |s - q|^2, K = w kappa (theory.md section 5).
LANES_INLINE void arap_prox(const Pack q[3], Pack kappa, Pack lambda, Pack rho, Pack s[3])
{
    (void)lambda;
    const Pack scale = 1.0 / (rho + kappa);
    for (int i = 0; i < 3; ++i)
        s[i] = pack_max((rho * q[i] + kappa) * scale, pack_set(0.0));
}

#endif
