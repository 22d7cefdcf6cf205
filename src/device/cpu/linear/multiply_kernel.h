/// The products of a vector with the sparse matrix and with the inverses of its diagonal blocks, for the table of kernels.
#ifndef DEVICE_CPU_LINEAR_MULTIPLY_KERNEL_H
#define DEVICE_CPU_LINEAR_MULTIPLY_KERNEL_H

#include "base/lanes.h"
#include "device/cpu/linear/block_matrix.h"
#include "device/cpu/linear/quad.h"
#include "device/cpu/linear/rounded_matrix.h"

#include <string.h>

/// Numbers of blocks: doubles, or floats of a RoundedMatrix. Which of them is known where functions are joined.
typedef struct BlockNumbers {
    const void *values;
    bool is_rounded;
} BlockNumbers;

// Four numbers from place `at` on.
LANES_INLINE Quad block_column(BlockNumbers a, size_t at)
{
    if (a.is_rounded)
        return quad_of_floats((const float *)a.values + at);
    return *(const UnalignedQuad *)((const double *)a.values + at);
}

// a x of one block, which begins at place `at`. Columns, and x, are read as four numbers, of which the last one is not used; x once, for the
// loads are what takes the time, but of floats, which have to be widened.
LANES_INLINE Quad multiply_block_at(BlockNumbers a, size_t at, const double *x)
{
    if (a.is_rounded)
        return x[0] * block_column(a, at) + x[1] * block_column(a, at + 3) + x[2] * block_column(a, at + 6);
    const Quad all = *(const UnalignedQuad *)x;
    return __builtin_shufflevector(all, all, 0, 0, 0, 0) * block_column(a, at) +
           __builtin_shufflevector(all, all, 1, 1, 1, 1) * block_column(a, at + 3) +
           __builtin_shufflevector(all, all, 2, 2, 2, 2) * block_column(a, at + 6);
}

LANES_INLINE Quad multiply_block(const double *a, const double *x)
{
    return multiply_block_at((BlockNumbers){a, false}, 0, x);
}

// sum_j A_ij x_j over a row's blocks, in two halves, so that one addition does not wait for the last.
LANES_INLINE Quad multiply_blocks(const int32_t *columns, BlockNumbers a, int32_t count, const double *x)
{
    Quad even = {0}, odd = {0};
    int32_t p = 0;
    for (; p + 1 < count; p += 2) {
        even += multiply_block_at(a, 9 * (size_t)p, x + 3 * (size_t)columns[p]);
        odd += multiply_block_at(a, 9 * (size_t)p + 9, x + 3 * (size_t)columns[p + 1]);
    }
    if (p < count)
        even += multiply_block_at(a, 9 * (size_t)p, x + 3 * (size_t)columns[p]);
    return even + odd;
}

LANES_INLINE Quad multiply_row(const int32_t *columns, const double *a, int32_t count, const double *x)
{
    return multiply_blocks(columns, (BlockNumbers){a, false}, count, x);
}

// What the changing blocks of a row have of A x.
LANES_INLINE Quad multiply_changing(const ChangingBlocks *changing, int32_t row, const double *x)
{
    const int32_t begin = changing->row_start[row];
    return multiply_row(changing->columns + begin, changing->values[begin], changing->row_end[row] - begin,
                        x);
}

static double block_multiply(const BlockMatrix *matrix, int32_t first, int32_t end, const double *x,
                             double *y)
{
    Quad products = {0};
    for (int32_t i = first; i < end; ++i) {
        const int32_t start = matrix->row_start[i];
        const double *own = x + 3 * (size_t)i;
        Quad sum = multiply_row(matrix->columns + start, matrix->values + 9 * (size_t)start,
                                matrix->row_start[i + 1] - start, x);
        if (matrix->changing.row_start)
            sum += multiply_changing(&matrix->changing, i, x);
        products += sum * *(const UnalignedQuad *)own;
        for (int k = 0; k < 3; ++k)
            y[3 * (size_t)i + (size_t)k] = sum[k];
    }
    return products[0] + products[1] + products[2];
}

// a x of a block, and its transpose's product with `own`, of which the last number is 0, added to `ahead`.
LANES_INLINE Quad multiply_both(const float *a, const double *x, Quad own, Quad *ahead)
{
    const BlockNumbers numbers = {a, true};
    const Quad first = block_column(numbers, 0), second = block_column(numbers, 3),
               third = block_column(numbers, 6);
    *ahead += sum_each(first * own, second * own, third * own);
    return x[0] * first + x[1] * second + x[2] * third;
}

// Rows of whole parts: what earlier rows of a part add to a row is in `ahead` when its own turn comes.
static double block_multiply_rounded(const RoundedMatrix *rounded, int32_t first, int32_t end, Quad *ahead,
                                     const double *x, double *y)
{
    const ChangingBlocks *changing = &rounded->matrix->changing;
    Quad products = {0};
    memset(ahead, 0, (size_t)(end - first) * sizeof *ahead);
    for (int32_t i = first; i < end; ++i) {
        const int32_t other = rounded->other_start[i], next = rounded->row_start[i + 1];
        const double *at = x + 3 * (size_t)i;
        const Quad own = {at[0], at[1], at[2], 0};
        Quad sum =
            multiply_block(rounded->diagonal[i], at) +
            multiply_blocks(rounded->columns + other,
                            (BlockNumbers){rounded->values + 9 * (size_t)other, true}, next - other, x);
        for (int32_t p = rounded->row_start[i]; p < other; ++p) {
            const int32_t column = rounded->columns[p];
            sum += multiply_both(rounded->values + 9 * (size_t)p, x + 3 * (size_t)column, own,
                                 ahead + (column - first));
        }
        if (changing->row_start)
            sum += multiply_changing(changing, i, x);
        sum += ahead[i - first];
        products += sum * own;
        for (int k = 0; k < 3; ++k)
            y[3 * (size_t)i + (size_t)k] = sum[k];
    }
    return products[0] + products[1] + products[2];
}

// y += a x
static void vector_add(size_t count, double a, const double *x, double *y)
{
    for (size_t i = 0; i < count; ++i)
        y[i] += a * x[i];
}

// y = x + b y
static void vector_turn(size_t count, const double *x, double b, double *y)
{
    for (size_t i = 0; i < count; ++i)
        y[i] = x[i] + b * y[i];
}

static double block_solve(const double (*inverses)[9], const int32_t *members, int32_t first, int32_t end,
                          const double *r, double *z)
{
    Quad sum = {0};
    for (int32_t i = first; i < end; ++i) {
        if (members && members[i] >= 0)
            continue;
        const double *right = r + 3 * (size_t)i;
        const Quad out = multiply_block(inverses[i], right);
        sum += out * *(const UnalignedQuad *)right;
        for (int k = 0; k < 3; ++k)
            z[3 * (size_t)i + (size_t)k] = out[k];
    }
    return sum[0] + sum[1] + sum[2];
}

#endif
