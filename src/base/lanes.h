/// Eight doubles that are computed together: the unit in which the CPU path evaluates elements.
///
/// Lanes is a GCC/clang vector type, so `a * b + 1.0` works as for double and compiles to SSE2, AVX2 or AVX-512,
/// whichever the translation unit is built for (device/cpu builds its kernels once for each, see CMakeLists.txt).
/// Every operation is exactly rounded or built from such, so all instruction sets give the same bits.
/// Pass Lanes by pointer or inline: the ABI of vector arguments depends on the instruction set.
#ifndef BASE_LANES_H
#define BASE_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { LANE_COUNT = 8 };

typedef double Lanes __attribute__((vector_size(8 * sizeof(double))));
/// Result of a comparison: all bits set in a lane where it holds, else 0.
typedef int64_t LaneMask __attribute__((vector_size(8 * sizeof(int64_t))));

#define LANES_INLINE static inline __attribute__((always_inline))

LANES_INLINE Lanes lanes_set(double value)
{
    return (Lanes){value, value, value, value, value, value, value, value};
}

/// mask ? a : b, lane by lane.
LANES_INLINE Lanes lanes_select(LaneMask mask, Lanes a, Lanes b)
{
    return (Lanes)(((LaneMask)a & mask) | ((LaneMask)b & ~mask));
}

LANES_INLINE bool lanes_any(LaneMask mask)
{
    int64_t any = 0;
    for (int i = 0; i < LANE_COUNT; ++i)
        any |= mask[i];
    return any != 0;
}

LANES_INLINE Lanes lanes_max(Lanes a, Lanes b)
{
    return lanes_select(a > b, a, b);
}

LANES_INLINE Lanes lanes_min(Lanes a, Lanes b)
{
    return lanes_select(a < b, a, b);
}

LANES_INLINE Lanes lanes_abs(Lanes a)
{
    return (Lanes)((LaneMask)a & INT64_MAX);
}

LANES_INLINE Lanes lanes_sqrt(Lanes a)
{
    Lanes result;
    for (int i = 0; i < LANE_COUNT; ++i)
        result[i] = __builtin_sqrt(a[i]);
    return result;
}

#endif
