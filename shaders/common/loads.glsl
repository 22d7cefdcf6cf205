// Forces of loads at nodes. Declare the buffers `flags` and `loads` before.
#ifndef COMMON_LOADS_GLSL
#define COMMON_LOADS_GLSL

#include "abi/nodes.h"
#include "common/real.glsl"

/// N.
real3 load_at(uint i)
{
    return (flags[i] & NODE_IS_LOADED) != 0u ? loads[i] : real3(0.0);
}

#endif
