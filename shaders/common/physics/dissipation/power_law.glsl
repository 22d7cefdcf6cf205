// The power law of damping; twin of src/physics/dissipation/power_law.h, where it is explained.
#ifndef COMMON_PHYSICS_DISSIPATION_POWER_LAW_GLSL
#define COMMON_PHYSICS_DISSIPATION_POWER_LAW_GLSL

#include "common/real_math.glsl"

#ifdef VELA_F64
#define POWER_LAW_SLOWEST 1e-6lf
#else
#define POWER_LAW_SLOWEST 1e-6
#endif

#define POWER_LAW_ITERATIONS 100

struct PowerLaw {
    real coefficient, exponent;
    bool is_corrected;
};

/// y^e of y >= 0; of 0 only where e > 0.
real power_of(real y, real e)
{
    return y > real(0.0) ? real_exp(e * real_log(y)) : real(0.0);
}

real power_law_floor(PowerLaw law)
{
    return law.exponent < real(1.0) ? real(POWER_LAW_SLOWEST * POWER_LAW_SLOWEST) : real(0.0);
}

real power_law_viscosity(PowerLaw law, real y)
{
    if (law.exponent == real(1.0))
        return law.coefficient;
    return law.coefficient * power_of(max(y, power_law_floor(law)), real(0.5) * (law.exponent - real(1.0)));
}

real power_law_density(PowerLaw law, real y)
{
    const real least = power_law_floor(law), p = law.exponent;
    if (y < least)
        return law.coefficient * (power_of(least, real(0.5) * (p + real(1.0))) / (p + real(1.0)) +
                                  real(0.5) * power_of(least, real(0.5) * (p - real(1.0))) * (y - least));
    return law.coefficient / (p + real(1.0)) * power_of(y, real(0.5) * (p + real(1.0)));
}

/// Of |D x - D xp| = d what ADMM's prox takes, a part of 1: 1 - u in the twin's equation, where kappa u^p + u = 1 is that part. With kappa^(1/p)
/// instead of kappa: high powers of large rates are no numbers in single precision.
real power_law_lost(PowerLaw law, real volume, real duration, real rho, real d)
{
    const real p = law.exponent, q = p < real(1.0) ? real(1.0) / p : p;
    if (!(d > real(0.0)) || !(law.coefficient > real(0.0)))
        return real(0.0);
    const real size = real_log(volume * law.coefficient / rho) - p * real_log(duration) + (p - real(1.0)) * real_log(d); // log kappa
    if (p == real(0.0))
        return min(real_exp(min(size, real(0.0))), real(1.0));
    if (p < real(1.0)) { // z = u^p: kappa z + z^q = 1
        const real kappa = real_exp(min(size, real(80.0)));
        real z = min(real(1.0), real(1.0) / kappa);
        for (int i = 0; i < POWER_LAW_ITERATIONS; ++i) {
            const real power = power_of(z, q - real(1.0));
            const real next = z - (kappa * z + power * z - real(1.0)) / (kappa + q * power);
            if (!(next < z && next > real(0.0)))
                break;
            z = next;
        }
        return min(kappa * z, real(1.0));
    }
    const real root = real_exp(min(size / p, real(80.0))); // (root u)^p + u = 1
    real u = min(real(1.0), real(1.0) / root);
    for (int i = 0; i < POWER_LAW_ITERATIONS; ++i) {
        const real power = root * power_of(root * u, p - real(1.0));
        const real next = u - (u + power * u - real(1.0)) / (real(1.0) + p * power);
        if (!(next < u && next > real(0.0)))
            break;
        u = next;
    }
    return min(power_of(root * u, p), real(1.0));
}

#ifdef VELA_F64
#define POWER_LAW_STEP 1e-15lf
#else
#define POWER_LAW_STEP 1e-7
#endif

/// Twin of power_law_prox_axes: of each axis the part that is taken, 1 - left. Over lengths beside the largest of them, of which squares are
/// numbers in single precision too.
void power_law_lost_axes(PowerLaw law, real volume, real duration, real rho, real lambda[6], real d[6], out real lost[6])
{
    const real p = law.exponent;
    real size = real(0.0), square = real(0.0), reach = real(0.0);
    for (int m = 0; m < 6; ++m) {
        size = max(size, abs(d[m]));
        lost[m] = real(0.0);
    }
    if (!(size > real(0.0) && law.coefficient > real(0.0)))
        return;
    for (int m = 0; m < 6; ++m) {
        const real own = d[m] / size;
        square += lambda[m] * own * own;
        reach += own * own / lambda[m];
    }
    const real scale = real_log(volume * law.coefficient / rho) - p * real_log(duration) -
                       (real(1.0) - p) * real_log(size); // log k
    if (p == real(0.0) && real(2.0) * scale >= real_log(reach)) {
        for (int m = 0; m < 6; ++m)
            lost[m] = real(1.0);
        return;
    }
    real u = clamp(scale - real(0.5) * (real(1.0) - p) * real_log(square), real(-80.0), real(80.0)), low = real(-81.0),
         high = real(81.0);
    for (int i = 0; i < POWER_LAW_ITERATIONS; ++i) {
        const real mu = real_exp(u);
        real rest = real(0.0), bend = real(0.0);
        for (int m = 0; m < 6; ++m) {
            const real left = real(1.0) / (real(1.0) + mu * lambda[m]), part = left * d[m] / size, own = lambda[m] * part * part;
            rest += own;
            bend += own * mu * lambda[m] * left;
        }
        const real value = u + real(0.5) * (real(1.0) - p) * real_log(rest) - scale;
        real next = u - value / (real(1.0) - (real(1.0) - p) * bend / rest);
        if (value > real(0.0))
            high = u;
        else
            low = u;
        if (!(next > low && next < high))
            next = real(0.5) * (low + high);
        const bool done = abs(next - u) <= real(POWER_LAW_STEP) * (real(1.0) + abs(u));
        u = next;
        if (done)
            break;
    }
    for (int m = 0; m < 6; ++m) {
        const real own = real_exp(u) * lambda[m];
        lost[m] = own / (real(1.0) + own);
    }
}

/// A rise beyond y itself is no small difference.
real power_law_change(PowerLaw law, real y, real rise)
{
    const real least = power_law_floor(law), end = max(y + rise, real(0.0));
    if (y <= least && end <= least)
        return real(0.5) * power_law_viscosity(law, least) * rise;
    if (y <= least || end <= least || rise > y)
        return power_law_density(law, end) - power_law_density(law, y);
    return power_law_density(law, y) * real_expm1(real(0.5) * (law.exponent + real(1.0)) * real_log1p(rise / y));
}

#endif
