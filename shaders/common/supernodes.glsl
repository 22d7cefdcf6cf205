// Sets of supernodes of the coarse matrix (abi/coarse.h), a bit each.
#ifndef COMMON_SUPERNODES_GLSL
#define COMMON_SUPERNODES_GLSL

#include "abi/coarse.h"

/// The set of those before number `end`.
uvec2 supernodes_before(uint end)
{
    return uvec2(end < 32u ? (1u << end) - 1u : 0xffffffffu, end > 32u ? 0xffffffffu >> (64u - min(end, 64u)) : 0u);
}

uvec2 supernode_set(uint supernode)
{
    return supernode < 32u ? uvec2(1u << supernode, 0u) : uvec2(0u, 1u << (supernode - 32u));
}

bool supernodes_have(uvec2 set, uint supernode)
{
    return (set & supernode_set(supernode)) != uvec2(0u);
}

/// The first one of a set that is not empty.
uint supernodes_first(uvec2 set)
{
    return set.x != 0u ? uint(findLSB(set.x)) : 32u + uint(findLSB(set.y));
}

/// Those that unknowns from `first` to before `end` of all groups' motions belong to; end > first.
uvec2 supernodes_of_unknowns(uint first, uint end)
{
    const uint size = COARSE_MODES * COARSE_ELIMINATED;
    return supernodes_before((end + size - 1u) / size) & ~supernodes_before(first / size);
}

#endif
