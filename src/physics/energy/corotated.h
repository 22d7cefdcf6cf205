/// Linear corotated: psi = mu sum (s_i - 1)^2 + lambda/2 (sum s_i - 3)^2, mu = kappa (theory.md section 3). Finite
/// everywhere, also inverted. `s` are signed singular values, kappa > 0 and lambda >= 0 in Pa.
/// Twin: shaders/common/physics/energy/corotated.glsl.
#ifndef PHYSICS_ENERGY_COROTATED_H
#define PHYSICS_ENERGY_COROTATED_H

#include "base/lanes.h"
#include "physics/energy/energy_hessian.h"

/// psi - psi at rest, Pa.
LANES_INLINE Pack corotated_energy_above_rest(const Pack s[3], Pack kappa, Pack lambda)
{
    Pack squares = pack_set(0.0), trace = squares;
    for (int i = 0; i < 3; ++i) {
        const Pack x = s[i] - 1.0;
        squares += x * x;
        trace += x;
    }
    return kappa * squares + 0.5 * lambda * trace * trace;
}

/// psi at rest, Pa.
LANES_INLINE Pack corotated_rest_energy(Pack kappa, Pack lambda)
{
    (void)kappa, (void)lambda;
    return pack_set(0.0);
}

/// Density psi, Pa.
LANES_INLINE Pack corotated_energy(const Pack s[3], Pack kappa, Pack lambda)
{
    return corotated_energy_above_rest(s, kappa, lambda) + corotated_rest_energy(kappa, lambda);
}

/// psi_i, Pa.
LANES_INLINE void corotated_stress(const Pack s[3], Pack kappa, Pack lambda, Pack stress[3])
{
    const Pack pressure = lambda * ((s[0] - 1.0) + (s[1] - 1.0) + (s[2] - 1.0));
    for (int i = 0; i < 3; ++i)
        stress[i] = 2.0 * kappa * (s[i] - 1.0) + pressure;
}

/// Second derivatives, Pa, in the order of ENERGY_HESSIAN_* (energy_hessian.h). The twist terms go to -inf as s_i + s_j
/// goes to 0, or to +inf where the trace is large enough; they stop at ENERGY_HESSIAN_LEAST_SUM.
LANES_INLINE void corotated_hessian(const Pack s[3], Pack kappa, Pack lambda, Pack hessian[12])
{
    const Pack pressure = lambda * ((s[0] - 1.0) + (s[1] - 1.0) + (s[2] - 1.0));
    for (int i = 0; i < 3; ++i) {
        hessian[i] = 2.0 * kappa + lambda;
        hessian[3 + i] = lambda;
    }
    for (int pair = 0; pair < 3; ++pair) {
        const Pack a = s[pair == 2 ? 1 : 0], b = s[pair == 0 ? 1 : 2];
        const Pack stress_sum = 2.0 * (kappa * ((a - 1.0) + (b - 1.0)) + pressure);
        hessian[6 + pair] = stress_sum / pack_max(a + b, pack_set(ENERGY_HESSIAN_LEAST_SUM));
        hessian[9 + pair] = 2.0 * kappa;
    }
}

/// argmin of K sum (s_i - 1)^2 + L/2 (sum s_i - 3)^2 + rho/2 |s - q|^2 (K = w kappa, L = w lambda), q ordered as svd3
/// orders it, over the s that are ordered so too: s_i + s_j >= 0, beyond lies another rotation.
///
/// With c = 2 K + rho, b = 2 K + rho q: s_i = (b_i - L (trace s - 3))/c. Where that makes s_1 + s_2 negative, they are
/// +-rho (q_1 - q_2)/(2 c), and where these are larger than s_0, all three are of the same size.
LANES_INLINE void corotated_prox(const Pack q[3], Pack kappa, Pack lambda, Pack rho, Pack s[3])
{
    const Pack c = 2.0 * kappa + rho, zero = pack_set(0.0);
    Pack b[3];
    for (int i = 0; i < 3; ++i)
        b[i] = 2.0 * kappa + rho * q[i];
    const Pack pressure = lambda * ((b[0] + b[1] + b[2] - 3.0 * c) / (c + 3.0 * lambda));
    const PackMask beyond = pack_less(b[1] + b[2] - 2.0 * pressure, zero);
    const Pack opposite = rho * (q[1] - q[2]) / (2.0 * c), longest = (b[0] + 3.0 * lambda) / (c + lambda);
    const PackMask alike = pack_less(longest, opposite);
    const Pack size = (b[0] + b[1] - b[2] + 3.0 * lambda) / (3.0 * c + lambda);
    s[0] = pack_select(beyond, pack_select(alike, size, longest), (b[0] - pressure) / c);
    s[1] = pack_select(beyond, pack_select(alike, size, opposite), (b[1] - pressure) / c);
    s[2] = pack_select(beyond, -s[1], (b[2] - pressure) / c);
}

#endif
