// Stable neo-Hookean; twin of src/physics/energy/stable_neo_hookean.h.
#ifndef COMMON_PHYSICS_ENERGY_STABLE_NEO_HOOKEAN_GLSL
#define COMMON_PHYSICS_ENERGY_STABLE_NEO_HOOKEAN_GLSL

#include "common/physics/energy/volume.glsl"

/// psi - psi at rest, Pa: mu ((sum s^2 - 3)/2 - (J - 1)) + lambda/2 (J - 1)^2, the terms linear in s - 1 left out.
real stable_neo_hookean_energy_above_rest(real s[3], real kappa, real lambda)
{
    const real3 x = real3(s[0], s[1], s[2]) - 1.0;
    const real change = volume_change(s);
    return kappa * (0.5 * dot(x, x) - (x.x * x.y + x.x * x.z + x.y * x.z) - x.x * x.y * x.z) +
           0.5 * lambda * (change * change);
}

/// psi at rest, Pa.
real stable_neo_hookean_rest_energy(real kappa, real lambda) { return real(0); }

/// Density psi, Pa.
real stable_neo_hookean_energy(real s[3], real kappa, real lambda)
{
    return stable_neo_hookean_energy_above_rest(s, kappa, lambda) + stable_neo_hookean_rest_energy(kappa, lambda);
}

/// psi_i, Pa.
void stable_neo_hookean_stress(real s[3], real kappa, real lambda, out real stress[3])
{
    const real pressure = lambda * volume_change(s);
    for (int i = 0; i < 3; ++i) {
        const real a = s[(i + 1) % 3], b = s[(i + 2) % 3], x = a - 1.0, y = b - 1.0;
        const real shear = volume_near_rest(s) ? (s[i] - 1.0) - (x + y + x * y) : s[i] - a * b;
        stress[i] = kappa * shear + pressure * (a * b);
    }
}

/// Second derivatives, Pa, in the order of ENERGY_HESSIAN_*.
void stable_neo_hookean_hessian(real s[3], real kappa, real lambda, out real hessian[12])
{
    const real change = volume_change(s), volume = s[0] * s[1] * s[2];
    for (int i = 0; i < 3; ++i) {
        const real area = s[(i + 1) % 3] * s[(i + 2) % 3];
        hessian[i] = kappa + lambda * area * area;
    }
    for (int pair = 0; pair < 3; ++pair) {
        const real other = s[2 - pair], pressure = lambda * change * other;
        hessian[3 + pair] = lambda * volume * other + pressure - kappa * other;
        hessian[6 + pair] = pressure - kappa * (other - 1.0);
        hessian[9 + pair] = kappa * (1.0 + other) - pressure;
    }
}

/// A local argmin of K/2 sum s_i^2 - K (J - 1) + L/2 (J - 1)^2 + rho/2 |s - q|^2, K = w kappa, L = w lambda.
void stable_neo_hookean_prox(real q[3], real kappa, real lambda, real rho, out real s[3])
{
    const real c = kappa + rho, r = rho / c;
    const real p[3] = real[3](r * q[0], r * q[1], r * q[2]);
    volume_prox(p, lambda / c, kappa / c, s);
}

#endif
