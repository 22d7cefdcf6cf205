/// The kernels of what contact holds together, for the table of kernels.
#ifndef DEVICE_CPU_LINEAR_CONTACT_GROUP_KERNELS_H
#define DEVICE_CPU_LINEAR_CONTACT_GROUP_KERNELS_H

#include "base/lanes.h"
#include "device/cpu/linear/contact_groups.h"

#include <math.h>
#include <string.h>

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

typedef double UnalignedPack __attribute__((vector_size(PACK_BYTES), aligned(8), may_alias));

// W = L^-1 of a symmetric matrix L L^T in its lower triangle's place, pivots in their order. False where it is not positive definite.
static inline bool group_find_root(double (*dense)[GROUP_STRIDE], int size)
{
    double scale[GROUP_STRIDE];
    for (int k = 0; k < size; ++k) {
        const double pivot = dense[k][k];
        if (!(pivot > 0))
            return false;
        const double inverse = 1 / pivot;
        scale[k] = sqrt(inverse);
        dense[k][k] = 1;
        for (int i = k + 1; i < size; ++i) {
            const double factor = dense[i][k] * inverse;
            dense[i][k] = 0;
            for (int c = 0; c < size; c += PACK_COUNT)
                *(UnalignedPack *)(dense[i] + c) -= factor * *(const UnalignedPack *)(dense[k] + c);
        }
    }
    for (int i = 0; i < size; ++i)
        for (int j = 0; j <= i; ++j)
            dense[i][j] *= scale[i];
    return true;
}

// Blocks that a group's columns have, those before the diagonal's included.
static inline int group_blocks(const ContactGroup *group)
{
    return (3 * group->count + GROUP_BLOCK - 1) / GROUP_BLOCK;
}

static bool group_invert(const BlockMatrix *matrix, ContactGroup *group)
{
    _Alignas(64) double dense[GROUP_STRIDE][GROUP_STRIDE] = {{0}};
    const int size = 3 * group->count, end = GROUP_BLOCK * group_blocks(group);
    for (int n = 0; n < group->count; ++n) {
        group_add_block(matrix->values + 9 * (size_t)matrix->diagonal[group->rows[n]], n, n, dense);
        group_add_changing(group, n, &matrix->changing, dense);
    }
    group->stiffness = group->pull = 0;
    for (int i = 0; i < size; ++i) {
        group->stiffness += dense[i][i];
        for (int j = i % 3; j < size; j += 3)
            group->pull += dense[i][j];
    }
    if (!group_find_root(dense, size))
        return false;
    float *root = group->root;
    bool is_normal = true; // as a float
    for (int j = 0; j < end; ++j)
        for (int i = j - j % GROUP_BLOCK; i < end; ++i, ++root) {
            *root = i >= j && i < size && j < size ? (float)dense[i][j] : 0;
            is_normal &= i != j || j >= size ? isfinite(*root) : isnormal(*root);
        }
    return is_normal;
}

enum { PACKS_PER_BLOCK = GROUP_BLOCK / PACK_COUNT, GROUP_PACKS = GROUP_BLOCKS * PACKS_PER_BLOCK };

LANES_INLINE Pack group_pack(const float *root, int pack)
{
    return (Pack){WIDEN_PACK(root + PACK_COUNT * pack)};
}

// z = W^T W r of a group that has so many blocks; adds |W r|^2 to `squares`.
LANES_INLINE void group_solve(const float *root, int blocks, const double *r, Pack *z,
                              Pack squares[PACKS_PER_BLOCK])
{
    Pack t[GROUP_PACKS] = {{0}};
    const float *column = root;
    for (int b = 0; b < blocks; ++b)
        for (int j = 0; j < GROUP_BLOCK; ++j) {
            const int first = b * PACKS_PER_BLOCK, count = blocks * PACKS_PER_BLOCK - first;
            for (int k = 0; k < count; ++k)
                t[first + k] += group_pack(column, k) * r[GROUP_BLOCK * b + j];
            column += (blocks - b) * GROUP_BLOCK;
        }
    for (int k = 0; k < blocks * PACKS_PER_BLOCK; ++k)
        squares[k % PACKS_PER_BLOCK] += t[k] * t[k];
    column = root;
    for (int b = 0; b < blocks; ++b)
        for (int p = 0; p < PACKS_PER_BLOCK; ++p) {
            Pack sums[PACK_COUNT];
            for (int j = 0; j < PACK_COUNT; ++j) {
                Pack products[PACKS_PER_BLOCK] = {{0}};
                for (int k = 0; k < (blocks - b) * PACKS_PER_BLOCK; ++k)
                    products[k % PACKS_PER_BLOCK] += group_pack(column, k) * t[b * PACKS_PER_BLOCK + k];
                sums[j] = packs_fold(products);
                column += (blocks - b) * GROUP_BLOCK;
            }
            z[b * PACKS_PER_BLOCK + p] = packs_sum_lanes(sums);
        }
}

// The same of any group.
LANES_INLINE void group_solve_any(const ContactGroup *group, const double *r, Pack z[GROUP_PACKS],
                                  Pack squares[PACKS_PER_BLOCK])
{
    const int blocks = group_blocks(group);
    if (blocks == 1)
        group_solve(group->root, 1, r, z, squares);
    else if (blocks == 2)
        group_solve(group->root, 2, r, z, squares);
    else
        group_solve(group->root, GROUP_BLOCKS, r, z, squares);
}

// Groups of which the first row is there.
static double groups_solve(const ContactGroups *groups, int32_t first, int32_t end, const double *r,
                           double *z)
{
    Pack squares[PACKS_PER_BLOCK] = {{0}}, out[GROUP_PACKS], sums[PACK_COUNT] = {{0}};
    for (int32_t row = first; row < end; ++row) {
        if (groups->members[row] < 0 || groups->members[row] % CONTACT_GROUP_ROWS != 0)
            continue;
        const ContactGroup *group = &groups->groups[groups->members[row] / CONTACT_GROUP_ROWS];
        double right[CONTACT_GROUP_SIZE] = {0};
        for (int n = 0; n < group->count; ++n)
            memcpy(right + 3 * n, r + 3 * (size_t)group->rows[n], 3 * sizeof *r);
        group_solve_any(group, right, out, squares);
        for (int n = 0; n < group->count; ++n)
            memcpy(z + 3 * (size_t)group->rows[n], (const double *)out + 3 * n, 3 * sizeof *z);
    }
    sums[0] = packs_fold(squares);
    return packs_sum_lanes(sums)[0];
}

#endif
