// What damps a material; twin of src/physics/dissipation/damping.h, where the models are explained. damping_number is declared before.
#ifndef COMMON_PHYSICS_DISSIPATION_DAMPING_GLSL
#define COMMON_PHYSICS_DISSIPATION_DAMPING_GLSL

#include "abi/damping.h"
#include "common/real.glsl"

/// An entry of a list; shear and bulk are times the volume here, J s.
struct Damping {
    uint type, correction;
    real shear, bulk, time;
    uint first_point, point_count; ///< of its spline, three numbers each
};

real spline_value(uint first, uint count, real x)
{
    uint low = first, high = first + 3u * (count - 1u);
    if (!(x > damping_number(low)))
        return damping_number(low + 1u);
    if (x >= damping_number(high))
        return damping_number(high + 1u);
    while (high - low > 3u) {
        const uint middle = low + (high - low) / 6u * 3u;
        if (x < damping_number(middle))
            high = middle;
        else
            low = middle;
    }
    const real value = damping_number(low + 1u), rise = damping_number(high + 1u) - value;
    const real width = damping_number(high) - damping_number(low), t = (x - damping_number(low)) / width;
    const real begin = width * damping_number(low + 2u) - rise, end = rise - width * damping_number(high + 2u);
    return value + t * (rise + (real(1.0) - t) * (begin * (real(1.0) - t) + end * t));
}

#endif
