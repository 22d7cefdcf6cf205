/// Stable neo-Hookean: psi = mu/2 (sum s_i^2 - 3) - mu (J - 1) + lambda/2 (J - 1)^2, mu = kappa, J = s_0 s_1 s_2, which is
/// theory.md section 3's lambda/2 (J - 1 - mu/lambda)^2 with the square written out. Finite everywhere, also inverted. `s`
/// are signed singular values, kappa > 0 and lambda >= kappa in Pa: lambda - kappa is Lame's at rest, and below 0 a
/// flattened element would have less energy than one at rest. Twin: shaders/common/physics/energy/stable_neo_hookean.glsl.
#ifndef PHYSICS_ENERGY_STABLE_NEO_HOOKEAN_H
#define PHYSICS_ENERGY_STABLE_NEO_HOOKEAN_H

#include "base/lanes.h"
#include "physics/energy/volume.h"

/// psi - psi at rest, Pa. With x = s - 1 the terms linear in x cancel: (sum s^2 - 3)/2 - (J - 1) = sum x^2/2 - x_0 x_1 -
/// x_0 x_2 - x_1 x_2 - x_0 x_1 x_2.
LANES_INLINE Pack stable_neo_hookean_energy_above_rest(const Pack s[3], Pack kappa, Pack lambda)
{
    const Pack x = s[0] - 1.0, y = s[1] - 1.0, z = s[2] - 1.0, change = volume_change(s);
    const Pack shear = 0.5 * (x * x + y * y + z * z) - (x * y + (x + y) * z) - x * y * z;
    return kappa * shear + 0.5 * lambda * change * change;
}

/// psi at rest, Pa.
LANES_INLINE Pack stable_neo_hookean_rest_energy(Pack kappa, Pack lambda)
{
    (void)kappa, (void)lambda;
    return pack_set(0.0);
}

/// Density psi, Pa.
LANES_INLINE Pack stable_neo_hookean_energy(const Pack s[3], Pack kappa, Pack lambda)
{
    return stable_neo_hookean_energy_above_rest(s, kappa, lambda) +
           stable_neo_hookean_rest_energy(kappa, lambda);
}

/// psi_i, Pa.
LANES_INLINE void stable_neo_hookean_stress(const Pack s[3], Pack kappa, Pack lambda, Pack stress[3])
{
    const Pack pressure = lambda * volume_change(s);
    const PackMask near = volume_near_rest(s);
    for (int i = 0; i < 3; ++i) {
        const Pack a = s[i == 0 ? 1 : 0], b = s[i == 2 ? 1 : 2], area = a * b;
        const Pack shear = pack_select(near, (s[i] - 1.0) - ((a - 1.0) + a * (b - 1.0)), s[i] - area);
        stress[i] = kappa * shear + pressure * area;
    }
}

/// Second derivatives, Pa, in the order of ENERGY_HESSIAN_* (energy_hessian.h).
LANES_INLINE void stable_neo_hookean_hessian(const Pack s[3], Pack kappa, Pack lambda, Pack hessian[12])
{
    const Pack pressure = lambda * volume_change(s);
    for (int i = 0; i < 3; ++i) {
        const Pack area = s[i == 0 ? 1 : 0] * s[i == 2 ? 1 : 2];
        hessian[i] = kappa + lambda * (area * area);
    }
    for (int pair = 0; pair < 3; ++pair) {
        const Pack c = s[2 - pair];
        hessian[3 + pair] = (lambda * (s[0] * s[1] * s[2]) + (pressure - kappa)) * c;
        hessian[6 + pair] = pressure * c - kappa * (c - 1.0);
        hessian[9 + pair] = kappa * (c + 1.0) - pressure * c;
    }
}

/// A local argmin of K/2 sum s_i^2 - K (J - 1) + L/2 (J - 1)^2 + rho/2 |s - q|^2 (K = w kappa, L = w lambda), q ordered as
/// svd3 orders it; see volume_prox.
LANES_INLINE void stable_neo_hookean_prox(const Pack q[3], Pack kappa, Pack lambda, Pack rho, Pack s[3])
{
    const Pack scale = 1.0 / (kappa + rho), ratio = rho * scale;
    const Pack p[3] = {ratio * q[0], ratio * q[1], ratio * q[2]};
    volume_prox(p, lambda * scale, kappa * scale, s);
}

#endif
