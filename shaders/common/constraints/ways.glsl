// J v of a constraint. Define `real3 node_number(uint node)`, v, and declare the buffers `slopes` and `lists` and the push constants before.
#ifndef COMMON_CONSTRAINTS_WAYS_GLSL
#define COMMON_CONSTRAINTS_WAYS_GLSL

#include "common/constraints/kinds.glsl"
#include "common/constraints/lists.glsl"
#include "common/real.glsl"

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
