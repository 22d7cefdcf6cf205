// Neo-Hookean; twin of src/physics/energy/neo_hookean.h.
#ifndef COMMON_PHYSICS_ENERGY_NEO_HOOKEAN_GLSL
#define COMMON_PHYSICS_ENERGY_NEO_HOOKEAN_GLSL

#include "common/physics/energy/roots.glsl"
#include "common/physics/energy/symmetric_gradient.glsl"
#include "common/real_math.glsl"

#ifdef VELA_F64
const int NEO_HOOKEAN_MAX_ITERATIONS = 100;
const double NEO_HOOKEAN_STEP = 1e-6lf, NEO_HOOKEAN_TINY = 1e-100lf;
#else
const int NEO_HOOKEAN_MAX_ITERATIONS = 50;
const float NEO_HOOKEAN_STEP = 2e-4, NEO_HOOKEAN_TINY = 1e-30;
#endif

/// psi - psi at rest, Pa; term by term, so that its relative accuracy is good for small strains in float too.
real neo_hookean_energy_above_rest(real s[3], real kappa, real lambda)
{
    if (!(s[0] * s[1] * s[2] > 0.0))
        return real_infinity();
    real sum = real(0), log_volume = real(0);
    for (int i = 0; i < 3; ++i) {
        const real x = abs(s[i]) - 1.0, rest = real_minus_log1p(x);
        sum += 0.5 * x * x + rest; // (s^2 - 1)/2 - log s
        log_volume += x - rest;
    }
    return kappa * sum + 0.5 * lambda * log_volume * log_volume;
}

/// psi at rest, Pa.
real neo_hookean_rest_energy(real kappa, real lambda) { return real(0); }

/// Density psi, Pa.
real neo_hookean_energy(real s[3], real kappa, real lambda)
{
    return neo_hookean_energy_above_rest(s, kappa, lambda) + neo_hookean_rest_energy(kappa, lambda);
}

/// psi_i, Pa.
void neo_hookean_stress(real s[3], real kappa, real lambda, out real stress[3])
{
    const real pressure = lambda * real_log(s[0] * s[1] * s[2]);
    for (int i = 0; i < 3; ++i)
        stress[i] = (kappa * ((s[i] - 1.0) * (s[i] + 1.0)) + pressure) / s[i];
}

/// Second derivatives, Pa, in the order of ENERGY_HESSIAN_*.
void neo_hookean_hessian(real s[3], real kappa, real lambda, out real hessian[12])
{
    const real shear = kappa - lambda * real_log(s[0] * s[1] * s[2]);
    for (int i = 0; i < 3; ++i)
        hessian[i] = kappa + (shear + lambda) / (s[i] * s[i]);
    for (int pair = 0; pair < 3; ++pair) {
        const real inverse = 1.0 / (s[pair == 2 ? 1 : 0] * s[pair == 0 ? 1 : 2]);
        hessian[3 + pair] = lambda * inverse;
        hessian[6 + pair] = kappa - shear * inverse;
        hessian[9 + pair] = kappa + shear * inverse;
    }
}

/// The equation of the prox: G(x) = l log(x s_1 s_2) + x^2 - b_0 x - r, and G'. b.x is the smallest b.
real neo_hookean_prox_equation(real x, real3 b, real l, real r, out real derivative)
{
    const real e = x * (x - b.x);
    real slope1, slope2;
    const real s1 = larger_root(b.y, e, slope1), s2 = larger_root(b.z, e, slope2);
    const real growth = 1.0 / max(s1 * slope1, NEO_HOOKEAN_TINY) + 1.0 / max(s2 * slope2, NEO_HOOKEAN_TINY);
    derivative = l / x + (x + x - b.x) * (1.0 + l * growth);
    return l * real_log(x * s1 * s2) + e - r;
}

