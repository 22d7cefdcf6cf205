/// Hessians of distances and of the mollifier as whole matrices, of which the program needs no more than what they are made of: what its
/// formulas are compared with (theory.md section 8).
#ifndef TESTS_DISTANCE_HESSIANS_H
#define TESTS_DISTANCE_HESSIANS_H

#include "geometry/distance.h"
#include "geometry/mollifier.h"

/// hess_il D = 2 w_i w_l I - 2 sum_jk q_ij (G^-1)_jk q_lk^T
static inline void distance_sq_hessian(const double x[12], PairKind kind, const ClosestPoints *closest,
                                       double hessian[144])
{
    double bends[2][12];
    distance_sq_bends(x, kind, closest, bends);
    for (int row = 0; row < 12; ++row)
        for (int column = 0; column < 12; ++column) {
            const double stretch =
                row % 3 == column % 3 ? closest->weights[row / 3] * closest->weights[column / 3] : 0;
            hessian[12 * row + column] =
                2 * (stretch - bends[0][row] * bends[0][column] - bends[1][row] * bends[1][column]);
        }
}

/// hess d = (hess D/2 - grad d grad d^T)/d
static inline void distance_hessian(const double x[12], PairKind kind, const ClosestPoints *closest,
                                    double hessian[144])
{
    const double d = sqrt(closest->distance_sq);
    double gradient[12];
    distance_gradient(closest, gradient);
    distance_sq_hessian(x, kind, closest, hessian);
    for (int row = 0; row < 12; ++row)
        for (int column = 0; column < 12; ++column)
            hessian[12 * row + column] =
                (0.5 * hessian[12 * row + column] - gradient[row] * gradient[column]) / d;
}

/// Blocks uu 2(|v|^2 I - v v^T), vv 2(|u|^2 I - u u^T), uv 2(2 u v^T - v u^T - (u.v) I), with the signs of the vertices.
static inline void edges_cross_sq_hessian(const double x[12], double hessian[144])
{
    double u[3], v[3];
    subtract3(x + 3, x, u);
    subtract3(x + 9, x + 6, v);
    const double u_sq = dot3(u, u), v_sq = dot3(v, v), u_dot_v = dot3(u, v);
    for (int row = 0; row < 12; ++row)
        for (int column = 0; column < 12; ++column) {
            const int i = row % 3, j = column % 3;
            const double one = i == j ? 1 : 0, sign = row / 3 % 2 == column / 3 % 2 ? 2 : -2;
            double block;
            if (row < 6 && column < 6)
                block = v_sq * one - v[i] * v[j];
            else if (row >= 6 && column >= 6)
                block = u_sq * one - u[i] * u[j];
            else if (row < 6)
                block = 2 * u[i] * v[j] - v[i] * u[j] - u_dot_v * one;
            else
                block = 2 * u[j] * v[i] - v[j] * u[i] - u_dot_v * one;
            hessian[12 * row + column] = sign * block;
        }
}

/// hess e = e' hess c + e'' grad c grad c^T, e'' = -2/threshold^2; 1/m^2, symmetric, row-major
static inline void mollifier_hessian(const double x[12], double threshold, double hessian[144])
{
    const double m = edges_cross_sq(x) / threshold, slope = m < 1 ? 2 * (1 - m) / threshold : 0;
    double gradient[12];
    edges_cross_sq_gradient(x, gradient);
    edges_cross_sq_hessian(x, hessian);
    for (int i = 0; i < 12; ++i)
        gradient[i] /= threshold;
    for (int row = 0; row < 12; ++row)
        for (int column = 0; column < 12; ++column)
            hessian[12 * row + column] =
                slope * hessian[12 * row + column] - (m < 1 ? 2 * (gradient[row] * gradient[column]) : 0);
}

#endif
