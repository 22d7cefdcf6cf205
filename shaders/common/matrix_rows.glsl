// Rows of the global matrix, in slices and in the order of the model's nodes (abi/linear.h). Declare the buffer `matrix_rows` and
// node_count before.
#ifndef COMMON_MATRIX_ROWS_GLSL
#define COMMON_MATRIX_ROWS_GLSL

#include "abi/linear.h"

uint slice_count()
{
    return (node_count + SLICE_ROWS - 1u) / SLICE_ROWS;
}

/// Words that the matrix has; columns' heads are the last of them.
uint matrix_row_words()
{
    return 3u * slice_count() + 1u + node_count;
}

/// The node whose row is at `place`.
uint row_node(uint place)
{
    return matrix_rows[slice_count() + 1u + place];
}

/// The row's first entry, that of the diagonal; and where its slice ends.
uvec2 row_entries(uint place)
{
    const uint slice = place / SLICE_ROWS;
    return uvec2(matrix_rows[slice] + place % SLICE_ROWS, matrix_rows[slice + 1u]);
}

#endif