/// The root x of G from a bracket [low, high] that holds it: Newton's method, the geometric mean of the bracket where
/// that leaves it or does not halve its steps.
real neo_hookean_prox_solve(real x, real low, real high, real3 b, real l, real r)
{
    real last = high - low;
    for (int iteration = 0; iteration < NEO_HOOKEAN_MAX_ITERATIONS; ++iteration) {
        real derivative;
        const real value = neo_hookean_prox_equation(x, b, l, r, derivative);
        if (value < 0.0)
            low = x;
        else
            high = x;
        // A step down is one in 1/x, which stays positive.
        const real newton = -value / derivative, step = newton < 0.0 ? newton * (x / (x - newton)) : newton;
        const bool done = abs(step) <= NEO_HOOKEAN_STEP * x;
        const bool good = low < x + step && x + step < high && abs(step + step) < last;
        const real next = good || done ? x + step : sqrt(low) * sqrt(high);
        last = abs(next - x);
        x = next;
        if (done)
            break;
    }
    return x;
}

/// One Newton step of the whole prox objective in log s; `first` is the index of the smallest q.
void neo_hookean_prox_polish(real q[3], real kappa, real lambda, real rho, int first, inout real s[3])
{
    const real pressure = lambda * real_log(s[0] * s[1] * s[2]);
    real residual[3], diagonal[3], inverse[3], sum_inverse = real(0), sum_quotient = real(0);
    for (int i = 0; i < 3; ++i) {
        residual[i] = s[i] * ((kappa + rho) * s[i] - rho * q[i]) + (pressure - kappa);
        diagonal[i] = (kappa + rho) * s[i] * s[i] - (pressure - kappa);
        inverse[i] = i == first ? real(0) : 1.0 / diagonal[i];
        sum_inverse += inverse[i];
        sum_quotient += residual[i] * inverse[i];
    }
    // (diagonal + lambda 1 1^T) step = -residual, with the change of log J as the unknown.
    const real stiffness = 1.0 + lambda * sum_inverse;
    const real volume_step =
        -(residual[first] + diagonal[first] * sum_quotient) / (diagonal[first] * stiffness + lambda);
    real change[3];
    bool small = true;
    for (int i = 0; i < 3; ++i) {
        change[i] = i == first ? volume_step * stiffness + sum_quotient
                               : -(residual[i] + lambda * volume_step) * inverse[i];
        small = small && abs(change[i]) < 0.001;
    }
    if (small)
        for (int i = 0; i < 3; ++i)
            s[i] += s[i] * change[i];
}

/// argmin over s > 0 of w psi(s) + rho/2 |s - q|^2, given kappa = w mu and lambda = w lambda (see the twin).
void neo_hookean_prox(real q[3], real kappa, real lambda, real rho, out real s[3])
{
    if (!(lambda > 0.0)) {
        symmetric_gradient_prox(q, kappa, lambda, rho, s);
        return;
    }
    const real scale = 1.0 / (kappa + rho), ratio = rho * scale, l = lambda * scale, r = kappa * scale;
    const int first = q[0] <= q[1] && q[0] <= q[2] ? 0 : q[1] <= q[2] ? 1 : 2;
    const real3 b = ratio * real3(q[first], q[first == 0 ? 1 : 0], q[first == 2 ? 1 : 2]);

    real slope, derivative;
    const real x0 = larger_root(b.x, r, slope);
    const real volume = x0 * larger_root(b.y, r, slope) * larger_root(b.z, r, slope);
    real low = x0, high = x0, start = x0;
    if (volume > 1.0) {
        low = x0 / volume;
        // Between the two roots of the smallest q lies b_0/2: the sign of G there tells which of them it is.
        const real fold = 0.5 * b.x;
        if (low < fold) {
            if (neo_hookean_prox_equation(fold, b, l, r, derivative) > 0.0) {
                high = fold;
                start = sqrt(low) * sqrt(high);
            } else {
                low = fold;
            }
        }
    } else {
        high = larger_root(b.x, r - l * real_log(volume), slope);
    }
    const real x = neo_hookean_prox_solve(start, low, high, b, l, r), e = x * (x - b.x);
    for (int i = 0; i < 3; ++i)
        s[i] = i == first ? x : larger_root(ratio * q[i], e, slope);
    neo_hookean_prox_polish(q, kappa, lambda, rho, first, s);
}

#endif
