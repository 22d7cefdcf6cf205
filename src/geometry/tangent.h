/// Tangent plane of a contact, for friction (theory.md section 8, "Friction, lagged").
#ifndef GEOMETRY_TANGENT_H
#define GEOMETRY_TANGENT_H

#include "base/matrix3.h"

/// Two unit vectors that are perpendicular to each other and to `normal`, which has any length but 0. The normal force
/// acts along r, so r serves for every pair of closest features; friction does not depend on which two vectors span the
/// plane. The first is also perpendicular to the axis in which `normal` is smallest (the first such axis).
static inline void tangent_basis(const double normal[3], double tangents[2][3])
{
    const double ax = fabs(normal[0]), ay = fabs(normal[1]), az = fabs(normal[2]);
    const double axis[3] = {ax <= ay && ax <= az, ay < ax && ay <= az, az < ax && az < ay};
    double n[3];
    for (int i = 0; i < 3; ++i)
        n[i] = normal[i] / fmax(ax, fmax(ay, az)); // so that tiny normals do not underflow
    cross3(n, axis, tangents[0]);
    normalize3(tangents[0]);
    cross3(n, tangents[0], tangents[1]);
    normalize3(tangents[1]);
}

#endif
