// Corner forces of copies for damping: on the side that sees all they join those of the elements, others have a place of their own. Declare the
// buffers `corner_places`, `corner_forces` and `rigid_corners` before.
#ifndef COMMON_ELEMENTS_COPY_SCATTER_GLSL
#define COMMON_ELEMENTS_COPY_SCATTER_GLSL

#define SCATTER_OWN

#include "common/elements/damping_copies.glsl"

uint scatter_side;

void scatter_force(uint place, real3 force)
{
    if (scatter_side == ABI_DAMPED_AS_IS)
        corner_forces[corner_places[place]] += force;
    else
        rigid_corners[corner_places[place]] = force;
}

#include "common/elements/scatter.glsl"

#endif
