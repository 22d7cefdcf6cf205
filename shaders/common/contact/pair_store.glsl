// Leaves a pair for its entries in the matrix. Declare the buffers `corners` and `pairs` before.
#ifndef COMMON_CONTACT_PAIR_STORE_GLSL
#define COMMON_CONTACT_PAIR_STORE_GLSL

#include "abi/barrier.h"
#include "common/real.glsl"

void pair_store(uint pair, uint vertices[4], real3 gradient[4], real3 factors[12])
{
    uint mask = 0u;
    for (uint i = 0u; i < 4u; ++i) {
        const real3 size = abs(gradient[i]) + abs(factors[i]) + abs(factors[4u + i]) + abs(factors[8u + i]);
        mask |= size.x + size.y + size.z != real(0.0) ? 1u << i : 0u;
        corners[PAIR_CORNERS * pair + i] = vertices[i];
        pairs[PAIR_DATA * pair + i] = gradient[i];
    }
    corners[PAIR_CORNERS * pair + PAIR_MASK] = mask;
    for (uint i = 0u; i < 12u; ++i)
        pairs[PAIR_DATA * pair + PAIR_FACTORS + i] = factors[i];
}

#endif
