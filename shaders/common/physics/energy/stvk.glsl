// Saint Venant-Kirchhoff; twin of src/physics/energy/stvk.h.
#ifndef COMMON_PHYSICS_ENERGY_STVK_GLSL
#define COMMON_PHYSICS_ENERGY_STVK_GLSL

#include "common/physics/energy/roots.glsl"

#ifdef VELA_F64
const int STVK_MAX_ITERATIONS = 100, STVK_ROOT_MAX_ITERATIONS = 40;
const double STVK_STEP = 1e-8lf, STVK_TINY = 1e-100lf;
#else
const int STVK_MAX_ITERATIONS = 50, STVK_ROOT_MAX_ITERATIONS = 20;
const float STVK_STEP = 1e-4, STVK_TINY = 1e-30;
#endif

/// e_i of some stretches, two or three, and their sum.
real stvk_strain_some(int count, real s[3], out real e[3])
{
    real sum = real(0);
    for (int i = 0; i < count; ++i) {
        e[i] = 0.5 * (s[i] - 1.0) * (s[i] + 1.0);
        sum += e[i];
    }
    return sum;
}

/// e_i, and their sum.
real stvk_strain(real s[3], out real e[3]) { return stvk_strain_some(3, s, e); }

/// psi - psi at rest, Pa.
real stvk_energy_above_rest(real s[3], real kappa, real lambda)
{
    real e[3];
    const real trace = stvk_strain(s, e);
    return kappa * (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]) + 0.5 * lambda * (trace * trace);
}

/// psi at rest, Pa.
real stvk_rest_energy(real kappa, real lambda) { return real(0); }

/// Density psi, Pa.
real stvk_energy(real s[3], real kappa, real lambda)
{
    return stvk_energy_above_rest(s, kappa, lambda) + stvk_rest_energy(kappa, lambda);
}

/// psi_i, Pa.
void stvk_stress(real s[3], real kappa, real lambda, out real stress[3])
{
    real e[3];
    const real trace = stvk_strain(s, e);
    for (int i = 0; i < 3; ++i)
        stress[i] = 2.0 * kappa * e[i] * s[i] + lambda * trace * s[i];
}

/// Second derivatives, Pa, in the order of ENERGY_HESSIAN_*.
void stvk_hessian(real s[3], real kappa, real lambda, out real hessian[12])
{
    real e[3];
    const real trace = stvk_strain(s, e);
    for (int i = 0; i < 3; ++i)
        hessian[i] = 2.0 * kappa * (s[i] * s[i] + e[i]) + lambda * (s[i] * s[i] + trace);
    for (int pair = 0; pair < 3; ++pair) {
        const real a = s[pair == 2 ? 1 : 0], b = s[pair == 0 ? 1 : 2], x = a - 1.0, y = b - 1.0;
        hessian[3 + pair] = lambda * a * b;
        // a^2 -+ a b + b^2 - 1, in x and y
        hessian[6 + pair] = kappa * (x * x + y * y + x + y - x * y) + lambda * trace;
        hessian[9 + pair] = kappa * (x * (x + 2.0) + b * (a + b)) + lambda * trace;
    }
}

/// Right of the positive root s of k s^3 + a s = b, b >= 0.
real stvk_root_start(real a, real b, real k)
{
    const real cubic = 1.1 * rough_cube_root(b / k), linear = b / max(abs(a), STVK_TINY);
    return a < 0.0 ? sqrt(-a / k) + min(cubic, 0.5 * linear) : min(cubic, linear);
}

/// That root from the start s at its right: Newton's method, which goes down to it.
real stvk_root(real s, real a, real b, real k)
{
    for (int iteration = 0; iteration < STVK_ROOT_MAX_ITERATIONS; ++iteration) {
        const real square = k * s * s, step = ((square + a) * s - b) / max(3.0 * square + a, STVK_TINY);
        s = max(s - step, real(0));
        if (!(abs(step) > STVK_STEP * s))
            break;
    }
    return s;
}

/// argmin of w psi(s) + rho/2 |s - q|^2 for some stretches, two or three, given kappa = w mu and lambda = w lambda: |s_i| is the positive root of
/// k s^3 + a s = r |q_i| for the one a = r - k + l sum e (see the twin).
void stvk_prox_some(int count, real q[3], real kappa, real lambda, real rho, out real s[3])
{
    const real c = kappa + rho, k = kappa / c, r = rho / c, l = lambda / c;
    real e[3];
    for (int i = 0; i < count; ++i)
        s[i] = min(abs(q[i]), real(1));
    real a = r - k + l * stvk_strain_some(count, s, e);
    for (int i = 0; i < count; ++i)
        s[i] = stvk_root_start(a, r * abs(q[i]), k);
    bool done = false;
    for (int iteration = 0; iteration < STVK_MAX_ITERATIONS; ++iteration) {
        real slope = real(1), softest = real(3e38);
        for (int i = 0; i < count; ++i) {
            s[i] = stvk_root(s[i], a, r * abs(q[i]), k);
            const real square = s[i] * s[i], stiffness = max(3.0 * k * square + a, STVK_TINY);
            slope += l * square / stiffness;
            softest = min(softest, stiffness);
        }
        if (done)
            break;
        const real step = (r - k + l * stvk_strain_some(count, s, e) - a) / slope;
        a += step;
        done = !(step > STVK_STEP * softest); // it changes no s by more; to rounding, a does not fall
    }
    for (int i = 0; i < count; ++i)
        s[i] = q[i] < 0.0 ? -s[i] : s[i];
}

/// The same of three.
void stvk_prox(real q[3], real kappa, real lambda, real rho, out real s[3]) { stvk_prox_some(3, q, kappa, lambda, rho, s); }

#endif
