// Stacks of nodes, a level of the preconditioner between nodes and clusters (abi/coarse.h). Declare the buffers `matrix_rows` and `cluster_roots` and the words of
// common/linear_push.glsl before.
#ifndef COMMON_STACKS_GLSL
#define COMMON_STACKS_GLSL

#include "abi/coarse.h"
#include "abi/kernel.h"
#include "common/coarse_stripes.glsl"

/// Whether there are any.
layout(constant_id = SPEC_FIRST_OWN + 2) const bool HAS_STACKS = false;

/// Of the row at `place`; 0: it is in none.
uint stack_word(uint place)
{
    return stripe_word(stacks + place);
}

uint stack_count(uint word)
{
    return 1u + (word & (STACK_NODES_MOST - 1u));
}

/// Which of its rows it is.
uint stack_row(uint word)
{
    return word >> STACK_ROW_BITS & (STACK_NODES_MOST - 1u);
}

/// Where its numbers are.
uint stack_factors(uint word)
{
    return CLUSTER_ROOT_SIZE * cluster_count + STACK_FACTORS_SIZE * (word >> 2u * STACK_ROW_BITS);
}

#endif
