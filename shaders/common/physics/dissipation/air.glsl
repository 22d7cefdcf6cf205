// Drag of the air on a surface; twin of src/physics/dissipation/air.h. `factor` is drag/6 of a triangle and drag r of a segment. B as in abi/air.h.
#ifndef COMMON_PHYSICS_DISSIPATION_AIR_GLSL
#define COMMON_PHYSICS_DISSIPATION_AIR_GLSL

#include "abi/air.h"
#include "common/real.glsl"

/// Adds s n n^T.
void air_add(real s, real3 n, inout real B[AIR_BLOCK_SIZE])
{
    B[0] += s * (n.x * n.x);
    B[1] += s * (n.y * n.y);
    B[2] += s * (n.z * n.z);
    B[3] += s * (n.x * n.y);
    B[4] += s * (n.x * n.z);
    B[5] += s * (n.y * n.z);
}

/// Adds a third of a triangle with the edges `first` and `second`.
void air_triangle(real factor, real3 first, real3 second, inout real B[AIR_BLOCK_SIZE])
{
    const real3 across = cross(first, second);
    const real twice = length(across);
    air_add(twice > real(0.0) ? factor / twice : real(0.0), across, B);
}

/// Adds one end of a segment.
void air_segment(real factor, real3 along, inout real B[AIR_BLOCK_SIZE])
{
    const real size = length(along), weight = size > real(0.0) ? factor / size : real(0.0);
    for (int k = 0; k < 3; ++k)
        B[k] += weight * (size * size);
    air_add(-weight, along, B);
}

#endif
