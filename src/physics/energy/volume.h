/// What energies with a quadratic term in J = s_0 s_1 s_2 share: fixed_corotated and stable_neo_hookean.
/// Twin: shaders/common/physics/energy/volume.glsl.
#ifndef PHYSICS_ENERGY_VOLUME_H
#define PHYSICS_ENERGY_VOLUME_H

#include "base/lanes.h"
#include "physics/energy/roots.h"

enum { VOLUME_MAX_ITERATIONS = 100 };

/// Where differences are formed from s - 1, so that their relative accuracy is good for small strains.
LANES_INLINE PackMask volume_near_rest(const Pack s[3])
{
    const Pack x = pack_abs(s[0] - 1.0), y = pack_abs(s[1] - 1.0), z = pack_abs(s[2] - 1.0);
    return pack_less(pack_max(pack_max(x, y), z), pack_set(0.5));
}

/// J - 1.
LANES_INLINE Pack volume_change(const Pack s[3])
{
    const Pack from_rest = (s[0] - 1.0) + s[0] * ((s[1] - 1.0) + s[1] * (s[2] - 1.0));
    return pack_select(volume_near_rest(s), from_rest, s[0] * s[1] * s[2] - 1.0);
}

// ---------------------------------------------------------------- prox
/// G(x) = x - p_2 + (l (J - 1) - k) s_0 s_1, J = x s_0 s_1, and G'; s_0 and s_1 are the larger roots of
/// s^2 - p s = x^2 - p_2 x.
LANES_INLINE Pack volume_prox_equation(Pack x, const Pack p[3], Pack l, Pack k, Pack *derivative)
{
    const Pack e = x * (x - p[2]), tiny = pack_set(1e-100);
    Pack slope0, slope1;
    const Pack s0 = larger_root(p[0], e, &slope0), s1 = larger_root(p[1], e, &slope1), area = s0 * s1;
    const Pack pressure = l * (x * area - 1.0) - k;
    const Pack inverse = 1.0 / pack_max(s0 * slope0, tiny) + 1.0 / pack_max(s1 * slope1, tiny);
    const Pack growth = (x + x - p[2]) * area * inverse; // d area/dx
    *derivative = 1.0 + l * area * (area + x * growth) + pressure * growth;
    return x - p[2] + pressure * area;
}

/// The root of G in [low, high], G(low) <= 0 <= G(high), from the start x: Newton's method, the middle of the bracket
/// where that leaves it or does not halve its steps.
LANES_INLINE Pack volume_prox_solve(Pack x, Pack low, Pack high, const Pack p[3], Pack l, Pack k)
{
    PackMask active = ~(PackMask){0};
    Pack last = high - low;
    for (int iteration = 0; iteration < VOLUME_MAX_ITERATIONS && pack_any(active); ++iteration) {
        Pack derivative;
        const Pack value = volume_prox_equation(x, p, l, k, &derivative);
        const PackMask below = pack_less(value, pack_set(0.0));
        low = pack_select(active & below, x, low);
        high = pack_select(active & ~below, x, high);
        const Pack step = -value / derivative, moved = x + step;
        const PackMask done = pack_less_equal(pack_abs(step), 1e-8 * pack_abs(x) + 1e-30 * p[0]);
        const PackMask good = pack_less_equal(low, moved) & pack_less_equal(moved, high) &
                              pack_less(pack_abs(step + step), last);
        const Pack next = pack_select(good | done, moved, 0.5 * (low + high));
        last = pack_select(active, pack_abs(next - x), last);
        x = pack_select(active, next, x);
        active &= ~done;
    }
    return x;
}

/// One Newton step of the whole objective in s, where it is small: s_0 and s_1 as roots lose digits where the two roots
/// of one of them meet.
LANES_INLINE void volume_prox_polish(const Pack p[3], Pack l, Pack k, Pack s[3])
{
    const Pack pressure = l * volume_change(s) - k;
    const Pack area[3] = {s[1] * s[2], s[0] * s[2], s[0] * s[1]};
    Pack gradient[3], diagonal[3], mixed[3]; // second derivatives 00 11 22, 12 02 01
    for (int i = 0; i < 3; ++i) {
        gradient[i] = s[i] - p[i] + pressure * area[i];
        diagonal[i] = 1.0 + l * area[i] * area[i];
        mixed[i] = l * area[i == 0 ? 1 : 0] * area[i == 2 ? 1 : 2] + pressure * s[i];
    }
    // Cramer's rule; minors 00 11 22, 12 02 01.
    Pack minor[6];
    for (int i = 0; i < 3; ++i) {
        const int a = i == 0 ? 1 : 0, b = i == 2 ? 1 : 2;
        minor[i] = diagonal[a] * diagonal[b] - mixed[i] * mixed[i];
        minor[3 + i] = mixed[a] * mixed[b] - diagonal[i] * mixed[i];
    }
    const Pack determinant = diagonal[0] * minor[0] + mixed[2] * minor[5] + mixed[1] * minor[4];
    const Pack step[3] = {
        -(minor[0] * gradient[0] + minor[5] * gradient[1] + minor[4] * gradient[2]) / determinant,
        -(minor[5] * gradient[0] + minor[1] * gradient[1] + minor[3] * gradient[2]) / determinant,
        -(minor[4] * gradient[0] + minor[3] * gradient[1] + minor[2] * gradient[2]) / determinant,
    };
    const Pack most = 1e-3 * s[1];
    const PackMask small = pack_less(pack_abs(step[0]), most) & pack_less(pack_abs(step[1]), most) &
                           pack_less(pack_abs(step[2]), most);
    for (int i = 0; i < 3; ++i)
        s[i] = pack_select(small, s[i] + step[i], s[i]);
}

/// A local argmin of |s - p|^2/2 + l/2 (J - 1)^2 - k (J - 1), p_0 >= p_1 >= |p_2|,
/// l and k >= 0, k = 0 where l = 0.
///
/// s_i^2 - p_i s_i = -J (l (J - 1) - k) for all i, and at a minimum only s_2 can be the smaller root. So x = s_2 gives
/// the other two, and G(x) = 0 remains: every root at which G increases is a local minimum. G <= 0 at min(p_2, 0), and
/// G >= 0 once J >= 1 + k/l and x >= p_2. Mostly there is one root. Where there are several: of one below 0 and one above
/// the one downhill from x = 0 is taken; of two far out, stretched in all directions, the one near p, though a flattened
/// one may be lower; and penalty weights far below the stiffness have a second one near the collapsed element.
LANES_INLINE void volume_prox(const Pack p[3], Pack l, Pack k, Pack s[3])
{
    const Pack zero = pack_set(0.0), most = 1.0 + k / pack_max(l, pack_set(1e-100));
    const PackMask inverted = pack_less(p[2], zero);
    const PackMask expanded = pack_less_equal(most, p[0] * p[1] * p[2]);
    const PackMask stays = inverted & pack_less_equal((l + k) * (p[0] * p[1]), -p[2]); // G(0) >= 0
    const Pack low = pack_select(expanded | (inverted & ~stays), zero, p[2]);
    const Pack high = pack_select(stays, zero, pack_select(expanded, p[2], pack_max(p[2], most)));
    const Pack start = pack_select(inverted & ~stays, high, p[2]);
    Pack slope;
    s[2] = volume_prox_solve(start, low, high, p, l, k);
    const Pack e = s[2] * (s[2] - p[2]);
    s[0] = larger_root(p[0], e, &slope);
    s[1] = larger_root(p[1], e, &slope);
    volume_prox_polish(p, l, k, s);
}

#endif
