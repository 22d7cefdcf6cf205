// Lists of constraints (abi/saddle.h). Declare the buffer `lists` and constraint_count and entry_total before; for pulls also node_count.
#ifndef COMMON_CONSTRAINTS_LISTS_GLSL
#define COMMON_CONSTRAINTS_LISTS_GLSL

#include "abi/saddle.h"

uint constraint_word(uint c, uint word)
{
    return lists[CONSTRAINT_WORDS * c + word];
}

/// A word of entry e, counted through all constraints.
uint entry_word(uint e, uint word)
{
    return lists[CONSTRAINT_WORDS * constraint_count + ENTRY_WORDS * e + word];
}

/// Where a node's pulls start in the list, and where they end.
uvec2 node_pulls(uint node)
{
    const uint starts = CONSTRAINT_WORDS * constraint_count + ENTRY_WORDS * entry_total;
    const uint first = starts + node_count + 1u;
    return first + PULL_WORDS * uvec2(lists[starts + node], lists[starts + node + 1u]);
}

#endif
