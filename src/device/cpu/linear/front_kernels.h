/// The kernels of dense fronts, for the table of kernels. Every number is summed in the order of the columns.
#ifndef DEVICE_CPU_LINEAR_FRONT_KERNELS_H
#define DEVICE_CPU_LINEAR_FRONT_KERNELS_H

#include "base/lanes.h"
#include "device/cpu/linear/dense_front.h"

#include <string.h>

_Static_assert((int)FRONT_BLOCK == (int)LANE_COUNT, "a column of a tile is a set of lanes");

/// As many columns at a time as eight registers hold sums.
enum { COLUMNS_AT_ONCE = FRONT_BLOCK / PACKS_PER_LANES };

// tile = start - rows columns^T over `count` columns of both; `start` may be the tile, NULL: 0.
LANES_INLINE void tile_subtract(const double *start, const double *rows, const double *columns, int32_t count,
                                double *tile)
{
    for (int c = 0; c < FRONT_BLOCK; c += COLUMNS_AT_ONCE) {
        Pack sums[COLUMNS_AT_ONCE][PACKS_PER_LANES];
        for (int i = 0; i < COLUMNS_AT_ONCE; ++i)
            for (int part = 0; part < PACKS_PER_LANES; ++part)
                sums[i][part] =
                    start ? (Pack)((const PackOfLanes *)(start + FRONT_BLOCK * (c + i)))[part] : (Pack){0};
        for (int32_t k = 0; k < count; ++k) {
            const PackOfLanes *row = (const PackOfLanes *)(rows + FRONT_BLOCK * (int64_t)k);
            const double *column = columns + FRONT_BLOCK * (int64_t)k + c;
            for (int i = 0; i < COLUMNS_AT_ONCE; ++i)
                for (int part = 0; part < PACKS_PER_LANES; ++part)
                    sums[i][part] -= row[part] * pack_set(column[i]);
        }
        for (int i = 0; i < COLUMNS_AT_ONCE; ++i)
            for (int part = 0; part < PACKS_PER_LANES; ++part)
                ((PackOfLanes *)(tile + FRONT_BLOCK * (c + i)))[part] = sums[i][part];
    }
}

// L of L L^T of a diagonal tile, its lower half; 1 in the place of a pivot that is not positive.
LANES_INLINE bool tile_factor(Lanes tile[FRONT_BLOCK])
{
    bool good = true;
    for (int c = 0; c < FRONT_BLOCK; ++c) {
        const double pivot = tile[c][c];
        good = good && pivot > 0;
        const double inverse = pivot > 0 ? 1 / sqrt(pivot) : 1;
        tile[c] *= inverse - (Lanes){0};
        for (int d = c + 1; d < FRONT_BLOCK; ++d)
            tile[d] -= tile[c] * (tile[c][d] - (Lanes){0});
        tile[c][c] = inverse;
    }
    return good;
}

static bool front_factor(const DenseFront *front, int32_t column, int32_t first, int32_t end)
{
    const int64_t stride = FRONT_TILE * (int64_t)front->own;
    const int32_t before = FRONT_BLOCK * column;
    const double *own_row = front->panel + column * stride;
    Lanes pivots[FRONT_BLOCK];
    tile_subtract(own_row + FRONT_BLOCK * before, own_row, own_row, before, (double *)pivots);
    const bool good = tile_factor(pivots);
    if (first <= column)
        memcpy(front->pivots + FRONT_TILE * (int64_t)column, pivots, sizeof pivots);
    for (int32_t b = first > column ? first : column + 1; b < end; ++b) {
        double *row = front->panel + b * stride, *tile = row + FRONT_BLOCK * before;
        tile_subtract(tile, row, own_row, before, tile);
        Lanes *columns = (Lanes *)tile;
        for (int c = 0; c < FRONT_BLOCK; ++c) {
            Lanes sum = columns[c];
            for (int k = 0; k < c; ++k)
                sum -= columns[k] * (pivots[k][c] - (Lanes){0});
            columns[c] = sum * (pivots[c][c] - (Lanes){0});
        }
    }
    return good;
}

static void front_update(const DenseFront *front, int32_t first, int32_t end)
{
    const int64_t stride = FRONT_TILE * (int64_t)front->own;
    const double *border = front->panel + front->own * stride;
    for (int32_t b = first; b < end; ++b)
        for (int32_t c = 0; c <= b; ++c)
            tile_subtract(NULL, border + b * stride, border + c * stride, FRONT_BLOCK * front->own,
                          front_rest(front, b) + FRONT_TILE * (int64_t)c);
}

// x, eight numbers, less the product of a row block's first `count` columns with y.
LANES_INLINE void row_subtract(double *x, const double *row, const double *y, int32_t count)
{
    Lanes even = *(const Lanes *)x, odd = {0};
    for (int32_t k = 0; k < count; k += 2) {
        even -= *(const Lanes *)(row + FRONT_BLOCK * (int64_t)k) * (y[k] - (Lanes){0});
        odd -= *(const Lanes *)(row + FRONT_BLOCK * (int64_t)(k + 1)) * (y[k + 1] - (Lanes){0});
    }
    *(Lanes *)x = even + odd;
}

static void front_forward(const DenseFront *front, double *x, double *carry)
{
    const int64_t stride = FRONT_TILE * (int64_t)front->own;
    for (int32_t j = 0; j < front->own; ++j) {
        double *own = x + FRONT_BLOCK * (int64_t)j;
        const double *pivots = front->pivots + FRONT_TILE * (int64_t)j;
        row_subtract(own, front->panel + j * stride, x, FRONT_BLOCK * j);
        for (int c = 0; c < FRONT_BLOCK; ++c) {
            own[c] *= pivots[(FRONT_BLOCK + 1) * c];
            for (int d = c + 1; d < FRONT_BLOCK; ++d)
                own[d] -= pivots[FRONT_BLOCK * c + d] * own[c];
        }
    }
    for (int32_t b = 0; b < front->border; ++b)
        row_subtract(carry + FRONT_BLOCK * (int64_t)b, front->panel + (front->own + b) * stride, x,
                     FRONT_BLOCK * front->own);
}

static void front_backward(const DenseFront *front, double *x)
{
    const int64_t stride = FRONT_TILE * (int64_t)front->own;
    for (int32_t j = front->own - 1; j >= 0; --j) {
        double *own = x + FRONT_BLOCK * (int64_t)j;
        const double *pivots = front->pivots + FRONT_TILE * (int64_t)j;
        Lanes sums[FRONT_BLOCK];
        memset(sums, 0, sizeof sums);
        for (int32_t b = j + 1; b < front->own + front->border; ++b) {
            const Lanes *tile = (const Lanes *)(front->panel + b * stride + FRONT_TILE * (int64_t)j);
            const Lanes there = *(const Lanes *)(x + FRONT_BLOCK * (int64_t)b);
            for (int c = 0; c < FRONT_BLOCK; ++c)
                sums[c] += tile[c] * there;
        }
        for (int c = FRONT_BLOCK - 1; c >= 0; --c) {
            const double *s = (const double *)&sums[c];
            double sum = own[c] - (((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7])));
            for (int d = c + 1; d < FRONT_BLOCK; ++d)
                sum -= pivots[FRONT_BLOCK * c + d] * own[d];
            own[c] = sum * pivots[(FRONT_BLOCK + 1) * c];
        }
    }
}

#endif
