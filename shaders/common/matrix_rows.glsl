// Rows of the global matrix, in slices and in the order of the model's nodes (abi/linear.h). Declare the buffer `matrix_rows` and
// node_count before.
#ifndef COMMON_MATRIX_ROWS_GLSL
#define COMMON_MATRIX_ROWS_GLSL

#include "abi/linear.h"

/// The node whose row is at `place`.
uint row_node(uint place)
{
    return matrix_rows[(node_count + SLICE_ROWS - 1u) / SLICE_ROWS + 1u + place];
}

/// The row's first entry, that of the diagonal; and where its slice ends.
uvec2 row_entries(uint place)
{
    const uint slice = place / SLICE_ROWS;
    return uvec2(matrix_rows[slice] + place % SLICE_ROWS, matrix_rows[slice + 1u]);
}

#endif
