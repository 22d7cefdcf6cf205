// Places in the buffers of a system of constraints: vectors of the linear solve, of reals; and as exact numbers the sum of all solutions, and what
// goes from step to step. Declare node_count and row_count before.
#ifndef COMMON_CONSTRAINTS_PLACES_GLSL
#define COMMON_CONSTRAINTS_PLACES_GLSL

#include "abi/saddle.h"

/// Of a vector's numbers for a node.
uint node_place(uint vector, uint node)
{
    return vector * (3u * node_count + row_count) + 3u * node;
}

uint row_place(uint vector, uint row)
{
    return vector * (3u * node_count + row_count) + 3u * node_count + row;
}

/// Of component k of the way d.
uint way_place(uint node, uint k)
{
    return 3u * node + k;
}

uint lambda_place(uint row)
{
    return 3u * node_count + row;
}

/// Of what goes from step to step.
uint multiplier_place(uint row)
{
    return 3u * node_count + row_count + row;
}

#endif
