/// The power law R = w c/(p + 1) y^((p + 1)/2) of an element in y = |S'|^2, 1/s^2 (theory.md section 7). Where p < 1 it is continued
/// as a quadratic below |S'| = POWER_LAW_SLOWEST: its force has no value at 0.
#ifndef PHYSICS_DISSIPATION_POWER_LAW_H
#define PHYSICS_DISSIPATION_POWER_LAW_H

#include "physics/dissipation/damping.h"

#include <math.h>

/// 1/s
#define POWER_LAW_SLOWEST 1e-6

/// Where y counts as this at the least.
static inline double power_law_floor(const Damping *law)
{
    return law->exponent < 1 ? POWER_LAW_SLOWEST * POWER_LAW_SLOWEST : 0;
}

/// c y^((p - 1)/2), Pa s: the viscosity, so that dR/dv = viscosity w/2 dy/dv.
static inline double power_law_viscosity(const Damping *law, double y)
{
    const double least = power_law_floor(law);
    if (law->exponent == 1)
        return law->coefficient;
    return law->coefficient * pow(y > least ? y : least, 0.5 * (law->exponent - 1));
}

/// R/w, W/m^3.
static inline double power_law_density(const Damping *law, double y)
{
    const double least = power_law_floor(law), p = law->exponent;
    if (y < least)
        return law->coefficient *
               (pow(least, 0.5 * (p + 1)) / (p + 1) + 0.5 * pow(least, 0.5 * (p - 1)) * (y - least));
    return law->coefficient / (p + 1) * pow(y, 0.5 * (p + 1));
}

/// What is left, u, of |D x - D xp| = d, 1, where ADMM pulls on it with the weight rho, J: of t R at the rate u d/t and
/// rho/2 (u d - d)^2 the least (theory.md section 7). kappa u^p + u = 1, whose left side is convex in u, or below p = 1 in u^p: Newton's
/// method comes from above.
static inline double power_law_prox(const Damping *law, double volume, double duration, double rho, double d)
{
    const double p = law->exponent, q = p < 1 ? 1 / p : p;
    if (!(d > 0))
        return 1;
    const double kappa = volume * law->coefficient * pow(d / duration, p) / (rho * d);
    if (p == 0)
        return kappa < 1 ? 1 - kappa : 0;
    // As z = u^p below 1: kappa z + z^q; else kappa z^q + z.
    const double linear = p < 1 ? kappa : 1, other = p < 1 ? 1 : kappa;
    double z = fmin(1, p < 1 ? 1 / kappa : pow(kappa, -1 / p));
    for (int i = 0; i < 100; ++i) {
        const double power = other * pow(z, q - 1),
                     next = z - (linear * z + power * z - 1) / (linear + q * power);
        if (!(next < z && next > 0))
            break;
        z = next;
    }
    return p < 1 ? pow(z, q) : z;
}

/// The same where y = sum lambda_m d_m^2 over axes that are each damped as much as their lambda says (at least 0): of d_m the part
/// left[m] = 1/(1 + mu lambda_m) is left, mu = k q^(p - 1), q^2 = sum lambda_m (left_m d_m)^2, k = w c t^-p/rho. Over log mu the function
/// log mu + (1 - p) log q increases with a slope between 1 and p; Newton's method within what is known to hold the root.
static inline void power_law_prox_axes(const Damping *law, double volume, double duration, double rho,
                                       int count, const double *lambda, const double *d, double *left)
{
    const double p = law->exponent, k = volume * law->coefficient * pow(duration, -p) / rho;
    double square = 0, reach = 0, low = -INFINITY, high = INFINITY;
    for (int m = 0; m < count; ++m) {
        left[m] = 1;
        square += lambda[m] * d[m] * d[m];
        reach += lambda[m] > 0 ? d[m] * d[m] / lambda[m] : 0;
    }
    if (!(square > 0 && k > 0))
        return;
    if (p == 0 && k * k >= reach) {
        for (int m = 0; m < count; ++m)
            left[m] = lambda[m] > 0 ? 0 : 1;
        return;
    }
    double u = log(k) - 0.5 * (1 - p) * log(square); // of mu where nothing is lost
    for (int i = 0; i < 200; ++i) {
        const double mu = exp(u);
        double rest = 0, bend = 0;
        for (int m = 0; m < count; ++m) {
            const double part = lambda[m] * d[m] / (1 + mu * lambda[m]),
                         own = part * d[m] / (1 + mu * lambda[m]);
            rest += own;
            bend += own * mu * lambda[m] / (1 + mu * lambda[m]);
        }
        const double value = u + 0.5 * (1 - p) * log(rest) - log(k), slope = 1 - (1 - p) * bend / rest;
        double next = u - value / slope;
        if (value > 0)
            high = u;
        else
            low = u;
        if (!(next > low && next < high))
            next = isfinite(low) && isfinite(high) ? 0.5 * (low + high) : u;
        if (fabs(next - u) <= 1e-15 * (1 + fabs(u)))
            break;
        u = next;
    }
    for (int m = 0; m < count; ++m)
        left[m] = 1 / (1 + exp(u) * lambda[m]);
}

/// R/w at y + rise, at least 0, less R/w at y, without what their difference would lose.
static inline double power_law_change(const Damping *law, double y, double rise)
{
    const double least = power_law_floor(law), end = y + rise > 0 ? y + rise : 0;
    if (y <= least && end <= least)
        return 0.5 * power_law_viscosity(law, least) * rise;
    if (y <= least || end <= least)
        return power_law_density(law, end) - power_law_density(law, y);
    return power_law_density(law, y) * expm1(0.5 * (law->exponent + 1) * log1p(rise / y));
}

#endif
