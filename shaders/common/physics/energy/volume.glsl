// What energies with a quadratic term in J = s_0 s_1 s_2 share; twin of src/physics/energy/volume.h.
#ifndef COMMON_PHYSICS_ENERGY_VOLUME_GLSL
#define COMMON_PHYSICS_ENERGY_VOLUME_GLSL

#include "common/physics/energy/roots.glsl"

#ifdef VELA_F64
const int VOLUME_MAX_ITERATIONS = 100;
const double VOLUME_STEP = 1e-8lf, VOLUME_ROUNDING = 1e-16lf, VOLUME_TINY = 1e-100lf;
#else
const int VOLUME_MAX_ITERATIONS = 50;
const float VOLUME_STEP = 1e-4, VOLUME_ROUNDING = 1e-8, VOLUME_TINY = 1e-30;
#endif

/// Where differences are formed from s - 1, so that their relative accuracy is good for small strains.
bool volume_near_rest(real s[3])
{
    return abs(s[0] - 1.0) < 0.5 && abs(s[1] - 1.0) < 0.5 && abs(s[2] - 1.0) < 0.5;
}

/// J - 1.
real volume_change(real s[3])
{
    const real x = s[0] - 1.0, y = s[1] - 1.0, z = s[2] - 1.0;
    if (!volume_near_rest(s))
        return s[0] * s[1] * s[2] - 1.0;
    return x + y + z + (x * y + x * z + y * z) + x * y * z;
}

/// G(x) = x - p_2 + (l (J - 1) - k) s_0 s_1, J = x s_0 s_1, and G'; s_0 and s_1 are the larger roots of
/// s^2 - p s = x^2 - p_2 x.
real volume_prox_equation(real x, real p[3], real l, real k, out real derivative)
{
    real slope0, slope1;
    const real e = x * (x - p[2]), s0 = larger_root(p[0], e, slope0), s1 = larger_root(p[1], e, slope1);
    const real area = s0 * s1, pressure = l * (x * area - 1.0) - k;
    // d area/dx, from ds_i/dx = (2 x - p_2)/slope_i
    const real growth = (x + x - p[2]) * (s1 / max(slope0, VOLUME_TINY) + s0 / max(slope1, VOLUME_TINY));
    derivative = 1.0 + l * area * (area + x * growth) + pressure * growth;
    return x - p[2] + pressure * area;
}

/// The root of G in [low, high], G(low) <= 0 <= G(high), from the start x: Newton's method, the middle of the bracket
/// where that leaves it or does not halve its steps.
real volume_prox_solve(real x, real low, real high, real p[3], real l, real k)
{
    real last = high - low;
    for (int iteration = 0; iteration < VOLUME_MAX_ITERATIONS; ++iteration) {
        real derivative;
        const real value = volume_prox_equation(x, p, l, k, derivative);
        if (value < 0.0)
            low = x;
        else
            high = x;
        const real step = -value / derivative, moved = x + step;
        const bool done = abs(step) <= VOLUME_STEP * abs(x) + VOLUME_ROUNDING * p[0];
        const bool good = low <= moved && moved <= high && abs(step + step) < last;
        const real next = good || done ? moved : 0.5 * (low + high);
        last = abs(next - x);
        x = next;
        if (done)
            break;
    }
    return x;
}

/// One Newton step of the whole objective in s, where it is small.
void volume_prox_polish(real p[3], real l, real k, inout real s[3])
{
    const real pressure = l * volume_change(s) - k;
    const real3 v = real3(s[0], s[1], s[2]), area = v.yzx * v.zxy;
    const real3 gradient = v - real3(p[0], p[1], p[2]) + pressure * area;
    const real3 diagonal = 1.0 + l * area * area, mixed = l * area.yzx * area.zxy + pressure * v; // 12 02 01
    // Cramer's rule: the rows of the adjugate.
    const real3 minor = diagonal.yzx * diagonal.zxy - mixed * mixed;     // 00 11 22
    const real3 cross_minor = mixed.yzx * mixed.zxy - diagonal * mixed; // 12 02 01
    const real3 rows[3] = real3[3](real3(minor.x, cross_minor.z, cross_minor.y),
                                   real3(cross_minor.z, minor.y, cross_minor.x),
                                   real3(cross_minor.y, cross_minor.x, minor.z));
    const real determinant = dot(rows[0], real3(diagonal.x, mixed.z, mixed.y)), most = 0.001 * s[1];
    real3 change;
    for (int i = 0; i < 3; ++i)
        change[i] = -dot(rows[i], gradient) / determinant;
    if (abs(change.x) < most && abs(change.y) < most && abs(change.z) < most)
        for (int i = 0; i < 3; ++i)
            s[i] += change[i];
}

/// A local argmin of |s - p|^2/2 + l/2 (J - 1)^2 - k (J - 1), p_0 >= p_1 >= |p_2| (see the twin).
void volume_prox(real p[3], real l, real k, out real s[3])
{
    const real most = 1.0 + k / max(l, VOLUME_TINY); // J beyond which the pressure is positive
    real low = p[2], high = max(p[2], most), start = p[2];
    if (p[2] < 0.0 && (l + k) * (p[0] * p[1]) <= -p[2]) {
        high = real(0); // stays inverted
    } else if (p[2] < 0.0) {
        low = real(0);
        start = high;
    } else if (p[0] * p[1] * p[2] >= most) {
        low = real(0);
        high = p[2];
    }
    const real x = volume_prox_solve(start, low, high, p, l, k), e = x * (x - p[2]);
    real slope;
    s[0] = larger_root(p[0], e, slope);
    s[1] = larger_root(p[1], e, slope);
    s[2] = x;
    volume_prox_polish(p, l, k, s);
}

#endif
