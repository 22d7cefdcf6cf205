/// Eigenvalues of small symmetric matrices of any size, by Householder reflections to a tridiagonal matrix and QR steps with
/// Wilkinson's shift (Golub and Van Loan, Matrix Computations, 8.3), and their projection to positive semidefinite
/// matrices. Row-major double[size size], entries finite.
#ifndef BASE_SYMMETRIC_EIGEN_H
#define BASE_SYMMETRIC_EIGEN_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { SYMMETRIC_MAX_SIZE = 12, SYMMETRIC_MAX_STEPS = 30 * SYMMETRIC_MAX_SIZE };
#define SYMMETRIC_NEGLIGIBLE 0x1p-56 ///< beside a largest entry of about 1

/// Makes column `k` of `matrix` zero below its subdiagonal by a reflection of the rows and columns behind k, and applies it
/// to the rows of `vectors`. Returns the subdiagonal entry. What is left of `matrix` is right behind k only.
static inline double symmetric_reflect(int size, int k, double *matrix, double *vectors)
{
    double v[SYMMETRIC_MAX_SIZE], w[SYMMETRIC_MAX_SIZE], along = 0, tail_sq = 0;
    for (int i = k + 1; i < size; ++i) {
        v[i] = matrix[size * i + k];
        tail_sq += i > k + 1 ? v[i] * v[i] : 0;
    }
    const double head = v[k + 1];
    if (!(tail_sq > SYMMETRIC_NEGLIGIBLE * SYMMETRIC_NEGLIGIBLE))
        return head;
    const double below = -copysign(sqrt(head * head + tail_sq), head);
    v[k + 1] -= below;
    const double factor = 2 / (v[k + 1] * v[k + 1] + tail_sq);
    // H A H = A - v w^T - w v^T with w = f A v - (f/2) (v.f A v) v
    for (int i = k + 1; i < size; ++i) {
        double sum = 0;
        for (int j = k + 1; j < size; ++j)
            sum += matrix[size * i + j] * v[j];
        w[i] = factor * sum;
        along += w[i] * v[i];
    }
    for (int i = k + 1; i < size; ++i)
        w[i] -= 0.5 * factor * along * v[i];
    for (int i = k + 1; i < size; ++i)
        for (int j = k + 1; j < size; ++j)
            matrix[size * i + j] -= v[i] * w[j] + w[i] * v[j];
    memset(w, 0, sizeof w);
    for (int i = k + 1; i < size; ++i)
        for (int j = 0; j < size; ++j)
            w[j] += factor * v[i] * vectors[size * i + j];
    for (int i = k + 1; i < size; ++i)
        for (int j = 0; j < size; ++j)
            vectors[size * i + j] -= v[i] * w[j];
    return below;
}

/// Whether entry k beside the diagonal can be dropped: it is within the rounding of what stands around it.
static inline bool symmetric_splits(int k, const double *diagonal, const double *beside)
{
    return fabs(beside[k]) <= 0x1p-53 * (fabs(diagonal[k]) + fabs(diagonal[k + 1])) + SYMMETRIC_NEGLIGIBLE;
}

/// One QR step on the rows first to last of a tridiagonal matrix, and on the rows of `vectors`.
static inline void symmetric_qr_step(int size, int first, int last, double *diagonal, double *beside,
                                     double *vectors)
{
    const double end = beside[last - 1], half = 0.5 * (diagonal[last - 1] - diagonal[last]);
    const double shift = diagonal[last] - end * end / (half + copysign(sqrt(half * half + end * end), half));
    double x = diagonal[first] - shift, z = beside[first];
    for (int k = first; k < last; ++k) {
        const double r = sqrt(x * x + z * z), c = r > 0 ? x / r : 1, s = r > 0 ? z / r : 0;
        const double a = diagonal[k], b = diagonal[k + 1], e = beside[k];
        if (k > first)
            beside[k - 1] = r;
        diagonal[k] = c * c * a + 2 * c * s * e + s * s * b;
        diagonal[k + 1] = s * s * a - 2 * c * s * e + c * c * b;
        beside[k] = c * s * (b - a) + (c * c - s * s) * e;
        if (k + 1 < last) {
            x = beside[k];
            z = s * beside[k + 1];
            beside[k + 1] *= c;
        }
        double *row = vectors + size * k, *next = row + size;
        for (int j = 0; j < size; ++j) {
            const double v = row[j], w = next[j];
            row[j] = c * v + s * w;
            next[j] = c * w - s * v;
        }
    }
}

/// Eigenvalues, unsorted, and unit eigenvectors in the rows of `vectors`, both to rounding beside the largest eigenvalue.
/// `matrix` is overwritten. Size at most SYMMETRIC_MAX_SIZE.
static inline void symmetric_eigen(int size, double *matrix, double *values, double *vectors)
{
    double beside[SYMMETRIC_MAX_SIZE], scale = 0;
    for (int k = 0; k < size * size; ++k) {
        scale = fmax(scale, fabs(matrix[k]));
        vectors[k] = k % (size + 1) == 0 ? 1 : 0;
    }
    for (int k = 0; scale > 0 && k < size * size; ++k)
        matrix[k] /= scale;
    for (int k = 0; k < size; ++k) {
        beside[k] = k + 1 < size ? symmetric_reflect(size, k, matrix, vectors) : 0;
        values[k] = matrix[(size + 1) * k];
    }
    int last = size - 1;
    for (int step = 0; last > 0 && step < SYMMETRIC_MAX_STEPS; ++step) {
        while (last > 0 && symmetric_splits(last - 1, values, beside))
            --last;
        int first = last;
        while (first > 0 && !symmetric_splits(first - 1, values, beside))
            --first;
        if (first < last)
            symmetric_qr_step(size, first, last, values, beside, vectors);
    }
    for (int k = 0; k < size; ++k)
        values[k] *= scale;
}

/// Replaces `matrix` by the nearest positive semidefinite one: negative eigenvalues become 0. Size at most
/// SYMMETRIC_MAX_SIZE. The result is exactly symmetric.
static inline void symmetric_project(int size, double *matrix)
{
    double values[SYMMETRIC_MAX_SIZE], vectors[SYMMETRIC_MAX_SIZE * SYMMETRIC_MAX_SIZE];
    symmetric_eigen(size, matrix, values, vectors);
    memset(matrix, 0, (size_t)(size * size) * sizeof *matrix);
    for (int k = 0; k < size; ++k) {
        const double *v = vectors + size * k;
        for (int row = 0; values[k] > 0 && row < size; ++row)
            for (int column = 0; column <= row; ++column)
                matrix[size * row + column] += values[k] * v[row] * v[column];
    }
    for (int row = 0; row < size; ++row)
        for (int column = 0; column < row; ++column)
            matrix[size * column + row] = matrix[size * row + column];
}

#endif
