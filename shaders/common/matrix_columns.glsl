// Columns of the global matrix, two in a word where a slice's are near one another (abi/linear.h). Declare the buffers `matrix_rows`
// and `columns` and node_count before.
#ifndef COMMON_MATRIX_COLUMNS_GLSL
#define COMMON_MATRIX_COLUMNS_GLSL

#include "abi/linear.h"
#include "common/matrix_rows.glsl"

/// Entries of a row that a kernel has under way together.
const uint ENTRIES_AT_ONCE = 4u;

/// Number k of the entries from e on, none behind the slice's `end`.
uint entry_at_once(uint e, uint k, uint end)
{
    return min(e + k * SLICE_ROWS, end - SLICE_ROWS + e % SLICE_ROWS);
}

struct RowColumns {
    uint first; ///< entry
    uint words, base;
};

/// Of the row at `place`, whose first entry is `first`.
RowColumns row_columns(uint place, uint first)
{
    const uint at = slice_count() + 1u + node_count + 2u * (place / SLICE_ROWS);
    return RowColumns(first, matrix_rows[at] + place % SLICE_ROWS, matrix_rows[at + 1u]);
}

/// Where a row is: its loads do not wait for one another.
struct RowHead {
    uint node;
    uvec2 entries; ///< of the diagonal; where the slice ends
    RowColumns columns;
};

RowHead row_head(uint place)
{
    const uvec2 entries = row_entries(place);
    return RowHead(row_node(place), entries, row_columns(place, entries.x));
}

/// The column of the row's entry e.
uint column_of(RowColumns row, uint e)
{
    const uint j = (e - row.first) / SLICE_ROWS;
    if (row.base == SLICE_IS_WIDE)
        return columns[row.words + j * SLICE_ROWS];
    const uint word = columns[row.words + j / 2u * SLICE_ROWS];
    return row.base + (j % 2u == 0u ? word & 0xffffu : word >> 16);
}

#endif
