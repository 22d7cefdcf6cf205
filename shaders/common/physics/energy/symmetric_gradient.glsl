// Symmetric gradient; twin of src/physics/energy/symmetric_gradient.h.
#ifndef COMMON_PHYSICS_ENERGY_SYMMETRIC_GRADIENT_GLSL
#define COMMON_PHYSICS_ENERGY_SYMMETRIC_GRADIENT_GLSL

#include "common/real_math.glsl"

/// psi - psi at rest, Pa; term by term, so that its relative accuracy is good for small strains in float too.
real symmetric_gradient_energy_above_rest(real s[3], real kappa, real lambda)
{
    if (!(min(min(s[0], s[1]), s[2]) > 0.0))
        return real_infinity();
    real sum = real(0);
    for (int i = 0; i < 3; ++i) {
        const real x = s[i] - 1.0;
        sum += 0.5 * x * x + real_minus_log1p(x); // (s^2 - 1)/2 - log s
    }
    return kappa * sum;
}

/// psi at rest, Pa.
real symmetric_gradient_rest_energy(real kappa, real lambda) { return 1.5 * kappa; }

/// Density psi, Pa; 3/2 kappa at rest.
real symmetric_gradient_energy(real s[3], real kappa, real lambda)
{
    return symmetric_gradient_energy_above_rest(s, kappa, lambda) + symmetric_gradient_rest_energy(kappa, lambda);
}

/// psi_i, Pa.
void symmetric_gradient_stress(real s[3], real kappa, real lambda, out real stress[3])
{
    for (int i = 0; i < 3; ++i)
        stress[i] = kappa * ((s[i] - 1.0) * (s[i] + 1.0) / s[i]);
}

/// Second derivatives, Pa, in the order of ENERGY_HESSIAN_*.
void symmetric_gradient_hessian(real s[3], real kappa, real lambda, out real hessian[12])
{
    for (int i = 0; i < 3; ++i) {
        hessian[i] = kappa + kappa / (s[i] * s[i]);
        hessian[3 + i] = real(0);
    }
    for (int pair = 0; pair < 3; ++pair) {
        const real quotient = kappa / (s[pair == 2 ? 1 : 0] * s[pair == 0 ? 1 : 2]);
        hessian[6 + pair] = kappa - quotient;
        hessian[9 + pair] = kappa + quotient;
    }
}

/// argmin over s > 0 of K (s_i^2/2 - log s_i) + rho/2 (s_i - q_i)^2, K = w kappa, without cancellation for either sign
/// of q, and with nothing squared that is larger than q (rho and K can be of any size).
void symmetric_gradient_prox(real q[3], real kappa, real lambda, real rho, out real s[3])
{
    const real scale = 1.0 / (kappa + rho), r = kappa * scale;
    for (int i = 0; i < 3; ++i) {
        const real b = rho * scale * q[i], sum = abs(b) + sqrt(b * b + 4.0 * r);
        s[i] = b >= 0.0 ? 0.5 * sum : 2.0 * r / sum;
    }
}

#endif
