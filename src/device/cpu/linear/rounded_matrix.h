/// A copy of Newton's matrix in single precision for conjugate gradients, where the matrix is so large that its product with a vector waits for
/// memory alone. A block between two rows of one part is there once, for both of them. Sums are double. Rounding leaves translations what
/// they cost, however stiff the bodies are: what it takes from a row is put on the diagonal, which is double.
#ifndef DEVICE_CPU_LINEAR_ROUNDED_MATRIX_H
#define DEVICE_CPU_LINEAR_ROUNDED_MATRIX_H

#include "device/cpu/linear/block_matrix.h"
#include "device/cpu/linear/quad.h"

/// Where a copy pays, blocks of the matrix: fewer fit caches. At 115,000 both take as long, at 180,000 the copy an eighth less of a step.
enum { ROUNDED_BLOCKS_LEAST = 150000 };

typedef struct RoundedMatrix {
    const BlockMatrix *matrix;
    int32_t *
        row_start; ///< of every row, and one more: where its blocks begin, first those of later rows of its part
    int32_t *other_start; ///< of every row: where those of other parts' rows begin
    int32_t *columns;     ///< of these blocks
    float *values; ///< as the matrix's, and three numbers more that are read and not used; NULL: no copy
    double (*diagonal)
        [9];     ///< of every row, and one more: its diagonal block, and what rounding takes from the others
    Quad *ahead; ///< of each thread, part_rows: what earlier rows of a part add to later ones
    int32_t part_rows; ///< rows of the largest part
} RoundedMatrix;

/// Owned by the arena; nothing of a matrix of fewer blocks than `least`.
VelaResult rounded_matrix_create(Arena *arena, const BlockMatrix *matrix, size_t least, int threads,
                                 RoundedMatrix *rounded);
/// Rounds what the matrix has.
void rounded_matrix_update(RoundedMatrix *rounded, int threads);
/// Room of the calling thread, for the rows of any part.
Quad *rounded_matrix_room(const RoundedMatrix *rounded);
/// Bytes that a copy of a matrix of so many rows and blocks takes at most.
size_t rounded_matrix_memory(size_t rows, size_t blocks);

#endif
