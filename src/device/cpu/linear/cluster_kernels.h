/// The kernels of the preconditioner's clusters, for the table of kernels.
#ifndef DEVICE_CPU_LINEAR_CLUSTER_KERNELS_H
#define DEVICE_CPU_LINEAR_CLUSTER_KERNELS_H

#include "base/lanes.h"
#include "device/cpu/linear/clusters.h"
#include "device/cpu/linear/quad.h"

#include <string.h>

typedef float SmallQuad __attribute__((vector_size(4 * sizeof(float)), aligned(4), may_alias));

enum { CLUSTER_QUADS = CLUSTER_SIZE / 4 };

/// A cluster's block, which becomes upper triangular, and L^-1, which grows beside it.
typedef struct ClusterBlock {
    Quad block[CLUSTER_SIZE][CLUSTER_QUADS], inverse[CLUSTER_SIZE][CLUSTER_QUADS];
} ClusterBlock;

/// A pivot this much smaller than the number on the diagonal was, or negative, is a motion along which the matrix is not positive
/// definite: it counts as if nothing were coupled to it.
#define CLUSTER_SMALLEST_PIVOT 1e-14

// Blocks of a row, column by column, that lie in the cluster's columns from `row` on, to places by rows and columns of the block.
static void cluster_add_row(const int32_t *columns, const double *values, int32_t count, int32_t row,
                            int32_t first, int32_t end, ClusterBlock *to)
{
    for (int32_t p = 0; p < count && columns[p] < end; ++p) {
        if (columns[p] < row)
            continue;
        for (int k = 0; k < 9; ++k)
            ((double *)to->block[3 * (row - first) + k % 3])[3 * (columns[p] - first) + k / 3] +=
                values[9 * (size_t)p + (size_t)k];
    }
}

static void cluster_gather(const BlockMatrix *matrix, int32_t first, int32_t end, ClusterBlock *to)
{
    const ChangingBlocks *changing = &matrix->changing;
    memset(to, 0, sizeof *to);
    for (int32_t row = first; row < end; ++row) {
        const int32_t p = matrix->diagonal[row];
        cluster_add_row(matrix->columns + p, matrix->values + 9 * (size_t)p, matrix->row_start[row + 1] - p,
                        row, first, end, to);
        if (changing->row_start) {
            const int32_t q = changing->row_start[row];
            cluster_add_row(changing->columns + q, changing->values[q], changing->row_end[row] - q, row,
                            first, end, to);
        }
    }
    for (int i = 0; i < CLUSTER_SIZE; ++i)
        ((double *)to->inverse[i])[i] = 1;
}

// Rows j of L D L^T, four of them from 4 `quad` on.
LANES_INLINE void cluster_eliminate(ClusterBlock *of, int quad, double pivots[CLUSTER_SIZE])
{
    for (int j = 4 * quad; j < 4 * quad + 4; ++j) {
        const double *own = (const double *)of->block[j], pivot = own[j], whole = fabs(pivots[j]);
        const bool is_positive = pivot > CLUSTER_SMALLEST_PIVOT * whole;
        pivots[j] = is_positive ? pivot : whole > 0 ? whole : 1;
        const double inverse = is_positive ? 1 / pivot : 0;
        for (int i = j + 1; i < CLUSTER_SIZE; ++i) {
            const double factor = own[i] * inverse;
            for (int q = quad; q < CLUSTER_QUADS; ++q)
                of->block[i][q] -= factor * of->block[j][q];
            for (int q = 0; q <= quad; ++q)
                of->inverse[i][q] -= factor * of->inverse[j][q];
        }
    }
}

