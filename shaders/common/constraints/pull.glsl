// J^T lambda of a node. Define `real row_number(uint row)`, lambda, and declare the buffers `slopes` and `lists` and the push constants before.
#ifndef COMMON_CONSTRAINTS_PULL_GLSL
#define COMMON_CONSTRAINTS_PULL_GLSL

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

#endif
