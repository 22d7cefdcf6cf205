// The mass matrix: a diagonal, and for some nodes blocks of four that are coupled (MassBlock of src/model/model.h). Declare the
// buffers `masses` and node_count before; for the couplings also `flags`, `mass_lists` and `mass_blocks`.
#ifndef COMMON_MASSES_GLSL
#define COMMON_MASSES_GLSL

#include "abi/nodes.h"
#include "common/real.glsl"

/// What gravity pulls on and momentum counts, kg: the row's sum of the mass matrix.
Exact gravity_weight(uint i)
{
    return masses[node_count + i];
}

#ifdef MASS_COUPLINGS

bool is_coupled(uint i)
{
    return (flags[i] & NODE_IS_COUPLED) != 0u;
}

/// The coupled node k of the block of node i, 0 to 3.
uint coupled_node(uint i, uint k)
{
    return mass_lists[node_count + (mass_lists[i] & ~3u) + k];
}

/// Whether that is i itself.
bool is_own(uint i, uint k)
{
    return (mass_lists[i] & 3u) == k;
}

/// Entry of the block, kg, and of its inverse, 1/kg, in the row of node i.
Exact coupled_mass(uint i, uint k)
{
    return mass_blocks[MASS_BLOCK_SIZE * (mass_lists[i] >> 2) + 4u * (mass_lists[i] & 3u) + k];
}

Exact coupled_inverse(uint i, uint k)
{
    return mass_blocks[MASS_BLOCK_SIZE * (mass_lists[i] >> 2) + MASS_BLOCK_INVERSES + 4u * (mass_lists[i] & 3u) + k];
}

#endif
#endif
