/// Four numbers at a time.
#ifndef DEVICE_CPU_LINEAR_QUAD_H
#define DEVICE_CPU_LINEAR_QUAD_H

#include "base/lanes.h"

typedef double Quad __attribute__((vector_size(4 * sizeof(double))));
/// In memory, wherever they stand.
typedef double UnalignedQuad __attribute__((vector_size(4 * sizeof(double)), aligned(8), may_alias));

LANES_INLINE Quad quad_of_floats(const float *from)
{
    return (Quad){WIDEN_4(from)};
}

/// The sums of each of three vectors' numbers.
LANES_INLINE Quad sum_each(Quad a, Quad b, Quad c)
{
    const Quad ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7),
               cc = c + __builtin_shufflevector(c, c, 1, 0, 3, 2);
    return __builtin_shufflevector(ab, cc, 0, 1, 4, 5) + __builtin_shufflevector(ab, cc, 2, 3, 6, 7);
}

/// The same of four.
LANES_INLINE Quad sum_all(const Quad of[4])
{
    const Quad ab = __builtin_shufflevector(of[0], of[1], 0, 4, 2, 6) +
                    __builtin_shufflevector(of[0], of[1], 1, 5, 3, 7),
               cd = __builtin_shufflevector(of[2], of[3], 0, 4, 2, 6) +
                    __builtin_shufflevector(of[2], of[3], 1, 5, 3, 7);
    return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

#endif
