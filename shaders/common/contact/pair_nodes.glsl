// From the vertices of a pair to nodes: a vertex is a node itself, or (WEIGHED_VERTICES) a weighted sum of several. Declare the
// buffers `corners`, `starts` and `nodes` (of the surface map) before, and `pair_nodes`.
#ifndef COMMON_CONTACT_PAIR_NODES_GLSL
#define COMMON_CONTACT_PAIR_NODES_GLSL

#include "abi/barrier.h"

uint pair_mask(uint pair)
{
    return corners[PAIR_CORNERS * pair + PAIR_MASK];
}

uint pair_vertex(uint pair, uint i)
{
    return corners[PAIR_CORNERS * pair + i];
}

/// How many nodes, or vertices where these are nodes, a pair may have.
uint pair_node_places(uint pair)
{
    return WEIGHED_VERTICES ? pair_nodes[PAIR_NODES * pair] : 4u;
}

/// Whether place a of them is in use.
bool pair_has_node(uint pair, uint a)
{
    return WEIGHED_VERTICES || (pair_mask(pair) >> a & 1u) != 0u;
}

uint pair_node(uint pair, uint a)
{
    return WEIGHED_VERTICES ? pair_nodes[PAIR_NODES * pair + 1u + a] : nodes[starts[pair_vertex(pair, a)]];
}

#endif
