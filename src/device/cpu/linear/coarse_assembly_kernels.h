/// How the matrix of the preconditioner's coarse space is summed, for the table of kernels.
#ifndef DEVICE_CPU_LINEAR_COARSE_ASSEMBLY_KERNELS_H
#define DEVICE_CPU_LINEAR_COARSE_ASSEMBLY_KERNELS_H

#include "device/cpu/linear/motion_kernels.h"

#include <math.h>

/// A pivot of a cluster of affine motions this much smaller than the diagonal was, or negative, belongs to a motion that is left out; of others
/// SMALLEST_THIN_PIVOT.
#define SMALLEST_CLUSTER_PIVOT 1e-8

// Adds the motions of a row, transposed, times the sums to the block of two parts.
static inline void coarse_add_block(const CoarseSpace *space, int32_t row, int32_t part, int32_t other,
                                    const Quad sums[3][3])
{
    coarse_begin_block(space, part, other);
    motion_block_add(space, coarse_block(space, part, other), part, row, sums);
}

// The changing blocks of a row, one by one.
static inline void coarse_add_changing(const CoarseSpace *space, int32_t row, int32_t part, int32_t cluster)
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
        motions_multiply(space, other, 1, &j, blocks->values[p], sums);
        if (j >= space->clusters[cluster].first && j < space->clusters[cluster].end)
            motion_block_add(space, space->clusters[cluster].inverse, part, row, (const Quad(*)[3])sums);
        else
            coarse_add_block(space, row, part, other, (const Quad(*)[3])sums);
    }
}

// The fixed blocks of a row: sums over columns of one cluster or part, which ascend.
static inline void coarse_add_row(const CoarseSpace *space, int32_t row, int32_t part, int32_t cluster)
{
    const BlockMatrix *matrix = space->matrix;
    const ClusterMotions *own = &space->clusters[cluster];
    int32_t other = part, p = matrix->row_start[row];
    while (p < matrix->row_start[row + 1] && matrix->columns[p] < matrix->part_start[part])
        ++p;
    while (p < matrix->row_start[row + 1] && matrix->columns[p] < matrix->row_count) {
        const int32_t first = matrix->columns[p];
        const bool is_own = first >= own->first && first < own->end;
        while (first >= matrix->part_start[other + 1])
            ++other;
        const int32_t end = is_own               ? own->end
                            : first < own->first ? own->first
                                                 : matrix->part_start[other + 1];
        const int32_t begin = p;
        while (p < matrix->row_start[row + 1] && matrix->columns[p] < end)
            ++p;
        Quad sums[3][3];
        motions_multiply(space, other, p - begin, matrix->columns + begin, matrix->values + 9 * (size_t)begin,
                         sums);
        if (is_own)
            motion_block_add(space, space->clusters[cluster].inverse, part, row, (const Quad(*)[3])sums);
        else
            coarse_add_block(space, row, part, other, (const Quad(*)[3])sums);
    }
}

// The inverse of a cluster's block, as W^T W with W = D^-1/2 L^-1 of L D L^T: symmetric, and positive semidefinite
// whatever the rounding. Motions are left out whose pivots are not larger than `least` of their diagonals.
static void cluster_invert(double least, double block[COARSE_MODES * COARSE_MODES])
{
    Quad root[COARSE_MODES][3];
    memset(root, 0, sizeof root);
    for (int k = 0; k < COARSE_MODES; ++k)
        root[k][k / 4][k % 4] = 1;
    double diagonal[COARSE_MODES];
    for (int k = 0; k < COARSE_MODES; ++k)
        diagonal[k] = block[(COARSE_MODES + 1) * k];
    for (int k = 0; k < COARSE_MODES; ++k) { // row k on and behind the diagonal is D L^T
        const double pivot = block[(COARSE_MODES + 1) * k],
                     reciprocal = pivot > least * diagonal[k] ? 1 / pivot : 0;
        for (int i = k + 1; i < COARSE_MODES; ++i) {
            const double factor = block[COARSE_MODES * k + i] * reciprocal;
            for (int j = i; j < COARSE_MODES; ++j)
                block[COARSE_MODES * i + j] -= factor * block[COARSE_MODES * k + j];
            for (int m = 0; m < 3; ++m)
                root[i][m] -= factor * root[k][m];
        }
        for (int m = 0; m < 3; ++m)
            root[k][m] *= sqrt(reciprocal);
    }
    for (int i = 0; i < COARSE_MODES; ++i)
        for (int m = 0; m < 3; ++m) {
            Quad sum = {0};
            for (int k = i; k < COARSE_MODES; ++k)
                sum += root[k][i / 4][i % 4] * root[k][m];
            ((UnalignedQuad *)(block + COARSE_MODES * i))[m] = sum;
        }
}

