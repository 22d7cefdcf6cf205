// J^T lambda and J d in exact numbers, of the solution so far: where constraints hold nearly, what is left is far below the rounding of its terms. Declare the
// buffers `slopes`, `lists`, `vectors`, `sums` and the push constants before.
#ifndef COMMON_CONSTRAINTS_EXACT_PRODUCTS_GLSL
#define COMMON_CONSTRAINTS_EXACT_PRODUCTS_GLSL

#include "common/constraints/kinds.glsl"
#include "common/constraints/lists.glsl"
#include "common/constraints/vectors.glsl"

/// What the sum of all solutions becomes with the last one.
Exact3 whole_way(uint node)
{
    const Exact3 sum = exact3_from(sums[way_place(node, 0u)], sums[way_place(node, 1u)], sums[way_place(node, 2u)]);
    return exact3_add(sum, exact3(node_vector(SADDLE_SOLUTION, node)));
}

/// The linear solve is for -lambda.
Exact whole_lambda(uint row)
{
    return exact_add(sums[lambda_place(row)], exact(-vectors[row_place(SADDLE_SOLUTION, row)]));
}

Exact times(real3 a, Exact3 b)
{
    return exact_dot(exact3(a), b);
}

/// sum + J^T lambda
Exact3 add_pull(uint node, Exact3 sum)
{
    const uvec2 pulls = node_pulls(node);
    for (uint p = pulls.x; p < pulls.y; p += PULL_WORDS) {
        const uint c = lists[p + PULL_CONSTRAINT], rows = CONSTRAINT_ROWS[constraint_word(c, CONSTRAINT_KIND)],
                   at = constraint_word(c, CONSTRAINT_FIRST_SLOPE) / 3u + rows * lists[p + PULL_ENTRY],
                   row = constraint_word(c, CONSTRAINT_FIRST_ROW);
        for (uint r = 0u; r < rows; ++r)
            sum = exact3_add(sum, exact3_scale(whole_lambda(row + r), exact3(slopes[at + r])));
    }
    return sum;
}

/// phi + J w + J d of a row
Exact whole_value(uint c, uint rows, uint r)
{
    const uint first = constraint_word(c, CONSTRAINT_FIRST_ENTRY);
    uint at = constraint_word(c, CONSTRAINT_FIRST_SLOPE) / 3u + r;
    Exact sum = exact(vectors[row_place(SADDLE_RIGHT, constraint_word(c, CONSTRAINT_FIRST_ROW) + r)]);
    for (uint e = first; e < first + constraint_word(c, CONSTRAINT_ENTRY_COUNT); ++e, at += rows)
        sum = exact_add(sum, times(slopes[at], whole_way(entry_word(e, ENTRY_NODE))));
    return sum;
}

#endif
