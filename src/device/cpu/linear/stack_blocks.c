#include "device/cpu/linear/stack_blocks.h"

#include "base/matrix3.h"

#include <string.h>

size_t stack_blocks_memory(int32_t rows, int32_t parts)
{
    return sizeof(StackBlock) * ((size_t)rows / 2) + sizeof(int32_t) * ((size_t)parts + 1);
}

// The end of the stack that begins with a row, in its part.
static int32_t stack_end(const BlockMatrix *matrix, int32_t first, int32_t part_end)
{
    int32_t end = first + 1;
    while (end < part_end && matrix->stack_of[end] == matrix->stack_of[first])
        ++end;
    return end;
}

VelaResult stack_blocks_create(Arena *arena, const BlockMatrix *matrix, StackBlocks *stacks)
{
    *stacks = (StackBlocks){0};
    if (!matrix->stack_of)
        return VELA_OK;
    TRY(ARENA_ARRAY(arena, stacks->blocks, matrix->row_count / 2));
    TRY(ARENA_ARRAY(arena, stacks->starts, matrix->part_count + 1));
    int32_t next = 0;
    for (int32_t part = 0; part < matrix->part_count; ++part) {
        const int32_t part_end = matrix->part_start[part + 1];
        for (int32_t first = matrix->part_start[part], end; first < part_end; first = end) {
            end = stack_end(matrix, first, part_end);
            if (end - first > 1 && matrix->stack_moves[first])
                stacks->blocks[next++] = (StackBlock){.first = first, .end = end};
        }
        stacks->starts[part + 1] = next;
    }
    return VELA_OK;
}

// Adds those of a row's blocks that are in the stack's columns.
static void add_row(const StackBlock *block, int32_t count, const int32_t *columns, const double *values,
                    double sum[9])
{
    for (int32_t p = 0; p < count; ++p)
        if (columns[p] >= block->first && columns[p] < block->end)
            for (size_t k = 0; k < 9; ++k)
                sum[k] += values[9 * (size_t)p + k];
}

void stack_block_sum(const BlockMatrix *matrix, const StackBlock *block, double sum[9])
{
    const ChangingBlocks *changing = &matrix->changing;
    memset(sum, 0, 9 * sizeof *sum);
    for (int32_t row = block->first; row < block->end; ++row) {
        const int32_t start = matrix->row_start[row];
        add_row(block, matrix->row_start[row + 1] - start, matrix->columns + start,
                matrix->values + 9 * (size_t)start, sum);
        if (changing->row_start && changing->row_end[row] > changing->row_start[row])
            add_row(block, changing->row_end[row] - changing->row_start[row],
                    changing->columns + changing->row_start[row], changing->values[changing->row_start[row]],
                    sum);
    }
}

double stack_blocks_solve(const StackBlocks *stacks, int32_t part, const double *r)
{
    double product = 0;
    for (int32_t b = stacks->starts[part]; b < stacks->starts[part + 1]; ++b) {
        StackBlock *block = &stacks->blocks[b];
        double sum[3] = {0};
        for (int32_t row = block->first; row < block->end; ++row)
            add_scaled3(sum, 1, r + 3 * (size_t)row, sum);
        matrix3_apply(block->inverse, sum, block->motion);
        product += dot3(sum, block->motion);
    }
    return product;
}

void stack_blocks_move(const StackBlocks *stacks, int32_t part, double *y)
{
    for (int32_t b = stacks->starts[part]; b < stacks->starts[part + 1]; ++b) {
        const StackBlock *block = &stacks->blocks[b];
        for (int32_t row = block->first; row < block->end; ++row)
            add_scaled3(y + 3 * (size_t)row, 1, block->motion, y + 3 * (size_t)row);
    }
}
