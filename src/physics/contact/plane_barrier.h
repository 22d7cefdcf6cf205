/// Barrier energy of a vertex before a plane (theory.md section 8): E = kappa w b(n.(x - c) - xi). The plane is given by two
/// points that may move themselves: c on it and the tip, with unit normal n = (tip - c)/|tip - c|. Coordinates in the
/// order vertex, c, tip, m. Derivatives are those of a plane that moves without turning.
#ifndef PHYSICS_CONTACT_PLANE_BARRIER_H
#define PHYSICS_CONTACT_PLANE_BARRIER_H

#include "base/matrix3.h"
#include "physics/contact/barrier.h"

#include <stdbool.h>

typedef struct PlaneBarrier {
    double stiffness;  ///< kappa w, J: kappa (N/m) times the area of the vertex (m^2); > 0
    double range;      ///< gap at which the barrier begins, m; > 0
    double separation; ///< xi: the least distance, m; >= 0
} PlaneBarrier;

/// n.(x - c) - xi, m, and n.
static inline double plane_barrier_gap(const PlaneBarrier *plane, const double x[9], double normal[3])
{
    double offset[3];
    subtract3(x + 6, x + 3, normal);
    normalize3(normal);
    subtract3(x, x + 3, offset);
    return dot3(normal, offset) - plane->separation;
}

/// Energy in J, 0 beyond the range, infinity where the distance is not above the separation.
static inline double plane_barrier_energy(const PlaneBarrier *plane, const double x[9])
{
    double normal[3];
    const double b = barrier(plane_barrier_gap(plane, x, normal), plane->range);
    return b == INFINITY ? b : plane->stiffness * b;
}

/// Normal force -kappa w b' >= 0, N, which pushes the vertex along n (written too); 0 beyond the range.
static inline double plane_barrier_force(const PlaneBarrier *plane, const double x[9], double normal[3])
{
    return -plane->stiffness * barrier_slope(plane_barrier_gap(plane, x, normal), plane->range);
}

/// Gradient of the energy, N: opposite on the vertex and on c, 0 on the tip. False, with nothing written, beyond the range.
static inline bool plane_barrier_gradient(const PlaneBarrier *plane, const double x[9], double gradient[9])
{
    double normal[3];
    const double gap = plane_barrier_gap(plane, x, normal);
    if (gap >= plane->range)
        return false;
    const double slope = plane->stiffness * barrier_slope(gap, plane->range);
    for (int axis = 0; axis < 3; ++axis) {
        gradient[axis] = slope * normal[axis];
        gradient[3 + axis] = -gradient[axis];
        gradient[6 + axis] = 0;
    }
    return true;
}

/// Gradient, and the block kappa w b'' n n^T (N/m, row-major, positive semidefinite) of the Hessian: + for the vertex with
/// itself and c with itself, - for the vertex with c, 0 for the tip. False, with nothing written, beyond the range.
static inline bool plane_barrier_hessian(const PlaneBarrier *plane, const double x[9], double gradient[9],
                                         double block[9])
{
    if (!plane_barrier_gradient(plane, x, gradient))
        return false;
    double normal[3];
    const double gap = plane_barrier_gap(plane, x, normal);
    const double curvature = plane->stiffness * barrier_curvature(gap, plane->range);
    for (int entry = 0; entry < 9; ++entry)
        block[entry] = curvature * (normal[entry / 3] * normal[entry % 3]);
    return true;
}

#endif
