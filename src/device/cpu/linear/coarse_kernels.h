/// The kernels of the preconditioner's coarse space, for the table of kernels.
#ifndef DEVICE_CPU_LINEAR_COARSE_KERNELS_H
#define DEVICE_CPU_LINEAR_COARSE_KERNELS_H

#include "base/lanes.h"
#include "device/cpu/linear/coarse_space.h"
#include "device/cpu/linear/quad.h"

#include <string.h>

/// Rows that are eliminated together, so that the rest of the matrix is read and written once for all of them.
enum { PANEL = 4 };

/// A pivot this much smaller than the diagonal was, or negative, belongs to a motion that the others make up already, or
/// along which the matrix is not positive definite.
#define SMALLEST_PIVOT 1e-12

// Adds sums (x) arm of the row to the block of two parts.
static inline void coarse_add_block(const CoarseSpace *space, int32_t row, int32_t part, int32_t other,
                                    const Quad sums[3][3])
{
    for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 4; ++l) {
            double *to = space->values + (size_t)(COARSE_MODES * part + 4 * k + l) * (size_t)space->stride +
                         COARSE_MODES * (size_t)other;
            for (int m = 0; m < 3; ++m)
                *(UnalignedQuad *)(to + 4 * m) += space->arms[row][l] * sums[k][m];
        }
}

// The changing blocks of a row, one by one.
static inline void coarse_add_changing(const CoarseSpace *space, int32_t row, int32_t part)
{
    const BlockMatrix *matrix = space->matrix;
    const ChangingBlocks *blocks = &matrix->changing;
    int32_t other = part;
    for (int32_t p = blocks->row_start ? blocks->row_start[row] : 0;
         blocks->row_start && p < blocks->row_end[row] && blocks->columns[p] < matrix->row_count; ++p) {
        const int32_t j = blocks->columns[p];
        if (j < matrix->part_start[part])
            continue;
        while (j >= matrix->part_start[other + 1])
            ++other;
        Quad sums[3][3];
        for (int k = 0; k < 3; ++k)
            for (int m = 0; m < 3; ++m)
                sums[k][m] = blocks->values[p][3 * m + k] * space->arms[j];
        coarse_add_block(space, row, part, other, (const Quad(*)[3])sums);
    }
}

// The rows of a part: sum_ij A_ij (x) arm_i arm_j^T, on the diagonal's blocks and above.
static void coarse_assemble(CoarseSpace *space, int32_t part)
{
    const BlockMatrix *matrix = space->matrix;
    memset(space->values + (size_t)(COARSE_MODES * part) * (size_t)space->stride, 0,
           COARSE_MODES * (size_t)space->stride * sizeof *space->values);
    for (int32_t i = matrix->part_start[part]; i < matrix->part_start[part + 1]; ++i) {
        Quad sums[3][3];
        memset(sums, 0, sizeof sums);
        int32_t other = part;
        for (int32_t p = matrix->row_start[i]; p < matrix->row_start[i + 1]; ++p) {
            const int32_t j = matrix->columns[p];
            if (j < matrix->part_start[part])
                continue;
            if (j >= matrix->row_count)
                break;
            if (j >= matrix->part_start[other + 1]) { // columns ascend
                coarse_add_block(space, i, part, other, (const Quad(*)[3])sums);
                memset(sums, 0, sizeof sums);
                while (j >= matrix->part_start[other + 1])
                    ++other;
            }
            const double *a = matrix->values + 9 * (size_t)p;
            for (int k = 0; k < 3; ++k)
                for (int m = 0; m < 3; ++m)
                    sums[k][m] += a[3 * m + k] * space->arms[j];
        }
        coarse_add_block(space, i, part, other, (const Quad(*)[3])sums);
        coarse_add_changing(space, i, part);
    }
}

// row -= factor other, from the column `first` on (and some before it, which nobody reads)
static inline void coarse_subtract(double *row, double factor, const double *other, int32_t first,
                                   int32_t stride)
{
    for (int32_t c = first / LANE_COUNT * LANE_COUNT; c < stride; c += LANE_COUNT)
        *(Lanes *)(row + c) -= factor * *(const Lanes *)(other + c);
}

