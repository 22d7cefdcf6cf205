/// A copy of Newton's matrix in single precision for conjugate gradients, where the matrix is so large that its product with a vector waits for
/// memory alone. Sums are double. Rounding leaves translations what they cost, however stiff the bodies are: what it takes from a row is put
/// on the diagonal, in two numbers each.
#ifndef DEVICE_CPU_LINEAR_ROUNDED_MATRIX_H
#define DEVICE_CPU_LINEAR_ROUNDED_MATRIX_H

#include "device/cpu/linear/block_matrix.h"

/// Where a copy pays, blocks of 9 doubles: fewer fit caches, and widening numbers takes what loads save. At 260,000 both take as long.
enum { ROUNDED_BLOCKS_LEAST = 350000 };

typedef struct RoundedMatrix {
    const BlockMatrix *matrix;
    float *
        values; ///< as those of the matrix's fixed pattern, and three numbers more that are read and not used; NULL: none
    float (*remainders)[9]; ///< of every row, and one more: what its diagonal block has beyond that
} RoundedMatrix;

/// Owned by the arena; nothing of a matrix of fewer blocks than `least`.
VelaResult rounded_matrix_create(Arena *arena, const BlockMatrix *matrix, size_t least,
                                 RoundedMatrix *rounded);
/// Rounds what the matrix has.
void rounded_matrix_update(RoundedMatrix *rounded, int threads);
/// Bytes for a matrix of so many rows and blocks.
size_t rounded_matrix_memory(size_t rows, size_t blocks);

#endif
