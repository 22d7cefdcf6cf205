/// One dense front of a sparse Cholesky factor (sparse_factor.h), and the kernels that work on it.
#ifndef DEVICE_CPU_LINEAR_DENSE_FRONT_H
#define DEVICE_CPU_LINEAR_DENSE_FRONT_H

#include <stdbool.h>
#include <stdint.h>

/// Rows and columns are taken in blocks of so many; rows that are left over are 0, pivots 1.
enum { FRONT_BLOCK = 8, FRONT_TILE = FRONT_BLOCK * FRONT_BLOCK };

/// Its unknowns come first, then those of its border, which later fronts eliminate. Eight rows of a column lie side by side.
typedef struct DenseFront {
    int32_t own, border; ///< blocks
    double *
        panel; ///< [own + border][FRONT_BLOCK own][FRONT_BLOCK]: its columns; what is above the diagonal plays no part
    double *pivots; ///< [own] tiles: the factors of the diagonal's blocks, their own diagonals inverted
    double *rest;   ///< the border's part, on the diagonal and below: row block b has b + 1 tiles
} DenseFront;

static inline double *front_rest(const DenseFront *front, int32_t block)
{
    return front->rest + FRONT_TILE * ((int64_t)block * (block + 1) / 2);
}

typedef struct FrontKernels {
    /// Brings the column blocks before `column` to bear on that column and factors it, in the row blocks first <= b < end, none of which is
    /// before it. Any share of its rows at a time, all before the next column. False where a pivot is not positive.
    bool (*factor)(const DenseFront *front, int32_t column, int32_t first, int32_t end);
    /// rest = -L L^T of the border's row blocks first <= b < end.
    void (*update)(const DenseFront *front, int32_t first, int32_t end);
    /// x, own unknowns: L^-1 x; `carry`, the border's: less what L takes from it.
    void (*forward)(const DenseFront *front, double *x, double *carry);
    /// x, own unknowns and then the border's, which are solved: own ones become L^-T of themselves less what the border takes.
    void (*backward)(const DenseFront *front, double *x);
} FrontKernels;

#endif