// L D L^T from the part of the block on and above its diagonal alone; then K = D^-1/2 L^-1.
static void cluster_invert(ClusterBlock *of)
{
    double pivots[CLUSTER_SIZE];
    for (int j = 0; j < CLUSTER_SIZE; ++j)
        pivots[j] = ((const double *)of->block[j])[j]; // the diagonal, until its pivot is known
    cluster_eliminate(of, 0, pivots);
    cluster_eliminate(of, 1, pivots);
    cluster_eliminate(of, 2, pivots);
    for (int i = 0; i < CLUSTER_SIZE; ++i) {
        const double scale = 1 / sqrt(pivots[i]);
        for (int q = 0; q <= i / 4; ++q)
            of->inverse[i][q] *= scale;
    }
}

static void cluster_keep(const ClusterBlock *from, int size, Cluster *cluster)
{
    float *rows = cluster->rows, *columns = cluster->columns;
    memset(cluster, 0, sizeof *cluster);
    for (int i = 0; i < size; rows += i / 4 * 4 + 4, ++i)
        for (int j = 0; j <= i; ++j)
            rows[j] = (float)((const double *)from->inverse[i])[j];
    for (int j = 0; j < size; columns += CLUSTER_SIZE - j / 4 * 4, ++j)
        for (int i = j; i < size; ++i)
            columns[i - j / 4 * 4] = (float)((const double *)from->inverse[i])[j];
}

// All clusters of a part.
static void cluster_factor(Clusters *clusters, int32_t part)
{
    ClusterBlock block;
    for (int32_t c = clusters->first[part]; c < clusters->first[part + 1]; ++c) {
        const int32_t first = clusters->start[c], end = clusters->start[c + 1];
        cluster_gather(clusters->matrix, first, end, &block);
        cluster_invert(&block);
        cluster_keep(&block, 3 * (end - first), &clusters->items[c]);
    }
}

LANES_INLINE Quad cluster_load(const float *numbers)
{
    return __builtin_convertvector(*(const SmallQuad *)numbers, Quad);
}

// z = K^T K r of one cluster; returns |K r|^2, four partial sums of it.
LANES_INLINE Quad cluster_apply(const Cluster *cluster, const double *r, double *z)
{
    const float *columns = cluster->columns, *rows = cluster->rows;
    Quad u[3] = {{0}}, out[3] = {{0}};
    for (int j = 0; j < 4; ++j, columns += 12)
        for (int q = 0; q < 3; ++q)
            u[q] += r[j] * cluster_load(columns + 4 * q);
    for (int j = 4; j < 8; ++j, columns += 8)
        for (int q = 1; q < 3; ++q)
            u[q] += r[j] * cluster_load(columns + 4 * q - 4);
    for (int j = 8; j < 12; ++j, columns += 4)
        u[2] += r[j] * cluster_load(columns);
    for (int i = 0; i < 4; ++i, rows += 4)
        out[0] += u[0][i] * cluster_load(rows);
    for (int i = 0; i < 4; ++i, rows += 8)
        for (int q = 0; q < 2; ++q)
            out[q] += u[1][i] * cluster_load(rows + 4 * q);
    for (int i = 0; i < 4; ++i, rows += 12)
        for (int q = 0; q < 3; ++q)
            out[q] += u[2][i] * cluster_load(rows + 4 * q);
    for (int q = 0; q < 3; ++q)
        ((UnalignedQuad *)z)[q] = out[q];
    return u[0] * u[0] + (u[1] * u[1] + u[2] * u[2]);
}

// z = P^-1 r over a part; returns r.z.
static double cluster_solve(const Clusters *clusters, int32_t part, const double *r, double *z)
{
    Quad sum = {0};
    for (int32_t c = clusters->first[part]; c < clusters->first[part + 1]; ++c) {
        const size_t first = 3 * (size_t)clusters->start[c],
                     size = 3 * (size_t)clusters->start[c + 1] - first;
        if (size == CLUSTER_SIZE) {
            sum += cluster_apply(&clusters->items[c], r + first, z + first);
            continue;
        }
        double right[CLUSTER_SIZE] = {0}, left[CLUSTER_SIZE];
        memcpy(right, r + first, size * sizeof *right);
        sum += cluster_apply(&clusters->items[c], right, left);
        memcpy(z + first, left, size * sizeof *left);
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

#endif
