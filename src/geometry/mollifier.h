/// The factor e that lets contact of two nearly parallel edges fade out, where the crossing point jumps (theory.md
/// section 8, "Nearly parallel edges"): e = m (2 - m) with m = c/threshold for c = |u x v|^2 < threshold, else 1;
/// u = x_1 - x_0, v = x_3 - x_2 in m. Always with respect to the 12 coordinates of the pair, whatever its closest
/// features are.
#ifndef GEOMETRY_MOLLIFIER_H
#define GEOMETRY_MOLLIFIER_H

#include "base/matrix3.h"

/// Threshold of c, m^4, from the squared lengths of the edges at rest, m^2: edges within 1.8 degrees of parallel.
static inline double mollifier_threshold(double rest_length_sq_u, double rest_length_sq_v)
{
    return 1e-3 * rest_length_sq_u * rest_length_sq_v;
}

/// c = |u x v|^2, m^4
static inline double edges_cross_sq(const double x[12])
{
    double u[3], v[3], n[3];
    subtract3(x + 3, x, u);
    subtract3(x + 9, x + 6, v);
    cross3(u, v, n);
    return dot3(n, n);
}

/// dc/du = 2 v x (u x v), dc/dv = 2 (u x v) x u; x_1 and x_3 with plus, x_0 and x_2 with minus.
static inline void edges_cross_sq_gradient(const double x[12], double gradient[12])
{
    double u[3], v[3], n[3], by_u[3], by_v[3];
    subtract3(x + 3, x, u);
    subtract3(x + 9, x + 6, v);
    cross3(u, v, n);
    cross3(v, n, by_u);
    cross3(n, u, by_v);
    for (int axis = 0; axis < 3; ++axis) {
        gradient[3 + axis] = 2 * by_u[axis];
        gradient[axis] = -gradient[3 + axis];
        gradient[9 + axis] = 2 * by_v[axis];
        gradient[6 + axis] = -gradient[9 + axis];
    }
}

/// e, 0 to 1. `threshold` > 0, m^4.
static inline double mollifier(const double x[12], double threshold)
{
    const double m = edges_cross_sq(x) / threshold;
    return m < 1 ? m * (2 - m) : 1;
}

/// grad e = e' grad c, e' = 2 (1 - m)/threshold; 1/m
static inline void mollifier_gradient(const double x[12], double threshold, double gradient[12])
{
    const double m = edges_cross_sq(x) / threshold, slope = m < 1 ? 2 * (1 - m) / threshold : 0;
    edges_cross_sq_gradient(x, gradient);
    for (int i = 0; i < 12; ++i)
        gradient[i] *= slope;
}

#endif
