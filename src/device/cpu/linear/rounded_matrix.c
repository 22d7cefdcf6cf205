#include "device/cpu/linear/rounded_matrix.h"

#include <omp.h>
#include <string.h>

/// Where a row's block goes.
typedef enum Destination { TO_LATER, TO_OTHERS, TO_DIAGONAL, KEPT_ELSEWHERE } Destination;

// `first`, `end`: the part that the row belongs to.
static Destination destination(int32_t row, int32_t column, int32_t first, int32_t end)
{
    return column < first || column >= end ? TO_OTHERS
           : column > row                  ? TO_LATER
           : column == row                 ? TO_DIAGONAL
                                           : KEPT_ELSEWHERE;
}

// Appends the columns of a row's blocks that go to one place to a list of `count`; returns how many there are then.
static int32_t list_columns(RoundedMatrix *rounded, int32_t row, int32_t part, Destination wanted,
                            int32_t count)
{
    const BlockMatrix *matrix = rounded->matrix;
    for (int32_t p = matrix->row_start[row]; p < matrix->row_start[row + 1]; ++p)
        if (destination(row, matrix->columns[p], matrix->part_start[part], matrix->part_start[part + 1]) ==
            wanted)
            rounded->columns[count++] = matrix->columns[p];
    return count;
}

VelaResult rounded_matrix_create(Arena *arena, const BlockMatrix *matrix, size_t least, int threads,
                                 RoundedMatrix *rounded)
{
    const size_t blocks = (size_t)matrix->row_start[matrix->row_count];
    int32_t kept = 0;
    *rounded = (RoundedMatrix){.matrix = matrix};
    if (blocks < least)
        return VELA_OK;
    TRY(ARENA_ARRAY(arena, rounded->row_start, (size_t)matrix->row_count + 1));
    TRY(ARENA_ARRAY(arena, rounded->other_start, matrix->row_count));
    TRY(ARENA_ARRAY(arena, rounded->columns, blocks));
    TRY(ARENA_ARRAY(arena, rounded->diagonal, (size_t)matrix->row_count + 1));
    for (int32_t part = 0; part < matrix->part_count; ++part) {
        const int32_t first = matrix->part_start[part], end = matrix->part_start[part + 1];
        rounded->part_rows = end - first > rounded->part_rows ? end - first : rounded->part_rows;
        for (int32_t row = first; row < end; ++row) {
            rounded->row_start[row] = kept;
            rounded->other_start[row] = kept = list_columns(rounded, row, part, TO_LATER, kept);
            kept = list_columns(rounded, row, part, TO_OTHERS, kept);
        }
    }
    TRY(ARENA_ARRAY(arena, rounded->ahead, (size_t)threads * (size_t)rounded->part_rows));
    rounded->row_start[matrix->row_count] = kept;
    return ARENA_ARRAY(arena, rounded->values, 9 * (size_t)kept + 3);
}

size_t rounded_matrix_memory(size_t rows, size_t blocks)
{
    return blocks < ROUNDED_BLOCKS_LEAST ? 0
                                         : (9 * sizeof(float) + sizeof(int32_t)) * blocks +
                                               (9 * sizeof(double) + 2 * sizeof(int32_t)) * rows;
}

// What rounding takes from the row's blocks goes to the diagonal, but for the part that is not symmetric, which no translation's energy
// has.
static void round_row(RoundedMatrix *rounded, int32_t row, int32_t first, int32_t end)
{
    const BlockMatrix *matrix = rounded->matrix;
    float *next[] = {[TO_LATER] = rounded->values + 9 * (size_t)rounded->row_start[row],
                     [TO_OTHERS] = rounded->values + 9 * (size_t)rounded->other_start[row]};
    double taken[9] = {0}, *diagonal = rounded->diagonal[row];
    for (int32_t p = matrix->row_start[row]; p < matrix->row_start[row + 1]; ++p) {
        const double *from = matrix->values + 9 * (size_t)p;
        const Destination to = destination(row, matrix->columns[p], first, end);
        if (to == TO_DIAGONAL) {
            memcpy(diagonal, from, sizeof *rounded->diagonal);
            continue;
        }
        for (int k = 0; k < 9; ++k) {
            const float value = (float)from[k];
            taken[k] += from[k] - (double)value;
            if (to != KEPT_ELSEWHERE)
                *next[to]++ = value;
        }
    }
    for (int k = 0; k < 9; ++k)
        diagonal[k] += 0.5 * (taken[k] + taken[3 * (k % 3) + k / 3]);
}

void rounded_matrix_update(RoundedMatrix *rounded, int threads)
{
    const int32_t *start = rounded->matrix->part_start;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int32_t part = 0; part < rounded->matrix->part_count; ++part)
        for (int32_t row = start[part]; row < start[part + 1]; ++row)
            round_row(rounded, row, start[part], start[part + 1]);
}

Quad *rounded_matrix_room(const RoundedMatrix *rounded)
{
    return rounded->ahead + (size_t)omp_get_thread_num() * (size_t)rounded->part_rows;
}
