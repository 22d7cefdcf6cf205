/// Roots of the scalar equations that the prox operators come down to. Twin: shaders/common/physics/energy/roots.glsl.
#ifndef PHYSICS_ENERGY_ROOTS_H
#define PHYSICS_ENERGY_ROOTS_H

#include "base/lanes.h"

/// The larger root s of s^2 - b s - e = 0, and the root of the discriminant, which is 2 s - b.
LANES_INLINE Pack larger_root(Pack b, Pack e, Pack *slope)
{
    *slope = pack_sqrt(pack_max(b * b + 4.0 * e, pack_set(0.0)));
    const Pack sum = pack_abs(b) + *slope;
    const PackMask stretched = pack_less_equal(pack_set(0.0), b);
    return pack_select(stretched, sum, 4.0 * e) / pack_select(stretched, pack_set(2.0), 2.0 * sum);
}

/// The cube root of a positive number to about 6 %: its bits, read as a fixed-point logarithm, divided by three.
LANES_INLINE Pack rough_cube_root(Pack a)
{
    const Pack logarithm = (Pack)(((PackBits)a >> 32) | 0x4330000000000000ULL) - 0x1p52;
    const Pack third = logarithm * (1.0 / 3.0) + (715100000.0 + 0x1p52);
    return (Pack)((PackBits)third << 32);
}

#endif