/// What a row of the matrix has of the motions of a part and of those behind it.
typedef struct RowProducts {
    Quad sums[PARTS_MOST][3][3]; ///< 0 but for the parts below
    int32_t parts[PARTS_MOST], count;
    bool has[PARTS_MOST];
} RowProducts;

LANES_INLINE Quad (*products_of(RowProducts *products, int32_t part))[3]
{
    if (!products->has[part]) {
        products->has[part] = true;
        products->parts[products->count++] = part;
    }
    return products->sums[part];
}

// Adds a block, given by columns, times what moves its column as its part has it.
static inline void products_add_plain(const CoarseSpace *space, int32_t column, const double *block,
                                      RowProducts *products)
{
    const int32_t part = space->part_of[column];
    Quad own[3][3], (*sums)[3] = products_of(products, part);
    motions_multiply(space, part, 1, &column, block, own);
    for (int k = 0; k < 3; ++k)
        for (int m = 0; m < 3; ++m)
            sums[k][m] += own[k][m];
}

// The same by one of its deviations; `arm`: and by the affine motions of its part, or 0.
LANES_INLINE void products_add_deviation(const MotionDeviations *deviations, int32_t d, Quad arm,
                                         const double *block, RowProducts *products)
{
    Quad(*sums)[3] = products_of(products, deviations->parts[d]);
    for (int m = 0; m < 3; ++m) {
        Quad along[3];
        for (int k = 0; k < 3; ++k)
            along[k] = deviation_quad(deviations, d, k, m);
        along[m] += arm;
        for (int k = 0; k < 3; ++k)
            sums[k][m] += block[k] * along[0] + (block[3 + k] * along[1] + block[6 + k] * along[2]);
    }
}

// Adds `count` blocks of a row, times what moves their columns.
static inline void products_add(const CoarseSpace *space, int32_t least, int32_t count,
                                const int32_t *columns, const double *blocks, RowProducts *products)
{
    const MotionDeviations *deviations = space->deviations;
    for (int32_t p = 0; p < count && columns[p] < space->matrix->row_count; ++p) {
        const int32_t column = columns[p], part = space->part_of[column],
                      first = deviations->row_start[column], end = deviations->row_start[column + 1];
        const bool is_affine = space->motions[part].kind == MOTIONS_AFFINE;
        const double *block = blocks + 9 * (size_t)p;
        if (part >= least && (first == end || !is_affine))
            products_add_plain(space, column, block, products);
        for (int32_t d = first; d < end; ++d)
            if (deviations->parts[d] >= least)
                products_add_deviation(deviations, d,
                                       deviations->parts[d] == part && is_affine ? coarse_arm(space, column)
                                                                                 : (Quad){0},
                                       block, products);
    }
}

// Adds a row times its motions of a part, to the blocks of that part and of those behind it.
static inline void coarse_add_deviating_row(const CoarseSpace *space, int32_t part, int32_t row,
                                            const double motions[3][COARSE_MODES], RowProducts *products)
{
    const BlockMatrix *matrix = space->matrix;
    const ChangingBlocks *changing = &matrix->changing;
    const int32_t first = matrix->row_start[row], first_changing = changing->row_start[row];
    products_add(space, part, matrix->row_start[row + 1] - first, matrix->columns + first,
                 matrix->values + 9 * (size_t)first, products);
    products_add(space, part, changing->row_end[row] - first_changing, changing->columns + first_changing,
                 changing->values[first_changing], products);
    for (int32_t p = 0; p < products->count; ++p) {
        const int32_t other = products->parts[p];
        Quad(*sums)[3] = products->sums[other];
        coarse_begin_block(space, part, other);
        double *block = coarse_block(space, part, other);
        for (int mode = 0; mode < COARSE_MODES; ++mode) {
            UnalignedQuad *to = (UnalignedQuad *)(block + COARSE_MODES * mode);
            for (int m = 0; m < 3; ++m)
                to[m] += motions[0][mode] * sums[0][m] +
                         (motions[1][mode] * sums[1][m] + motions[2][mode] * sums[2][m]);
        }
        memset(sums, 0, sizeof products->sums[other]);
        products->has[other] = false;
    }
    products->count = 0;
}

