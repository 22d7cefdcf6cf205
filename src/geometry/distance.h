/// Gradients of the squared distance D = r.r (m^2) and of the distance d = sqrt D > 0 (m) of a pair with respect to its 12
/// coordinates, and what their Hessians are made of, for the closest features that closest_points() found (theory.md
/// section 8, "Distances"): hess D = 2 w w^T (x) I - 2 sum_k c_k c_k^T, hess d = (hess D/2 - grad d grad d^T)/d. Where the closest
/// features change, D and its gradient are continuous and the Hessian is not.
#ifndef GEOMETRY_DISTANCE_H
#define GEOMETRY_DISTANCE_H

#include "geometry/closest_points.h"

/// grad_i D = 2 w_i r
static inline void distance_sq_gradient(const ClosestPoints *closest, double gradient[12])
{
    for (int vertex = 0; vertex < 4; ++vertex)
        for (int axis = 0; axis < 3; ++axis)
            gradient[3 * vertex + axis] = 2 * closest->weights[vertex] * closest->r[axis];
}

/// Columns c_0, c_1 with sum_k c_k c_k^T = sum_jk q_j (G^-1)_jk q_k^T, where q_ij = w_i r_j + (dw_i/dbeta_j) r and
/// G = (r_j.r_k): the q_j with their directions r_j made orthonormal, which keeps digits where these are nearly parallel.
/// Those that are not there are 0.
static inline void distance_sq_bends(const double x[12], PairKind kind, const ClosestPoints *closest,
                                     double bends[2][12])
{
    const FreeDirections directions = free_directions(x, kind, closest->active);
    for (int j = 0; j < 2; ++j)
        for (int i = 0; i < 12; ++i)
            bends[j][i] = j < directions.count ? closest->weights[i / 3] * directions.r[j][i % 3] : 0;
    for (int j = 0; j < directions.count; ++j) {
        const double sign = vertex_sign(kind, directions.gains[j]);
        for (int axis = 0; axis < 3; ++axis) {
            bends[j][3 * directions.gains[j] + axis] += sign * closest->r[axis];
            bends[j][3 * directions.loses[j] + axis] -= sign * closest->r[axis];
        }
    }
    if (directions.count == 0)
        return;
    const double *r0 = directions.r[0], *r1 = directions.r[1], length_sq = dot3(r0, r0),
                 length = sqrt(length_sq);
    if (directions.count == 2) {
        double n[3];
        cross3(r0, r1, n);
        const double along = dot3(r0, r1) / length_sq, across = norm3(n) / length;
        for (int i = 0; i < 12; ++i)
            bends[1][i] = (bends[1][i] - along * bends[0][i]) / across;
    }
    for (int i = 0; i < 12; ++i)
        bends[0][i] /= length;
}

/// grad_i d = w_i r/d
static inline void distance_gradient(const ClosestPoints *closest, double gradient[12])
{
    const double d = sqrt(closest->distance_sq);
    for (int vertex = 0; vertex < 4; ++vertex)
        for (int axis = 0; axis < 3; ++axis)
            gradient[3 * vertex + axis] = closest->weights[vertex] * (closest->r[axis] / d);
}

#endif
