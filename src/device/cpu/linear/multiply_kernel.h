/// The products of a vector with the sparse matrix and with the inverses of its diagonal blocks, for the table of kernels.
#ifndef DEVICE_CPU_LINEAR_MULTIPLY_KERNEL_H
#define DEVICE_CPU_LINEAR_MULTIPLY_KERNEL_H

#include "base/lanes.h"
#include "device/cpu/linear/block_matrix.h"
#include "device/cpu/linear/quad.h"
#include "device/cpu/linear/rounded_matrix.h"

/// Four floats in memory, wherever they stand.
typedef float UnalignedFloats __attribute__((vector_size(4 * sizeof(float)), aligned(4), may_alias));

/// Numbers of blocks: doubles, or floats of a RoundedMatrix. Which of them is known where functions are joined.
typedef struct BlockNumbers {
    const void *values;
    bool is_rounded;
} BlockNumbers;

// Four numbers from place `at` on.
LANES_INLINE Quad block_column(BlockNumbers a, size_t at)
{
    if (a.is_rounded)
        return __builtin_convertvector(*(const UnalignedFloats *)((const float *)a.values + at), Quad);
    return *(const UnalignedQuad *)((const double *)a.values + at);
}

// a x of one block, which begins at place `at`. Columns, and x, are read as four numbers, of which the last one is not used; x once, for the
// loads are what takes the time.
LANES_INLINE Quad multiply_block_at(BlockNumbers a, size_t at, const double *x)
{
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

// `rounded`: NULL, or what to take instead of the matrix's values.
LANES_INLINE double multiply_rows(const BlockMatrix *matrix, const RoundedMatrix *rounded, int32_t first,
                                  int32_t end, const double *x, double *y)
{
    Quad products = {0};
    for (int32_t i = first; i < end; ++i) {
        const int32_t start = matrix->row_start[i], count = matrix->row_start[i + 1] - start;
        const double *own = x + 3 * (size_t)i;
        const BlockNumbers values = rounded ? (BlockNumbers){rounded->values + 9 * (size_t)start, true}
                                            : (BlockNumbers){matrix->values + 9 * (size_t)start, false};
        Quad sum = multiply_blocks(matrix->columns + start, values, count, x);
        if (rounded)
            sum += multiply_block_at((BlockNumbers){rounded->remainders[i], true}, 0, own);
        if (matrix->changing.row_start)
            sum += multiply_changing(&matrix->changing, i, x);
        products += sum * *(const UnalignedQuad *)own;
        for (int k = 0; k < 3; ++k)
            y[3 * (size_t)i + (size_t)k] = sum[k];
    }
    return products[0] + products[1] + products[2];
}

static double block_multiply(const BlockMatrix *matrix, int32_t first, int32_t end, const double *x,
                             double *y)
{
    return multiply_rows(matrix, NULL, first, end, x, y);
}

static double block_multiply_rounded(const RoundedMatrix *rounded, int32_t first, int32_t end,
                                     const double *x, double *y)
{
    return multiply_rows(rounded->matrix, rounded, first, end, x, y);
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

static double block_solve(const double (*inverses)[9], int32_t first, int32_t end, const double *r, double *z)
{
    Quad sum = {0};
    for (int32_t i = first; i < end; ++i) {
        const double *right = r + 3 * (size_t)i;
        const Quad out = multiply_block(inverses[i], right);
        sum += out * *(const UnalignedQuad *)right;
        for (int k = 0; k < 3; ++k)
            z[3 * (size_t)i + (size_t)k] = out[k];
    }
    return sum[0] + sum[1] + sum[2];
}

#endif
