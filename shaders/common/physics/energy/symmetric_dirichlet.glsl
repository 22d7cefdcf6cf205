// Symmetric Dirichlet; twin of src/physics/energy/symmetric_dirichlet.h.
#ifndef COMMON_PHYSICS_ENERGY_SYMMETRIC_DIRICHLET_GLSL
#define COMMON_PHYSICS_ENERGY_SYMMETRIC_DIRICHLET_GLSL

#include "common/physics/energy/roots.glsl"
#include "common/real_math.glsl"

const int SYMMETRIC_DIRICHLET_MAX_ITERATIONS = 40;
#ifdef VELA_F64
const double SYMMETRIC_DIRICHLET_STEP = 1e-8lf; ///< Newton step that leaves an error of about its square
#else
const float SYMMETRIC_DIRICHLET_STEP = 2e-4;
#endif

/// psi - psi at rest, Pa: kappa/2 sum (s_i - 1/s_i)^2.
real symmetric_dirichlet_energy_above_rest(real s[3], real kappa, real lambda)
{
    if (!(min(min(s[0], s[1]), s[2]) > 0.0))
        return real_infinity();
    real sum = real(0);
    for (int i = 0; i < 3; ++i) {
        const real difference = (s[i] - 1.0) * (s[i] + 1.0) / s[i];
        sum += difference * difference;
    }
    return 0.5 * kappa * sum;
}

/// psi at rest, Pa.
real symmetric_dirichlet_rest_energy(real kappa, real lambda) { return 3.0 * kappa; }

/// Density psi, Pa; 3 kappa at rest.
real symmetric_dirichlet_energy(real s[3], real kappa, real lambda)
{
    return symmetric_dirichlet_energy_above_rest(s, kappa, lambda) + symmetric_dirichlet_rest_energy(kappa, lambda);
}

/// psi_i, Pa.
void symmetric_dirichlet_stress(real s[3], real kappa, real lambda, out real stress[3])
{
    for (int i = 0; i < 3; ++i) {
        const real s_sq = s[i] * s[i];
        // s - s^-3 = (s - 1)(s + 1)(s^2 + 1)/s^3
        stress[i] = kappa * ((s[i] - 1.0) * (s[i] + 1.0) * (s_sq + 1.0) / (s_sq * s[i]));
    }
}

/// Second derivatives, Pa, in the order of ENERGY_HESSIAN_*.
void symmetric_dirichlet_hessian(real s[3], real kappa, real lambda, out real hessian[12])
{
    for (int i = 0; i < 3; ++i) {
        const real s_sq = s[i] * s[i];
        hessian[i] = kappa + 3.0 * kappa / (s_sq * s_sq);
        hessian[3 + i] = real(0);
    }
    for (int pair = 0; pair < 3; ++pair) {
        const real a = s[pair == 2 ? 1 : 0], b = s[pair == 0 ? 1 : 2], product = a * b, squares = a * a + b * b;
        const real scale = kappa / (product * product * product);
        hessian[6 + pair] = kappa - scale * (squares - product);
        hessian[9 + pair] = kappa + scale * (squares + product);
    }
}

/// argmin over s > 0 of K (s_i^2 + s_i^-2)/2 + rho/2 (s_i - q_i)^2, K = w kappa: Newton's method from the left of the root
/// of s - b - r s^-3 (see the twin for the start).
void symmetric_dirichlet_prox(real q[3], real kappa, real lambda, real rho, out real s[3])
{
    const real scale = 1.0 / (kappa + rho), r = kappa * scale, fourth_root = sqrt(sqrt(r));
    for (int i = 0; i < 3; ++i) {
        const real b = rho * scale * q[i];
        real x = b < 0.0 ? 0.75 * min(fourth_root, rough_cube_root(r / -b)) : max(b, fourth_root);
        for (int iteration = 0; iteration < SYMMETRIC_DIRICHLET_MAX_ITERATIONS; ++iteration) {
            const real inverse = 1.0 / x, pressure = r * inverse * inverse * inverse;
            const real step = (x - b - pressure) / (1.0 + 3.0 * pressure * inverse);
            x -= step;
            if (!(abs(step) > SYMMETRIC_DIRICHLET_STEP * x))
                break;
        }
        s[i] = x;
    }
}

#endif
