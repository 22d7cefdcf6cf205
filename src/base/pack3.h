/// 3-vectors of as many things as a Pack has lanes; matrix3.h has them of one, with the same bits.
#ifndef BASE_PACK3_H
#define BASE_PACK3_H

#include "base/lanes.h"

LANES_INLINE Pack packs_dot(const Pack a[3], const Pack b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

LANES_INLINE void packs_subtract(const Pack a[3], const Pack b[3], Pack out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = a[k] - b[k];
}

LANES_INLINE void packs_add_scaled(const Pack a[3], Pack s, const Pack b[3], Pack out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = a[k] + s * b[k];
}

LANES_INLINE void packs_cross(const Pack a[3], const Pack b[3], Pack out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/// mask ? a : b, lane by lane.
LANES_INLINE void packs_select(PackMask mask, const Pack a[3], const Pack b[3], Pack out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = pack_select(mask, a[k], b[k]);
}

/// Lanes in which both are the same.
LANES_INLINE PackMask packs_equal(const Pack a[3], const Pack b[3])
{
    return pack_equal(a[0], b[0]) & pack_equal(a[1], b[1]) & pack_equal(a[2], b[2]);
}

/// packs_load of numbers that are aligned as Lanes are.
LANES_INLINE void packs_load_numbers(const double (*numbers)[LANE_COUNT], int part, int count, Pack *packs)
{
    packs_load((const Lanes *)numbers, part, count, packs);
}

#endif
