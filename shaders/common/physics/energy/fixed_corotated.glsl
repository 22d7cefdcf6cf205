// Fixed corotated; twin of src/physics/energy/fixed_corotated.h.
#ifndef COMMON_PHYSICS_ENERGY_FIXED_COROTATED_GLSL
#define COMMON_PHYSICS_ENERGY_FIXED_COROTATED_GLSL

#include "common/physics/energy/energy_hessian.glsl"
#include "common/physics/energy/volume.glsl"

/// psi - psi at rest, Pa.
real fixed_corotated_energy_above_rest(real s[3], real kappa, real lambda)
{
    const real3 x = real3(s[0], s[1], s[2]) - 1.0;
    const real change = volume_change(s);
    return kappa * dot(x, x) + 0.5 * lambda * (change * change);
}

/// psi at rest, Pa.
real fixed_corotated_rest_energy(real kappa, real lambda) { return real(0); }

/// Density psi, Pa.
real fixed_corotated_energy(real s[3], real kappa, real lambda)
{
    return fixed_corotated_energy_above_rest(s, kappa, lambda) + fixed_corotated_rest_energy(kappa, lambda);
}

/// psi_i, Pa.
void fixed_corotated_stress(real s[3], real kappa, real lambda, out real stress[3])
{
    const real pressure = lambda * volume_change(s);
    for (int i = 0; i < 3; ++i)
        stress[i] = 2.0 * kappa * (s[i] - 1.0) + pressure * (s[(i + 1) % 3] * s[(i + 2) % 3]);
}

/// Second derivatives, Pa, in the order of ENERGY_HESSIAN_*. The twist terms go to -inf as s_i + s_j goes to 0; they stop
/// at ENERGY_HESSIAN_LEAST_SUM.
void fixed_corotated_hessian(real s[3], real kappa, real lambda, out real hessian[12])
{
    const real change = volume_change(s), volume = s[0] * s[1] * s[2];
    for (int i = 0; i < 3; ++i) {
        const real area = s[(i + 1) % 3] * s[(i + 2) % 3];
        hessian[i] = 2.0 * kappa + lambda * area * area;
    }
    for (int pair = 0; pair < 3; ++pair) {
        const real a = s[pair == 2 ? 1 : 0], b = s[pair == 0 ? 1 : 2], other = lambda * s[2 - pair];
        hessian[3 + pair] = other * (volume + change);
        hessian[6 + pair] =
            2.0 * kappa * ((a - 1.0) + (b - 1.0)) / max(a + b, ENERGY_HESSIAN_LEAST_SUM) + other * change;
        hessian[9 + pair] = 2.0 * kappa - other * change;
    }
}

/// A local argmin of K sum (s_i - 1)^2 + L/2 (J - 1)^2 + rho/2 |s - q|^2, K = w kappa, L = w lambda.
void fixed_corotated_prox(real q[3], real kappa, real lambda, real rho, out real s[3])
{
    const real c = 2.0 * kappa + rho, k = 2.0 * kappa / c, r = rho / c;
    const real p[3] = real[3](k + r * q[0], k + r * q[1], k + r * q[2]);
    volume_prox(p, lambda / c, real(0), s);
}

#endif
