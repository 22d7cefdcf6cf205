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
