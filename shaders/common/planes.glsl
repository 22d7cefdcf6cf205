// Penalty planes. Declare the buffer `planes` (PLANE_STRIDE exact numbers each: the unit normal and -o) before.
#ifndef COMMON_PLANES_GLSL
#define COMMON_PLANES_GLSL

#include "abi/nodes.h"
#include "common/real.glsl"

real3 plane_normal(uint plane)
{
    const uint p = PLANE_STRIDE * plane;
    return real3(exact_value(planes[p]), exact_value(planes[p + 1u]), exact_value(planes[p + 2u]));
}

/// n.x - o, rounded once the leading parts have cancelled.
real plane_gap(uint plane, Exact3 x)
{
    const uint p = PLANE_STRIDE * plane;
    Exact sum = planes[p + 3u];
    for (int k = 0; k < 3; ++k)
        sum = exact_add(sum, exact_multiply(planes[p + k], exact3_component(x, k)));
    return exact_value(sum);
}

#endif
