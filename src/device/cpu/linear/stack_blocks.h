/// A level of the preconditioner between nodes and clusters, on the CPU path: what lies on one another in flat or long cells (model/node_stacks.h) moves together
/// in three directions, with the matrix restricted to that. A node's own block there is nearly all that holds it to the others of its stack, so without
/// this level a stack as a whole would hardly move.
#ifndef DEVICE_CPU_LINEAR_STACK_BLOCKS_H
#define DEVICE_CPU_LINEAR_STACK_BLOCKS_H

#include "device/cpu/linear/block_matrix.h"

typedef struct StackBlock {
    int32_t first, end; ///< rows, of one part
    double inverse[9];  ///< of the sum of all blocks between them
    double motion[3];   ///< the solution
} StackBlock;

typedef struct StackBlocks {
    StackBlock *blocks; ///< those of a part behind those of the part before
    int32_t *starts;    ///< part_count + 1: where those of each part begin; NULL: there are none
} StackBlocks;

VelaResult stack_blocks_create(Arena *arena, const BlockMatrix *matrix, StackBlocks *stacks);
/// The sum of the matrix's blocks between the rows of a stack, contact's included, column by column.
void stack_block_sum(const BlockMatrix *matrix, const StackBlock *block, double sum[9]);
/// What the stacks of a part move by for the right-hand side r, rows x 3. Returns their part of r.z.
double stack_blocks_solve(const StackBlocks *stacks, int32_t part, const double *r);
/// Adds that to y, rows x 3.
void stack_blocks_move(const StackBlocks *stacks, int32_t part, double *y);
/// Bytes of as many rows' stacks, at most.
size_t stack_blocks_memory(int32_t rows, int32_t parts);

#endif
