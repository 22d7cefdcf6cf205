/// Neo-Hookean: psi = mu/2 (sum s_i^2 - 3) - mu log J + lambda/2 log^2 J, mu = kappa (theory.md section 3). Infinite
/// where J = s_0 s_1 s_2 <= 0. `s` are signed singular values, kappa > 0 and lambda >= 0 in Pa. Stress and second
/// derivatives are meant for J > 0. Twin: shaders/common/physics/energy/neo_hookean.glsl.
#ifndef PHYSICS_ENERGY_NEO_HOOKEAN_H
#define PHYSICS_ENERGY_NEO_HOOKEAN_H

#include "base/lanes.h"
#include "physics/energy/roots.h"
#include "physics/energy/symmetric_gradient.h"

enum { NEO_HOOKEAN_MAX_ITERATIONS = 100 };

/// psi - psi at rest, Pa.
LANES_INLINE Pack neo_hookean_energy_above_rest(const Pack s[3], Pack kappa, Pack lambda)
{
    const Pack volume = s[0] * s[1] * s[2], log_volume = pack_log(volume);
    Pack sum = pack_set(0.0);
    for (int i = 0; i < 3; ++i)
        sum += (s[i] - 1.0) * (s[i] + 1.0);
    const Pack energy = kappa * (0.5 * sum - log_volume) + 0.5 * lambda * log_volume * log_volume;
    return pack_select(pack_less(pack_set(0.0), volume), energy, pack_set(INFINITY));
}

/// psi at rest, Pa.
LANES_INLINE Pack neo_hookean_rest_energy(Pack kappa, Pack lambda)
{
    (void)kappa, (void)lambda;
    return pack_set(0.0);
}

/// Density psi, Pa.
LANES_INLINE Pack neo_hookean_energy(const Pack s[3], Pack kappa, Pack lambda)
{
    return neo_hookean_energy_above_rest(s, kappa, lambda) + neo_hookean_rest_energy(kappa, lambda);
}

/// psi_i, Pa.
LANES_INLINE void neo_hookean_stress(const Pack s[3], Pack kappa, Pack lambda, Pack stress[3])
{
    const Pack pressure = lambda * pack_log(s[0] * s[1] * s[2]);
    for (int i = 0; i < 3; ++i)
        stress[i] = (kappa * ((s[i] - 1.0) * (s[i] + 1.0)) + pressure) / s[i];
}

/// Second derivatives, Pa, in the order of ENERGY_HESSIAN_* (energy_hessian.h).
LANES_INLINE void neo_hookean_hessian(const Pack s[3], Pack kappa, Pack lambda, Pack hessian[12])
{
    const Pack shear = kappa - lambda * pack_log(s[0] * s[1] * s[2]);
    for (int i = 0; i < 3; ++i)
        hessian[i] = kappa + (shear + lambda) / (s[i] * s[i]);
    for (int pair = 0; pair < 3; ++pair) {
        const Pack inverse = 1.0 / (s[pair == 2 ? 1 : 0] * s[pair == 0 ? 1 : 2]);
        hessian[3 + pair] = lambda * inverse;
        hessian[6 + pair] = kappa - shear * inverse;
        hessian[9 + pair] = kappa + shear * inverse;
    }
}

// ---------------------------------------------------------------- prox
/// One line of the prox: its equation G(x) = l log(x s_1 s_2) + x^2 - b_0 x - r, and G'. b[0] is the smallest b.
LANES_INLINE Pack neo_hookean_prox_equation(Pack x, const Pack b[3], Pack l, Pack r, Pack *derivative)
{
    const Pack e = x * (x - b[0]);
    Pack slope1, slope2;
    const Pack s1 = larger_root(b[1], e, &slope1), s2 = larger_root(b[2], e, &slope2);
    const Pack tiny = pack_set(1e-100);
    const Pack growth = 1.0 / pack_max(s1 * slope1, tiny) + 1.0 / pack_max(s2 * slope2, tiny);
    *derivative = l / x + (x + x - b[0]) * (1.0 + l * growth);
    return l * pack_log(x * s1 * s2) + e - r;
}

/// The root x of G, from a bracket [low, high] that holds it: Newton's method, the geometric mean of the bracket where
/// that leaves it or does not halve its steps. Lanes outside `active` keep x.
LANES_INLINE Pack neo_hookean_prox_solve(Pack x, Pack low, Pack high, const Pack b[3], Pack l, Pack r,
                                         PackMask active)
{
    Pack last = high - low;
    for (int iteration = 0; iteration < NEO_HOOKEAN_MAX_ITERATIONS && pack_any(active); ++iteration) {
        Pack derivative;
        const Pack value = neo_hookean_prox_equation(x, b, l, r, &derivative);
        const PackMask below = pack_less(value, pack_set(0.0));
        low = pack_select(below, x, low);
        high = pack_select(below, high, x);

        // A step down is one in 1/x, which stays positive.
        const Pack newton = -value / derivative;
        const Pack step = pack_select(pack_less(newton, pack_set(0.0)), newton * (x / (x - newton)), newton);
        const PackMask done = pack_less_equal(pack_abs(step), 1e-6 * x);
        const PackMask good =
            pack_less(low, x + step) & pack_less(x + step, high) & pack_less(pack_abs(step + step), last);
        const Pack next = pack_select(good | done, x + step, pack_sqrt(low * high));
        last = pack_abs(next - x);
        x = pack_select(active, next, x);
        active &= ~done;
    }
    return x;
}

