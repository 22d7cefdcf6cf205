// Tangent plane of a contact, for friction; twin of src/geometry/tangent.h.
#ifndef COMMON_GEOMETRY_TANGENT_GLSL
#define COMMON_GEOMETRY_TANGENT_GLSL

#include "common/real.glsl"

/// Two unit vectors that are perpendicular to each other and to `normal`, which has any length but 0.
void tangent_basis(real3 normal, out real3 tangents[2])
{
    const real ax = abs(normal.x), ay = abs(normal.y), az = abs(normal.z);
    const real3 axis = real3(ax <= ay && ax <= az ? 1 : 0, ay < ax && ay <= az ? 1 : 0, az < ax && az < ay ? 1 : 0);
    const real3 n = normal / max(ax, max(ay, az)); // so that tiny normals do not underflow
    tangents[0] = normalize(cross(n, axis));
    tangents[1] = normalize(cross(n, tangents[0]));
}

#endif