// What rows that deviate, and those beside them, add to the rows of a part in the coarse matrix.
static inline void coarse_add_deviating(CoarseSpace *space, int32_t part)
{
    const MotionDeviations *deviations = space->deviations;
    const int32_t *starts = space->matrix->part_start;
    RowProducts products;
    double motions[3][COARSE_MODES];
    memset(&products, 0, sizeof products);
    for (int32_t row = starts[part]; row < starts[part + 1]; ++row)
        if (deviations->row_start[row] == deviations->row_start[row + 1] && deviations->is_near[row]) {
            row_motions(space, row, motions);
            coarse_add_deviating_row(space, part, row, (const double(*)[COARSE_MODES])motions, &products);
        }
    for (int32_t p = deviations->part_start[part]; p < deviations->part_start[part + 1]; ++p) {
        const int32_t d = deviations->of_part[p], row = deviations->rows[d];
        if (space->part_of[row] == part)
            row_motions(space, row, motions);
        else
            memset(motions, 0, sizeof motions);
        for (int k = 0; k < 3 * COARSE_MODES; ++k)
            motions[k / COARSE_MODES][k % COARSE_MODES] += (double)deviations->values[d][k];
        coarse_add_deviating_row(space, part, row, (const double(*)[COARSE_MODES])motions, &products);
    }
}

// The blocks of a row in columns of its own cluster.
static inline void cluster_add_row(const CoarseSpace *space, int32_t row, int32_t part, int32_t cluster)
{
    const ClusterMotions *own = &space->clusters[cluster];
    const BlockMatrix *matrix = space->matrix;
    const ChangingBlocks *changing = &matrix->changing;
    Quad sums[3][3];
    int32_t begin = matrix->row_start[row], end;
    while (matrix->columns[begin] < own->first) // its own one is not
        ++begin;
    for (end = begin; end < matrix->row_start[row + 1] && matrix->columns[end] < own->end; ++end)
        ;
    motions_multiply(space, part, end - begin, matrix->columns + begin, matrix->values + 9 * (size_t)begin,
                     sums);
    motion_block_add(space, space->clusters[cluster].inverse, part, row, (const Quad(*)[3])sums);
    for (int32_t p = changing->row_start[row]; p < changing->row_end[row]; ++p) {
        const int32_t column = changing->columns[p];
        if (column < own->first || column >= own->end)
            continue;
        motions_multiply(space, part, 1, &column, changing->values[p], sums);
        motion_block_add(space, space->clusters[cluster].inverse, part, row, (const Quad(*)[3])sums);
    }
}

// The rows of a part: sum_ij P_i^T A_ij P_j, P_i the motions of row i, on the diagonal's blocks and above; those of its clusters make up a part of its own, where nothing deviates.
static void coarse_assemble(CoarseSpace *space, int32_t part)
{
    const BlockMatrix *matrix = space->matrix;
    const uint8_t *is_near = space->deviations ? space->deviations->is_near : NULL;
    memset(space->couples + (size_t)matrix->part_count * (size_t)part, 0, (size_t)matrix->part_count);
    coarse_begin_block(space, part, part);
    for (int32_t c = space->first_cluster[part]; c < space->first_cluster[part + 1]; ++c) {
        ClusterMotions *cluster = &space->clusters[c];
        double *block = cluster->inverse;
        memset(block, 0, sizeof cluster->inverse);
        for (int32_t i = cluster->first; i < cluster->end; ++i)
            if (!is_near || !is_near[i]) {
                coarse_add_row(space, i, part, c);
                coarse_add_changing(space, i, part, c);
            }
        double *all = coarse_block(space, part, part);
        for (int k = 0; k < COARSE_MODES * COARSE_MODES; ++k)
            all[k] += block[k];
        if (!cluster->is_solved) {
            memset(block, 0, sizeof cluster->inverse);
            continue;
        }
        for (int32_t i = cluster->first; is_near && i < cluster->end; ++i)
            if (is_near[i])
                cluster_add_row(space, i, part, c);
        cluster_invert(space->motions[part].kind == MOTIONS_AFFINE ? SMALLEST_CLUSTER_PIVOT
                                                                   : SMALLEST_THIN_PIVOT,
                       block);
    }
    if (space->deviations)
        coarse_add_deviating(space, part);
    for (int k = 0; k < COARSE_MODES; ++k)
        space->inverse_pivots[COARSE_MODES * part + k] =
            coarse_block(space, part, part)[(COARSE_MODES + 1) * k];
}

#endif
