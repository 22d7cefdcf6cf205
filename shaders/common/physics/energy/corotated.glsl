// Linear corotated; twin of src/physics/energy/corotated.h.
#ifndef COMMON_PHYSICS_ENERGY_COROTATED_GLSL
#define COMMON_PHYSICS_ENERGY_COROTATED_GLSL

#include "common/physics/energy/energy_hessian.glsl"
#include "common/real.glsl"

/// psi - psi at rest, Pa.
real corotated_energy_above_rest(real s[3], real kappa, real lambda)
{
    const real3 x = real3(s[0], s[1], s[2]) - 1.0;
    const real trace = x[0] + x[1] + x[2];
    return kappa * dot(x, x) + 0.5 * lambda * (trace * trace);
}

/// psi at rest, Pa.
real corotated_rest_energy(real kappa, real lambda) { return real(0); }

/// Density psi, Pa.
real corotated_energy(real s[3], real kappa, real lambda)
{
    return corotated_energy_above_rest(s, kappa, lambda) + corotated_rest_energy(kappa, lambda);
}

/// psi_i, Pa.
void corotated_stress(real s[3], real kappa, real lambda, out real stress[3])
{
    const real trace = (s[0] - 1.0) + (s[1] - 1.0) + (s[2] - 1.0);
    for (int i = 0; i < 3; ++i)
        stress[i] = 2.0 * kappa * (s[i] - 1.0) + lambda * trace;
}

/// Second derivatives, Pa, in the order of ENERGY_HESSIAN_*. The twist terms go to -inf or +inf as s_i + s_j goes to 0;
/// they stop at ENERGY_HESSIAN_LEAST_SUM.
void corotated_hessian(real s[3], real kappa, real lambda, out real hessian[12])
{
    const real trace = (s[0] - 1.0) + (s[1] - 1.0) + (s[2] - 1.0);
    for (int i = 0; i < 3; ++i) {
        hessian[i] = 2.0 * kappa + lambda;
        hessian[3 + i] = lambda;
    }
    for (int pair = 0; pair < 3; ++pair) {
        const real a = s[pair == 2 ? 1 : 0], b = s[pair == 0 ? 1 : 2];
        // 2 kappa + (2 lambda trace - 4 kappa)/(a + b)
        hessian[6 + pair] = 2.0 * (kappa * ((a - 1.0) + (b - 1.0)) + lambda * trace) / max(a + b, ENERGY_HESSIAN_LEAST_SUM);
        hessian[9 + pair] = 2.0 * kappa;
    }
}

/// argmin of K sum (s_i - 1)^2 + L/2 (sum s_i - 3)^2 + rho/2 |s - q|^2 over the s with s_i + s_j >= 0 (see the twin).
void corotated_prox(real q[3], real kappa, real lambda, real rho, out real s[3])
{
    const real c = 2.0 * kappa + rho, k = 2.0 * kappa / c, r = rho / c, l = lambda / c;
    real p[3];
    for (int i = 0; i < 3; ++i)
        p[i] = k + r * q[i];
    const real pressure = l * (p[0] + p[1] + p[2] - 3.0) / (1.0 + 3.0 * l);
    if (p[1] + p[2] >= 2.0 * pressure) {
        for (int i = 0; i < 3; ++i)
            s[i] = p[i] - pressure;
        return;
    }
    s[0] = (p[0] + 3.0 * l) / (1.0 + l);
    s[1] = 0.5 * r * (q[1] - q[2]);
    if (s[0] < s[1]) {
        s[0] = (p[0] + p[1] - p[2] + 3.0 * l) / (3.0 + l);
        s[1] = s[0];
    }
    s[2] = -s[1];
}

#endif
