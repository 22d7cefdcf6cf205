/// Eigenvalues of small symmetric matrices of any size by cyclic Jacobi rotations, and their projection to positive
/// semidefinite matrices. Row-major double[size size].
#ifndef BASE_SYMMETRIC_EIGEN_H
#define BASE_SYMMETRIC_EIGEN_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { SYMMETRIC_MAX_SIZE = 12, SYMMETRIC_MAX_SWEEPS = 30 };

/// Turns the rows and columns p and q of `matrix` so that its entry (p, q) is 0, and the rows p and q of `vectors` with
/// them.
static inline void symmetric_rotate(int size, double *matrix, double *vectors, int p, int q)
{
    double *row_p = matrix + size * p, *row_q = matrix + size * q;
    // t = tan(theta), the smaller root of t^2 + 2 t d - 1 = 0 with d = (qq - pp)/(2 pq)
    const double pq = row_p[q], d = 0.5 * (row_q[q] - row_p[p]) / pq;
    const double t = copysign(1 / (fabs(d) + sqrt(d * d + 1)), d), c = 1 / sqrt(t * t + 1), s = t * c;
    const double pp = row_p[p] - t * pq, qq = row_q[q] + t * pq;
    for (int k = 0; k < size; ++k) {
        const double a = row_p[k], b = row_q[k], v = vectors[size * p + k], w = vectors[size * q + k];
        row_p[k] = matrix[size * k + p] = c * a - s * b;
        row_q[k] = matrix[size * k + q] = s * a + c * b;
        vectors[size * p + k] = c * v - s * w;
        vectors[size * q + k] = s * v + c * w;
    }
    row_p[p] = pp, row_q[q] = qq;
    row_p[q] = row_q[p] = 0;
}

/// Eigenvalues on the diagonal of `matrix`, unsorted, and unit eigenvectors in the rows of `vectors`; entries off the
/// diagonal fall below 1e-17 of the norm.
static inline void symmetric_eigen(int size, double *matrix, double *vectors)
{
    double norm_sq = 0;
    for (int k = 0; k < size * size; ++k) {
        norm_sq += matrix[k] * matrix[k];
        vectors[k] = k % (size + 1) == 0 ? 1 : 0;
    }
    const double negligible = 1e-17 * sqrt(norm_sq);
    bool active = true;
    for (int sweep = 0; active && sweep < SYMMETRIC_MAX_SWEEPS; ++sweep) {
        active = false;
        for (int p = 0; p < size; ++p)
            for (int q = p + 1; q < size; ++q)
                if (fabs(matrix[size * p + q]) > negligible) {
                    symmetric_rotate(size, matrix, vectors, p, q);
                    active = true;
                }
    }
}

/// Replaces `matrix` by the nearest positive semidefinite one: negative eigenvalues become 0. Size at most 12, entries
/// finite. The result is exactly symmetric.
static inline void symmetric_project(int size, double *matrix)
{
    double vectors[SYMMETRIC_MAX_SIZE * SYMMETRIC_MAX_SIZE];
    symmetric_eigen(size, matrix, vectors);
    double values[SYMMETRIC_MAX_SIZE];
    for (int k = 0; k < size; ++k)
        values[k] = matrix[(size + 1) * k];
    memset(matrix, 0, (size_t)(size * size) * sizeof *matrix);
    for (int k = 0; k < size; ++k) {
        const double *v = vectors + size * k;
        for (int row = 0; values[k] > 0 && row < size; ++row)
            for (int column = 0; column <= row; ++column)
                matrix[size * row + column] += values[k] * (v[row] * v[column]);
    }
    for (int row = 0; row < size; ++row)
        for (int column = 0; column < row; ++column)
            matrix[size * column + row] = matrix[size * row + column];
}

#endif
