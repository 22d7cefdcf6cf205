// As-rigid-as-possible; twin of src/physics/energy/arap.h.
#ifndef COMMON_PHYSICS_ENERGY_ARAP_GLSL
#define COMMON_PHYSICS_ENERGY_ARAP_GLSL

#include "common/physics/energy/energy_hessian.glsl"
#include "common/real.glsl"

/// psi - psi at rest, Pa.
real arap_energy_above_rest(real s[3], real kappa, real lambda)
{
    real sum = real(0);
    for (int i = 0; i < 3; ++i)
        sum += (s[i] - 1.0) * (s[i] - 1.0);
    return 0.5 * kappa * sum;
}

/// psi at rest, Pa.
real arap_rest_energy(real kappa, real lambda) { return real(0); }

/// Density psi, Pa.
real arap_energy(real s[3], real kappa, real lambda)
{
    return arap_energy_above_rest(s, kappa, lambda) + arap_rest_energy(kappa, lambda);
}

/// psi_i, Pa.
void arap_stress(real s[3], real kappa, real lambda, out real stress[3])
{
    for (int i = 0; i < 3; ++i)
        stress[i] = kappa * (s[i] - 1.0);
}

/// Second derivatives, Pa, in the order of ENERGY_HESSIAN_*. The twist terms go to -inf as s_i + s_j goes to 0; they stop
/// at ENERGY_HESSIAN_LEAST_SUM.
void arap_hessian(real s[3], real kappa, real lambda, out real hessian[12])
{
    for (int i = 0; i < 3; ++i) {
        hessian[i] = kappa;
        hessian[3 + i] = real(0);
    }
    for (int pair = 0; pair < 3; ++pair) {
        const real a = s[pair == 2 ? 1 : 0], b = s[pair == 0 ? 1 : 2];
        hessian[6 + pair] = kappa - 2.0 * kappa / max(a + b, ENERGY_HESSIAN_LEAST_SUM);
        hessian[9 + pair] = kappa;
    }
}

/// argmin over s >= 0 of K sum (s_i - 1)^2/2 + rho/2 |s - q|^2, K = w kappa.
void arap_prox(real q[3], real kappa, real lambda, real rho, out real s[3])
{
    const real scale = 1.0 / (rho + kappa);
    for (int i = 0; i < 3; ++i)
        s[i] = max((rho * q[i] + kappa) * scale, real(0));
}

#endif
