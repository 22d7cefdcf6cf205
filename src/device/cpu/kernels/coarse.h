/// The kernels of the preconditioner's coarse space, for the table of kernels.
#ifndef DEVICE_CPU_KERNELS_COARSE_H
#define DEVICE_CPU_KERNELS_COARSE_H

#include "device/cpu/coarse_space.h"
#include "device/cpu/kernels/gather.h"

#include <string.h>

/// Rows that are eliminated together, so that the rest of the matrix is read and written once for all of them.
enum { PANEL = 4 };

/// A pivot this much smaller than the diagonal was, or negative, belongs to a motion that the others make up already, or
/// along which the matrix is not positive definite.
#define SMALLEST_PIVOT 1e-12

static inline void coarse_add_block(const CoarseSpace *space, int32_t row, int32_t group,
                                    const Quad sums[3][3])
{
    const int32_t own = space->group_of[row];
    for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 4; ++l) {
            double *to = space->values + (size_t)(COARSE_MODES * own + 4 * k + l) * (size_t)space->stride +
                         COARSE_MODES * (size_t)group;
            for (int m = 0; m < 3; ++m)
                *(UnalignedQuad *)(to + 4 * m) += space->arms[row][l] * sums[k][m];
        }
}

// The rows of the groups first <= g < end: sum_ij A_ij (x) arm_i arm_j^T, on the diagonal's blocks and above.
static void coarse_assemble(CoarseSpace *space, int32_t first, int32_t end)
{
    const BlockMatrix *matrix = space->matrix;
    const Quad zero = {0};
    memset(space->values + (size_t)(COARSE_MODES * first) * (size_t)space->stride, 0,
           (size_t)(COARSE_MODES * (end - first)) * (size_t)space->stride * sizeof *space->values);
    for (int32_t i = space->group_start[first]; i < space->group_start[end]; ++i) {
        Quad sums[3][3] = {{zero}};
        int32_t group = space->group_of[i];
        for (int32_t p = matrix->row_start[i]; p < matrix->row_start[i + 1]; ++p) {
            const int32_t j = matrix->columns[p];
            if (j >= matrix->row_count)
                break;
            if (space->group_of[j] < space->group_of[i])
                continue;
            if (space->group_of[j] != group) {
                coarse_add_block(space, i, group, (const Quad(*)[3])sums);
                memset(sums, 0, sizeof sums);
                group = space->group_of[j];
            }
            const double *a = matrix->values + 9 * (size_t)p;
            for (int k = 0; k < 3; ++k)
                for (int m = 0; m < 3; ++m)
                    sums[k][m] += a[3 * m + k] * space->arms[j];
        }
        coarse_add_block(space, i, group, (const Quad(*)[3])sums);
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

// right of the groups first <= g < end: the sum of r over their motions.
static void coarse_restrict(CoarseSpace *space, int32_t first, int32_t end, const double *r)
{
    for (int32_t g = first; g < end; ++g) {
        Quad sums[3] = {{0}};
        for (int32_t i = space->group_start[g]; i < space->group_start[g + 1]; ++i)
            for (int k = 0; k < 3; ++k)
                sums[k] += r[3 * (size_t)i + (size_t)k] * space->arms[i];
        for (int k = 0; k < COARSE_MODES; ++k)
            space->right[COARSE_MODES * (size_t)g + (size_t)k] = sums[k / 4][k % 4];
    }
}

static void coarse_solve(CoarseSpace *space)
{
    const int32_t size = space->size, stride = space->stride;
    double *x = space->right;
    for (int32_t k = 0; k < size; ++k) {
        x[k] *= space->inverse_pivots[k];
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
        x[k] -= space->inverse_pivots[k] * (sum + sum_of(sums));
    }
}

// z += the motions of the groups first <= g < end.
static void coarse_prolong(const CoarseSpace *space, int32_t first, int32_t end, double *z)
{
    for (int32_t g = first; g < end; ++g) {
        const UnalignedQuad *motion = (const UnalignedQuad *)(space->right + COARSE_MODES * (size_t)g);
        const Quad x = motion[0], y = motion[1], w = motion[2];
        for (int32_t i = space->group_start[g]; i < space->group_start[g + 1]; ++i) {
            const Quad arm = space->arms[i], dx = arm * x, dy = arm * y, dz = arm * w;
            z[3 * (size_t)i] += (dx[0] + dx[1]) + (dx[2] + dx[3]);
            z[3 * (size_t)i + 1] += (dy[0] + dy[1]) + (dy[2] + dy[3]);
            z[3 * (size_t)i + 2] += (dz[0] + dz[1]) + (dz[2] + dz[3]);
        }
    }
}

#endif