/// One Newton step of the whole prox objective in log s, exact to the last bits from a solution good to 1e-8. first is
/// the index of the smallest q in each lane: its own second derivative may vanish or be negative.
LANES_INLINE void neo_hookean_prox_polish(const Pack q[3], Pack kappa, Pack lambda, Pack rho,
                                          const PackMask first[3], Pack s[3])
{
    const Pack pressure = lambda * pack_log(s[0] * s[1] * s[2]);
    Pack residual[3], diagonal[3], inverse[3], first_residual = pack_set(0.0), first_diagonal = pack_set(0.0),
                                               sum_inverse = pack_set(0.0), sum_quotient = pack_set(0.0);
    for (int i = 0; i < 3; ++i) {
        const Pack square = (kappa + rho) * s[i] * s[i];
        residual[i] = square - rho * q[i] * s[i] + (pressure - kappa);
        diagonal[i] = square - (pressure - kappa);
        inverse[i] = pack_select(first[i], pack_set(0.0), 1.0 / diagonal[i]);
        sum_inverse += inverse[i], sum_quotient += residual[i] * inverse[i];
        first_residual = pack_select(first[i], residual[i], first_residual);
        first_diagonal = pack_select(first[i], diagonal[i], first_diagonal);
    }
    // (diagonal + lambda 1 1^T) step = -residual, with the change of log J as the unknown.
    const Pack volume_step = -(first_residual + first_diagonal * sum_quotient) /
                             (first_diagonal * (1.0 + lambda * sum_inverse) + lambda);
    const Pack first_step = volume_step * (1.0 + lambda * sum_inverse) + sum_quotient;
    Pack step[3];
    PackMask small = ~(PackMask){0};
    for (int i = 0; i < 3; ++i) {
        step[i] = pack_select(first[i], first_step, -(residual[i] + lambda * volume_step) * inverse[i]);
        small &= pack_less(pack_abs(step[i]), pack_set(1e-3));
    }
    for (int i = 0; i < 3; ++i)
        s[i] = pack_select(small, s[i] + s[i] * step[i], s[i]);
}

/// argmin over s > 0 of w psi(s) + rho/2 |s - q|^2, given kappa = w mu and lambda = w lambda (theory.md section 5).
///
/// With b_i = rho q_i/(K + rho), l = lambda/(K + rho), r = K/(K + rho): s_i^2 - b_i s_i = e = r - l log J for all i. At a
/// minimum at most one s_i is the smaller root, and then that of the smallest q. So x, the s of the smallest q, gives e,
/// e gives the other two as larger roots, and one equation G(x) = 0 remains, for both roots alike. It is bracketed by
/// x_0, its solution for l = 0, and: where J > 1 there, x_0/J (J decreases to at most 1), else the x at which
/// e = r - l log J(x_0). Far out, J > e^(1 + mu/lambda), psi is not convex and there can be two minima: then it is the
/// one on the larger roots, near q, not the flattened one, even if that is lower.
LANES_INLINE void neo_hookean_prox(const Pack q[3], Pack kappa, Pack lambda, Pack rho, Pack s[3])
{
    const Pack zero = pack_set(0.0), scale = 1.0 / (kappa + rho), ratio = rho * scale;
    const Pack l = lambda * scale, r = kappa * scale;
    const PackMask first[3] = {
        pack_less_equal(q[0], q[1]) & pack_less_equal(q[0], q[2]),
        pack_less(q[1], q[0]) & pack_less_equal(q[1], q[2]),
        pack_less(q[2], q[0]) & pack_less(q[2], q[1]),
    };
    const Pack b[3] = {
        ratio * pack_min(pack_min(q[0], q[1]), q[2]),
        ratio * pack_select(first[0], q[1], q[0]),
        ratio * pack_select(first[2], q[1], q[2]),
    };

    Pack slope, derivative;
    const Pack x0 = larger_root(b[0], r, &slope);
    const Pack volume = x0 * larger_root(b[1], r, &slope) * larger_root(b[2], r, &slope);
    const PackMask stretched = pack_less(pack_set(1.0), volume), compressible = pack_less(zero, lambda);
    Pack low = pack_select(stretched, x0 / volume, x0), high = x0;
    if (pack_any(~stretched)) {
        const Pack bound = larger_root(b[0], r - l * pack_log(volume), &slope);
        high = pack_select(stretched, high, bound);
    }
    // Between the two roots of the smallest q lies b_0/2: the sign of G there tells which of them it is.
    const Pack fold = 0.5 * b[0];
    const PackMask folded = stretched & pack_less(low, fold);
    Pack start = x0;
    if (pack_any(folded & compressible)) {
        const Pack at_fold = neo_hookean_prox_equation(pack_select(folded, fold, x0), b, l, r, &derivative);
        const PackMask smaller = folded & pack_less(zero, at_fold), larger = folded & ~smaller;
        high = pack_select(smaller, fold, high);
        low = pack_select(larger, fold, low);
        start = pack_select(smaller, pack_sqrt(low * high), x0);
    }
    const Pack x = neo_hookean_prox_solve(start, low, high, b, l, r, compressible), e = x * (x - b[0]);
    Pack result[3], without[3];
    for (int i = 0; i < 3; ++i)
        result[i] = pack_select(first[i], x, larger_root(ratio * q[i], e, &slope));
    neo_hookean_prox_polish(q, kappa, lambda, rho, first, result);
    symmetric_gradient_prox(q, kappa, lambda, rho, without);
    for (int i = 0; i < 3; ++i)
        s[i] = pack_select(compressible, result[i], without[i]);
}

#endif
