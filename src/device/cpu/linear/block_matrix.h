/// The sparse matrix of Newton's method on the CPU path: 3x3 blocks in compressed rows over the free nodes, its pattern
/// fixed by the mesh. Rows and vectors are in the order of NodeOrder, free nodes first.
#ifndef DEVICE_CPU_LINEAR_BLOCK_MATRIX_H
#define DEVICE_CPU_LINEAR_BLOCK_MATRIX_H

#include "base/team.h"
#include "device/cpu/linear/matrix_parts.h"
#include "device/cpu/terms/elements.h"

/// Blocks beside the fixed pattern, of terms that couple other nodes in every direction (contact, friction). Rows, columns
/// and blocks as in BlockMatrix; those on the diagonal are there.
typedef struct ChangingBlocks {
    int32_t *row_start, *row_end; ///< of every row; NULL: there are no blocks
    int32_t *columns;             ///< ascending in each row, each once
    double (*values)[9];          ///< and behind them one number that is read and not used
} ChangingBlocks;

typedef struct BlockMatrix {
    int32_t row_count;     ///< free nodes
    int32_t coupled_count; ///< the first of them, in fours that one body has (NodeOrder)
    int32_t column_count;  ///< all nodes
    int32_t *stack_of;     ///< of every row, as NodeOrder has it of nodes; NULL: there are no stacks
    uint8_t *stack_moves;  ///< likewise
    int32_t *row_start;    ///< row_count + 1
    int32_t *columns;      ///< ascending in each row
    int32_t part_count;    ///< at most PARTS_MOST
    int32_t *
        part_start; ///< part_count + 1 rows: what sums run over in order and threads take, whatever their number
    int32_t *diagonal; ///< where each row's diagonal block is
    int32_t *mirror;   ///< where a block below the diagonal has its transpose; -1 for all others
    double *values;    ///< 9 a block, column by column, and one more that is read and not used

    ChangingBlocks changing;

    // Element blocks are written to a list that fits into the cache, a batch of elements at a time, and summed from there:
    // contributions run_start[r] to run_start[r + 1] of the list belong to block run_blocks[r].
    int32_t batch_count;
    ElementChunk *batches; ///< of one kind each
    int32_t *batch_runs;   ///< batch_count + 1: first run of each batch
    int32_t *run_start;    ///< a batch begins at 0; its last run ends where its contributions do
    int32_t *run_blocks;
    double *contributions; ///< 9 each
} BlockMatrix;

/// Blocks of elements whose contributions are summed together.
enum { BUNDLES_PER_BATCH = 128 };

/// Fills the groups' matrix_entries too. Owned by the arena.
VelaResult block_matrix_build(VelaContext *context, const Model *model, Arena *arena, CpuElements *elements,
                              BlockMatrix *matrix);
/// Which block of the fixed pattern is at a row and a column; it has to be there.
int32_t block_matrix_find(const BlockMatrix *matrix, int32_t row, int32_t column);
/// Sets the blocks of the fixed pattern to 0.
void block_matrix_clear(BlockMatrix *matrix, int threads);
/// Sums the contributions of a batch onto the blocks of the diagonal and above, which start at 0. By all threads of a region, which wait for each other.
void block_matrix_sum(BlockMatrix *matrix, int32_t batch, Team *team);
/// Fills the blocks below the diagonal.
void block_matrix_mirror(BlockMatrix *matrix, int threads);
/// The same as block_matrix_clear and block_matrix_mirror of some rows alone.
void block_matrix_clear_rows(BlockMatrix *matrix, int32_t count, const int32_t *rows);
void block_matrix_mirror_rows(BlockMatrix *matrix, int32_t count, const int32_t *rows);

#endif
