// Vectors of the linear solve of constraints at a node. Declare the buffer `vectors` and node_count and row_count before.
#ifndef COMMON_CONSTRAINTS_VECTORS_GLSL
#define COMMON_CONSTRAINTS_VECTORS_GLSL

#include "common/constraints/places.glsl"
#include "common/real.glsl"

real3 node_vector(uint vector, uint node)
{
    const uint at = node_place(vector, node);
    return real3(vectors[at], vectors[at + 1u], vectors[at + 2u]);
}

void set_node_vector(uint vector, uint node, real3 value)
{
    const uint at = node_place(vector, node);
    vectors[at] = value.x;
    vectors[at + 1u] = value.y;
    vectors[at + 2u] = value.z;
}

#endif
