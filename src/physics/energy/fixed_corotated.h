/// Fixed corotated: psi = mu sum (s_i - 1)^2 + lambda/2 (J - 1)^2, mu = kappa, J = s_0 s_1 s_2 (theory.md section 3).
/// Finite everywhere, also inverted. `s` are signed singular values, kappa > 0 and lambda >= 0 in Pa.
/// Twin: shaders/common/physics/energy/fixed_corotated.glsl.
#ifndef PHYSICS_ENERGY_FIXED_COROTATED_H
#define PHYSICS_ENERGY_FIXED_COROTATED_H

#include "base/lanes.h"
#include "physics/energy/energy_hessian.h"
#include "physics/energy/volume.h"

/// psi - psi at rest, Pa.
LANES_INLINE Pack fixed_corotated_energy_above_rest(const Pack s[3], Pack kappa, Pack lambda)
{
    const Pack change = volume_change(s);
    Pack squares = pack_set(0.0);
    for (int i = 0; i < 3; ++i)
        squares += (s[i] - 1.0) * (s[i] - 1.0);
    return kappa * squares + 0.5 * lambda * change * change;
}

/// psi at rest, Pa.
LANES_INLINE Pack fixed_corotated_rest_energy(Pack kappa, Pack lambda)
{
    (void)kappa, (void)lambda;
    return pack_set(0.0);
}

/// Density psi, Pa.
LANES_INLINE Pack fixed_corotated_energy(const Pack s[3], Pack kappa, Pack lambda)
{
    return fixed_corotated_energy_above_rest(s, kappa, lambda) + fixed_corotated_rest_energy(kappa, lambda);
}

/// psi_i, Pa.
LANES_INLINE void fixed_corotated_stress(const Pack s[3], Pack kappa, Pack lambda, Pack stress[3])
{
    const Pack pressure = lambda * volume_change(s);
    for (int i = 0; i < 3; ++i)
        stress[i] = 2.0 * kappa * (s[i] - 1.0) + pressure * (s[i == 0 ? 1 : 0] * s[i == 2 ? 1 : 2]);
}

/// Second derivatives, Pa, in the order of ENERGY_HESSIAN_* (energy_hessian.h). The twist terms go to -inf as s_i + s_j
/// goes to 0; they stop at ENERGY_HESSIAN_LEAST_SUM.
LANES_INLINE void fixed_corotated_hessian(const Pack s[3], Pack kappa, Pack lambda, Pack hessian[12])
{
    const Pack pressure = lambda * volume_change(s);
    for (int i = 0; i < 3; ++i) {
        const Pack area = s[i == 0 ? 1 : 0] * s[i == 2 ? 1 : 2];
        hessian[i] = 2.0 * kappa + lambda * (area * area);
    }
    for (int pair = 0; pair < 3; ++pair) {
        const Pack a = s[pair == 2 ? 1 : 0], b = s[pair == 0 ? 1 : 2], c = s[2 - pair];
        const Pack shear = 2.0 * kappa * ((a - 1.0) + (b - 1.0));
        hessian[3 + pair] = (lambda * (a * b * c) + pressure) * c;
        hessian[6 + pair] = shear / pack_max(a + b, pack_set(ENERGY_HESSIAN_LEAST_SUM)) + pressure * c;
        hessian[9 + pair] = 2.0 * kappa - pressure * c;
    }
}

/// A local argmin of K sum (s_i - 1)^2 + L/2 (J - 1)^2 + rho/2 |s - q|^2 (K = w kappa, L = w lambda), q ordered as svd3
/// orders it; see volume_prox.
LANES_INLINE void fixed_corotated_prox(const Pack q[3], Pack kappa, Pack lambda, Pack rho, Pack s[3])
{
    const Pack scale = 1.0 / (2.0 * kappa + rho);
    Pack p[3];
    for (int i = 0; i < 3; ++i)
        p[i] = (2.0 * kappa + rho * q[i]) * scale;
    volume_prox(p, lambda * scale, pack_set(0.0), s);
}

#endif
