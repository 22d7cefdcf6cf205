#include "device/cpu/linear/rounded_matrix.h"

VelaResult rounded_matrix_create(Arena *arena, const BlockMatrix *matrix, size_t least,
                                 RoundedMatrix *rounded)
{
    const size_t blocks = (size_t)matrix->row_start[matrix->row_count];
    *rounded = (RoundedMatrix){.matrix = matrix};
    if (blocks < least)
        return VELA_OK;
    TRY(ARENA_ARRAY(arena, rounded->remainders, (size_t)matrix->row_count + 1));
    return ARENA_ARRAY(arena, rounded->values, 9 * blocks + 3);
}

size_t rounded_matrix_memory(size_t rows, size_t blocks)
{
    return blocks < ROUNDED_BLOCKS_LEAST ? 0 : sizeof(float) * 9 * (blocks + rows);
}

// What rounding takes from the row's blocks, those on the diagonal included, but for the part that is not symmetric, which no translation's
// energy has.
static void round_row(RoundedMatrix *rounded, int32_t row)
{
    const BlockMatrix *matrix = rounded->matrix;
    double taken[9] = {0};
    for (size_t p = (size_t)matrix->row_start[row]; p < (size_t)matrix->row_start[row + 1]; ++p)
        for (size_t k = 0; k < 9; ++k) {
            const double value = matrix->values[9 * p + k];
            rounded->values[9 * p + k] = (float)value;
            taken[k] += value - (double)(float)value;
        }
    for (size_t k = 0; k < 9; ++k)
        rounded->remainders[row][k] = (float)(0.5 * (taken[k] + taken[3 * (k % 3) + k / 3]));
}

void rounded_matrix_update(RoundedMatrix *rounded, int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int32_t part = 0; part < rounded->matrix->part_count; ++part)
        for (int32_t row = rounded->matrix->part_start[part]; row < rounded->matrix->part_start[part + 1];
             ++row)
            round_row(rounded, row);
}
