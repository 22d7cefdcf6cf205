// Corner forces of elements to their places, where nodes gather them. Declare the buffers `corner_places` and `corner_forces`
// before; where SCATTER_ADDS is defined they are added to what is there, and where SCATTER_OWN is they go where that scatter_force says.
#ifndef COMMON_ELEMENTS_SCATTER_GLSL
#define COMMON_ELEMENTS_SCATTER_GLSL

#include "common/elements/push.glsl"

#ifndef SCATTER_OWN
void scatter_force(uint place, real3 force)
{
#ifdef SCATTER_ADDS
    corner_forces[corner_places[place]] += force;
#else
    corner_forces[corner_places[place]] = force;
#endif
}
#endif

/// T G_a, T row by row; G_0 = -(G_1 + G_2 + ...).
void scatter_forces(uint e, real t[ELEMENT_SIZE], real g[ELEMENT_SHAPES])
{
    real3 first_force = real3(0.0);
    for (uint a = 1u; a < ELEMENT_CORNERS; ++a) {
        real3 force;
        for (int i = 0; i < 3; ++i) {
            force[i] = t[ELEMENT_COLUMNS * i] * g[ELEMENT_COLUMNS * (a - 1u)];
            for (int j = 1; j < ELEMENT_COLUMNS; ++j)
                force[i] += t[ELEMENT_COLUMNS * i + j] * g[ELEMENT_COLUMNS * (a - 1u) + j];
        }
        scatter_force(corner_place(e, a), force);
        first_force -= force;
    }
    scatter_force(corner_place(e, 0u), first_force);
}

void scatter_nothing(uint e)
{
    for (uint a = 0u; a < ELEMENT_CORNERS; ++a)
        corner_forces[corner_places[corner_place(e, a)]] = real3(0.0);
}

#endif
