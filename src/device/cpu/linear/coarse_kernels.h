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
    space->couples[(size_t)space->matrix->part_count * (size_t)part + (size_t)other] = 1;
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
    memset(space->couples + (size_t)matrix->part_count * (size_t)part, 0, (size_t)matrix->part_count);
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

// The parts behind each that it is coupled to. Eliminating it couples them with each other.
static void coarse_fill(CoarseSpace *space)
{
    const int32_t parts = space->matrix->part_count;
    for (int32_t part = 0; part < parts; ++part) {
        int32_t *later = space->later + (size_t)parts * (size_t)part, count = 0;
        for (int32_t other = part + 1; other < parts; ++other)
            if (space->couples[(size_t)parts * (size_t)part + (size_t)other])
                later[count++] = other;
        for (int32_t a = 0; a < count; ++a)
            for (int32_t b = a + 1; b < count; ++b)
                space->couples[(size_t)parts * (size_t)later[a] + (size_t)later[b]] = 1;
        space->later_count[part] = count;
    }
}

// Those of one part.
LANES_INLINE const int32_t *coarse_later(const CoarseSpace *space, int32_t part)
{
    return space->later + (size_t)space->matrix->part_count * (size_t)part;
}

// row -= factor other, over `count` numbers, a multiple of 4
LANES_INLINE void coarse_subtract(double *row, double factor, const double *other, int32_t count)
{
    for (int32_t c = 0; c < count; c += 4)
        *(UnalignedQuad *)(row + c) -= factor * *(const UnalignedQuad *)(other + c);
}

// Row i less what a panel's rows take from it: from its own column on (and some before it, which nobody reads) in its own part, and
// over the `count` parts of `later`.
static inline void coarse_subtract_panel(CoarseSpace *space, double *const rows[PANEL],
                                         const double *inverses, int32_t i, const int32_t *later,
                                         int32_t count)
{
    double *row = space->values + (size_t)i * (size_t)space->stride, factors[PANEL];
    for (int r = 0; r < PANEL; ++r)
        factors[r] = rows[r][i] * inverses[r];
    int32_t c = i / 4 * 4, end = COARSE_MODES * (i / COARSE_MODES + 1);
    for (int32_t next = 0;; ++next) {
        for (; c < end; c += 4)
            *(UnalignedQuad *)(row + c) -= (factors[0] * *(const UnalignedQuad *)(rows[0] + c) +
                                            factors[1] * *(const UnalignedQuad *)(rows[1] + c)) +
                                           (factors[2] * *(const UnalignedQuad *)(rows[2] + c) +
                                            factors[3] * *(const UnalignedQuad *)(rows[3] + c));
        if (next == count)
            break;
        c = COARSE_MODES * later[next];
        end = c + COARSE_MODES;
    }
}

static void coarse_factor(CoarseSpace *space)
{
    const int32_t stride = space->stride;
    double *values = space->values, *inverses = space->inverse_pivots;
    coarse_fill(space);
    for (int32_t k = 0; k < space->size; ++k)
        inverses[k] =
            values[(size_t)k * (size_t)stride + (size_t)k]; // the diagonal, until its pivot is known
    for (int32_t k = 0; k < space->size; k += PANEL) {
        const int32_t part = k / COARSE_MODES, end = COARSE_MODES * (part + 1);
        const int32_t *later = coarse_later(space, part), count = space->later_count[part];
        double *rows[PANEL];
        for (int r = 0; r < PANEL; ++r) {
            rows[r] = values + (size_t)(k + r) * (size_t)stride;
            for (int q = 0; q < r; ++q) {
                const double factor = rows[q][k + r] * inverses[k + q];
                coarse_subtract(rows[r] + k, factor, rows[q] + k, end - k);
                for (int32_t p = 0; p < count; ++p) {
                    const int32_t c = COARSE_MODES * later[p];
                    coarse_subtract(rows[r] + c, factor, rows[q] + c, COARSE_MODES);
                }
            }
            const double pivot = rows[r][k + r];
            inverses[k + r] = pivot > SMALLEST_PIVOT * inverses[k + r] ? 1 / pivot : 0;
        }
        for (int32_t i = k + PANEL; i < end; ++i)
            coarse_subtract_panel(space, rows, inverses + k, i, later, count);
        for (int32_t p = 0; p < count; ++p)
            for (int32_t i = COARSE_MODES * later[p]; i < COARSE_MODES * (later[p] + 1); ++i)
                coarse_subtract_panel(space, rows, inverses + k, i, later + p + 1, count - p - 1);
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

// What x has in the columns of a part, 12 numbers, less what `count` rows of another part take from it.
LANES_INLINE void coarse_eliminate(const double *rows, int32_t stride, const double *factors, int32_t count,
                                   double *x)
{
    UnalignedQuad *to = (UnalignedQuad *)x;
    Quad x0 = to[0], x1 = to[1], x2 = to[2];
    for (int32_t k = 0; k < count; ++k) {
        const UnalignedQuad *row = (const UnalignedQuad *)(rows + (size_t)k * (size_t)stride);
        x0 -= factors[k] * row[0];
        x1 -= factors[k] * row[1];
        x2 -= factors[k] * row[2];
    }
    to[0] = x0;
    to[1] = x1;
    to[2] = x2;
}

// right becomes the solution; returns their dot product.
static double coarse_solve(CoarseSpace *space)
{
    const int32_t stride = space->stride, parts = space->matrix->part_count;
    double *x = space->right, product = 0;
    for (int32_t part = 0; part < parts; ++part) {
        const int32_t first = COARSE_MODES * part;
        const double *rows = space->values + (size_t)first * (size_t)stride;
        for (int32_t k = 0; k < COARSE_MODES; ++k) {
            const double reduced = x[first + k];
            x[first + k] *= space->inverse_pivots[first + k];
            product += reduced * x[first + k];
            for (int32_t c = k + 1; c < COARSE_MODES; ++c)
                x[first + c] -= x[first + k] * rows[(size_t)k * (size_t)stride + (size_t)(first + c)];
        }
        for (int32_t p = 0; p < space->later_count[part]; ++p) {
            const int32_t c = COARSE_MODES * coarse_later(space, part)[p];
            coarse_eliminate(rows + c, stride, x + first, COARSE_MODES, x + c);
        }
    }
    for (int32_t part = parts - 1; part >= 0; --part) {
        const int32_t first = COARSE_MODES * part;
        for (int32_t k = first + COARSE_MODES - PANEL; k >= first; k -= PANEL) {
            const double *rows = space->values + (size_t)k * (size_t)stride;
            Quad sums[PANEL] = {{0}};
            for (int32_t p = 0; p < space->later_count[part]; ++p) {
                const int32_t c = COARSE_MODES * coarse_later(space, part)[p];
                const UnalignedQuad *from = (const UnalignedQuad *)(x + c);
                const Quad x0 = from[0], x1 = from[1], x2 = from[2];
                for (int r = 0; r < PANEL; ++r) {
                    const UnalignedQuad *row =
                        (const UnalignedQuad *)(rows + (size_t)r * (size_t)stride + (size_t)c);
                    sums[r] += row[0] * x0 + (row[1] * x1 + row[2] * x2);
                }
            }
            for (int r = PANEL - 1; r >= 0; --r) {
                double sum = (sums[r][0] + sums[r][1]) + (sums[r][2] + sums[r][3]);
                for (int32_t c = k + r + 1; c < first + COARSE_MODES; ++c)
                    sum += rows[(size_t)r * (size_t)stride + (size_t)c] * x[c];
                x[k + r] -= space->inverse_pivots[k + r] * sum;
            }
        }
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
