// What a step along the direction does to an element. Declare the buffer `increment` and what gather.glsl wants before.
#ifndef COMMON_ELEMENTS_GATHER_INCREMENT_GLSL
#define COMMON_ELEMENTS_GATHER_INCREMENT_GLSL

#include "common/elements/gather.glsl"

/// dF of element e over the whole direction.
void gather_increment(uint e, real g[ELEMENT_SHAPES], out real change[ELEMENT_SIZE])
{
    const real3 d0 = increment[element_nodes[corner_place(e, 0u)]];
    real3 edges[ELEMENT_CORNERS - 1];
    for (uint a = 1u; a < ELEMENT_CORNERS; ++a)
        edges[a - 1u] = increment[element_nodes[corner_place(e, a)]] - d0;
    gradient_of(edges, g, change);
}

/// A number of F after a step.
real after_step(real f, real step, real change)
{
    return f + step * change;
}

#ifdef ELEMENT_FLOAT_FLOAT
Exact after_step(Exact f, real step, real change)
{
    return exact_add(f, exact_product(step, change));
}
#endif

#endif
