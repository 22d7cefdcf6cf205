/// Drag of the air on a surface (theory.md section 7): pressure against the velocity across it, drag n.(v - wind), N s/m^3, on each side of
/// a triangle's normal n alike. A third of its area goes with each vertex, which sees R = 1/2 u^T B u of its velocity u against the wind:
/// B = drag A/3 n n^T. Of a cable's segment half the area of its shadow, 2 r l, goes with each end, across its axis t: B = drag r l (1 - t t^T).
#ifndef PHYSICS_DISSIPATION_AIR_H
#define PHYSICS_DISSIPATION_AIR_H

#include "base/matrix3.h"

/// Adds a third of a triangle to B (3 x 3, N s/m).
static inline void air_triangle(double drag, const double x0[3], const double x1[3], const double x2[3],
                                double B[9])
{
    double first[3], second[3], across[3];
    subtract3(x1, x0, first);
    subtract3(x2, x0, second);
    cross3(first, second, across);
    const double twice = norm3(across), factor = twice > 0 ? drag / (6 * twice) : 0;
    for (int k = 0; k < 9; ++k)
        B[k] += factor * (across[k / 3] * across[k % 3]);
}

/// Adds one end of a segment of radius r, m.
static inline void air_segment(double drag, double radius, const double x0[3], const double x1[3],
                               double B[9])
{
    double along[3];
    subtract3(x1, x0, along);
    const double length = norm3(along), factor = length > 0 ? drag * radius / length : 0;
    for (int k = 0; k < 9; ++k)
        B[k] += factor * ((k % 4 == 0 ? length * length : 0) - along[k / 3] * along[k % 3]);
}

#endif