static void coarse_factor(CoarseSpace *space)
{
    const int32_t size = space->size, stride = space->stride;
    double *values = space->values, *inverses = space->inverse_pivots;
    for (int32_t k = 0; k < size; ++k)
        inverses[k] =
            values[(size_t)k * (size_t)stride + (size_t)k]; // the diagonal, until its pivot is known
    for (int32_t k = 0; k < size; k += PANEL) {
        double *rows[PANEL];
        for (int r = 0; r < PANEL; ++r) {
            rows[r] = values + (size_t)(k + r) * (size_t)stride;
            for (int q = 0; q < r; ++q)
                coarse_subtract(rows[r], rows[q][k + r] * inverses[k + q], rows[q], k + r, stride);
            const double pivot = rows[r][k + r];
            inverses[k + r] = pivot > SMALLEST_PIVOT * inverses[k + r] ? 1 / pivot : 0;
        }
        for (int32_t i = k + PANEL; i < size; ++i) {
            double *row = values + (size_t)i * (size_t)stride;
            const double f0 = rows[0][i] * inverses[k], f1 = rows[1][i] * inverses[k + 1],
                         f2 = rows[2][i] * inverses[k + 2], f3 = rows[3][i] * inverses[k + 3];
            for (int32_t c = i / LANE_COUNT * LANE_COUNT; c < stride; c += LANE_COUNT)
                *(Lanes *)(row + c) -=
                    (f0 * *(const Lanes *)(rows[0] + c) + f1 * *(const Lanes *)(rows[1] + c)) +
                    (f2 * *(const Lanes *)(rows[2] + c) + f3 * *(const Lanes *)(rows[3] + c));
        }
    }
}

// right of a part: the sum of r over its motions.
static void coarse_restrict(CoarseSpace *space, int32_t part, const double *r)
{
    const BlockMatrix *matrix = space->matrix;
    Quad sums[3] = {{0}};
    for (int32_t i = matrix->part_start[part]; i < matrix->part_start[part + 1]; ++i)
        for (int k = 0; k < 3; ++k)
            sums[k] += r[3 * (size_t)i + (size_t)k] * space->arms[i];
    for (int k = 0; k < 3; ++k)
        ((UnalignedQuad *)(space->right + COARSE_MODES * (size_t)part))[k] = sums[k];
}

// right becomes the solution; returns their dot product.
static double coarse_solve(CoarseSpace *space)
{
    const int32_t size = space->size, stride = space->stride;
    double *x = space->right, product = 0;
    for (int32_t k = 0; k < size; ++k) {
        const double reduced = x[k];
        x[k] *= space->inverse_pivots[k];
        product += reduced * x[k];
        const double *row = space->values + (size_t)k * (size_t)stride;
        // Up to the next multiple of LANE_COUNT one by one: what stands before k + 1 must stay.
        int32_t c = k + 1;
        for (; c % LANE_COUNT != 0 && c < stride; ++c)
            x[c] -= x[k] * row[c];
        coarse_subtract(x, x[k], row, c, stride);
    }
    for (int32_t k = size - 1; k >= 0; --k) {
        const double *row = space->values + (size_t)k * (size_t)stride;
        Lanes sums = lanes_set(0);
        double sum = 0;
        int32_t c = k + 1;
        for (; c % LANE_COUNT != 0 && c < size; ++c)
            sum += row[c] * x[c];
        for (; c < size; c += LANE_COUNT)
            sums += *(const Lanes *)(row + c) * *(const Lanes *)(x + c);
        x[k] -= space->inverse_pivots[k] * (sum + lanes_sum(sums));
    }
    return product;
}

// z += the motions of a part.
static void coarse_prolong(const CoarseSpace *space, int32_t part, double *z)
{
    const BlockMatrix *matrix = space->matrix;
    const UnalignedQuad *motion = (const UnalignedQuad *)(space->right + COARSE_MODES * (size_t)part);
    const Quad x = motion[0], y = motion[1], w = motion[2];
    for (int32_t i = matrix->part_start[part]; i < matrix->part_start[part + 1]; ++i) {
        const Quad arm = space->arms[i], dx = arm * x, dy = arm * y, dz = arm * w;
        z[3 * (size_t)i] += (dx[0] + dx[1]) + (dx[2] + dx[3]);
        z[3 * (size_t)i + 1] += (dy[0] + dy[1]) + (dy[2] + dy[3]);
        z[3 * (size_t)i + 2] += (dz[0] + dz[1]) + (dz[2] + dz[3]);
    }
}

#endif
