// J^T lambda of a node and J v of a row. Define `real row_number(uint row)` and `real3 node_number(uint node)`, the vector that they are of, and
// declare `slopes`, `lists` and the push constants before.
#ifndef COMMON_CONSTRAINTS_PRODUCTS_GLSL
#define COMMON_CONSTRAINTS_PRODUCTS_GLSL

#include "common/constraints/kinds.glsl"
#include "common/constraints/lists.glsl"
#include "common/real.glsl"

real3 pull_of_rows(uint node)
{
    real3 sum = real3(0.0);
    const uvec2 pulls = node_pulls(node);
    for (uint p = pulls.x; p < pulls.y; p += PULL_WORDS) {
        const uint c = lists[p + PULL_CONSTRAINT], rows = CONSTRAINT_ROWS[constraint_word(c, CONSTRAINT_KIND)],
                   at = constraint_word(c, CONSTRAINT_FIRST_SLOPE) / 3u + rows * lists[p + PULL_ENTRY],
                   row = constraint_word(c, CONSTRAINT_FIRST_ROW);
        for (uint r = 0u; r < rows; ++r)
            sum += row_number(row + r) * slopes[at + r];
    }
    return sum;
}

void way_of_nodes(uint c, uint rows, out real way[CONSTRAINT_ROWS_MOST])
{
    const uint first = constraint_word(c, CONSTRAINT_FIRST_ENTRY);
    uint at = constraint_word(c, CONSTRAINT_FIRST_SLOPE) / 3u;
    for (uint r = 0u; r < rows; ++r)
        way[r] = real(0.0);
    for (uint e = first; e < first + constraint_word(c, CONSTRAINT_ENTRY_COUNT); ++e) {
        const real3 v = node_number(entry_word(e, ENTRY_NODE));
        for (uint r = 0u; r < rows; ++r, ++at)
            way[r] += dot(slopes[at], v);
    }
}

#endif
