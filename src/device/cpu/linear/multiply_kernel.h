/// The product of the sparse matrix with a vector, for the table of kernels.
#ifndef DEVICE_CPU_LINEAR_MULTIPLY_KERNEL_H
#define DEVICE_CPU_LINEAR_MULTIPLY_KERNEL_H

#include "base/lanes.h"
#include "device/cpu/linear/block_matrix.h"
#include "device/cpu/linear/quad.h"

// a x of one block. A column is read as four numbers, of which the last one is not used.
LANES_INLINE Quad multiply_block(const double *a, const double *x)
{
    return x[0] * *(const UnalignedQuad *)a + x[1] * *(const UnalignedQuad *)(a + 3) +
           x[2] * *(const UnalignedQuad *)(a + 6);
}

// y_i = sum_j A_ij x_j, in two halves, so that one addition does not wait for the last.
static void block_multiply(const BlockMatrix *matrix, int32_t first, int32_t end, const double *x, double *y)
{
    for (int32_t i = first; i < end; ++i) {
        Quad even = {0}, odd = {0};
        int32_t p = matrix->row_start[i];
        const int32_t last = matrix->row_start[i + 1];
        const double *a = matrix->values + 9 * (size_t)p;
        for (; p + 1 < last; p += 2, a += 18) {
            even += multiply_block(a, x + 3 * (size_t)matrix->columns[p]);
            odd += multiply_block(a + 9, x + 3 * (size_t)matrix->columns[p + 1]);
        }
        if (p < last)
            even += multiply_block(a, x + 3 * (size_t)matrix->columns[p]);
        const Quad sum = even + odd;
        for (int k = 0; k < 3; ++k)
            y[3 * (size_t)i + (size_t)k] = sum[k];
    }
}

#endif
