/// The kernels of what contact holds together, for the table of kernels.
#ifndef DEVICE_CPU_LINEAR_CONTACT_GROUP_KERNELS_H
#define DEVICE_CPU_LINEAR_CONTACT_GROUP_KERNELS_H

#include "device/cpu/linear/contact_groups.h"
#include "device/cpu/linear/multiply_kernel.h"

/// Numbers of a row of a group's matrix.
enum { GROUP_STRIDE = CONTACT_GROUP_SIZE };

// Adds the block of two rows of a group, given by columns.
static inline void group_add_block(const double block[9], int row, int column, double (*dense)[GROUP_STRIDE])
{
    for (int k = 0; k < 9; ++k)
        dense[3 * row + k % 3][3 * column + k / 3] += block[k];
}

// Adds contact's blocks of the group's row number `own`. Rows and columns ascend.
static inline void group_add_changing(const ContactGroup *group, int own, const ChangingBlocks *changing,
                                      double (*dense)[GROUP_STRIDE])
{
    int n = 0;
    for (int32_t p = changing->row_start[group->rows[own]]; p < changing->row_end[group->rows[own]]; ++p) {
        while (n < group->count && group->rows[n] < changing->columns[p])
            ++n;
        if (n < group->count && group->rows[n] == changing->columns[p])
            group_add_block(changing->values[p], own, n, dense);
    }
}

// The inverse of a symmetric matrix in its place, pivots in their order. False where it is not positive definite.
static inline bool group_invert_dense(double (*dense)[GROUP_STRIDE], int size)
{
    for (int k = 0; k < size; ++k) {
        const double pivot = dense[k][k];
        if (!(pivot > 0))
            return false;
        dense[k][k] = 1;
        for (int c = 0; c < size; c += 4)
            *(UnalignedQuad *)(dense[k] + c) /= pivot;
        for (int i = 0; i < size; ++i) {
            const double factor = dense[i][k];
            if (i == k)
                continue;
            dense[i][k] = 0;
            for (int c = 0; c < size; c += 4)
                *(UnalignedQuad *)(dense[i] + c) -= factor * *(const UnalignedQuad *)(dense[k] + c);
        }
    }
    return true;
}

static bool group_invert(const BlockMatrix *matrix, ContactGroup *group)
{
    double dense[GROUP_STRIDE][GROUP_STRIDE] = {{0}};
    for (int n = 0; n < group->count; ++n) {
        group_add_block(matrix->values + 9 * (size_t)matrix->diagonal[group->rows[n]], n, n, dense);
        group_add_changing(group, n, &matrix->changing, dense);
    }
    if (!group_invert_dense(dense, 3 * group->count))
        return false;
    for (int n = 0; n < group->count; ++n)
        for (int m = 0; m < group->count; ++m)
            for (int k = 0; k < 9; ++k) {
                const int i = 3 * n + k % 3, j = 3 * m + k / 3;
                group->inverse[9 * (n * group->count + m) + k] = 0.5 * (dense[i][j] + dense[j][i]);
            }
    return true;
}

static double groups_solve(const ContactGroups *groups, int32_t first, int32_t end, const double *r,
                           double *z)
{
    Quad sum = {0};
    for (int32_t row = first; row < end; ++row) {
        if (groups->members[row] < 0)
            continue;
        const ContactGroup *group = &groups->groups[groups->members[row] / CONTACT_GROUP_ROWS];
        const int own = groups->members[row] % CONTACT_GROUP_ROWS;
        const Quad out = multiply_row(group->rows, group->inverse + 9 * own * group->count, group->count, r);
        sum += out * *(const UnalignedQuad *)(r + 3 * (size_t)row);
        for (int k = 0; k < 3; ++k)
            z[3 * (size_t)row + (size_t)k] = out[k];
    }
    return sum[0] + sum[1] + sum[2];
}

#endif
