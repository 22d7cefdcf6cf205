// How damping's potential changes with an element's shape, by central differences along numbers of D x. Declare the buffers `slots`,
// `element_nodes`, `corner_places` and `corner_forces` before.
#ifndef COMMON_ELEMENTS_SHAPE_CHANGE_GLSL
#define COMMON_ELEMENTS_SHAPE_CHANGE_GLSL

#include "common/elements/corner_velocity.glsl"

/// Of |D x|. Projected Hessians have kinks where a stress changes its sign. In single precision the step for what has them is shorter than is
/// best for what is smooth: fewer shapes lie within it of a kink, and what rounding adds is as much as these take.
#ifdef VELA_F64
#define SHAPE_STEP 1e-5lf
#define SHAPE_STEP_WITH_KINKS 1e-5lf
#else
#define SHAPE_STEP 1e-3
#define SHAPE_STEP_WITH_KINKS 1.5e-4
#endif

/// |D x|, what steps along its numbers are parts of.
real shape_size(ElementReal f[ELEMENT_SIZE])
{
    real square = real(0.0);
    for (int k = 0; k < ELEMENT_SIZE; ++k) {
#ifdef ELEMENT_FLOAT_FLOAT
        const real number = exact_value(f[k]);
#else
        const real number = f[k];
#endif
        square += number * number;
    }
    return square > real(0.0) ? sqrt(square) : real(1.0);
}

/// f with one number moved.
void shape_moved(ElementReal f[ELEMENT_SIZE], int number, real way, out ElementReal moved[ELEMENT_SIZE])
{
    moved = f;
#ifdef ELEMENT_FLOAT_FLOAT
    moved[number] = exact_add(f[number], exact(way));
#else
    moved[number] += way;
#endif
}

/// What corners 1, 2, ... do beside corner 0: between the slots of the motion, and the velocities where the step began.
void corner_ways(uint e, out real3 way[ELEMENT_CORNERS - 1], out real3 earlier[ELEMENT_CORNERS - 1])
{
    const uint slot = (argument >> DAMPING_SECTION_SHIFT & 0xffu) * node_count;
    const Exact3 own = velocity_of(e, 0u), before = slots[slot + element_nodes[corner_place(e, 0u)]];
    for (uint a = 1u; a < ELEMENT_CORNERS; ++a) {
        way[a - 1u] = exact3_difference(velocity_of(e, a), own);
        earlier[a - 1u] = exact3_difference(slots[slot + element_nodes[corner_place(e, a)]], before);
    }
}

/// T G_a joins what the corners have.
void add_forces(uint e, real t[ELEMENT_SIZE], real g[ELEMENT_SHAPES])
{
    real3 first_force = real3(0.0);
    for (uint a = 1u; a < ELEMENT_CORNERS; ++a) {
        real3 force = real3(0.0);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < ELEMENT_COLUMNS; ++j)
                force[i] += t[ELEMENT_COLUMNS * i + j] * g[ELEMENT_COLUMNS * (a - 1u) + j];
        corner_forces[corner_places[corner_place(e, a)]] += force;
        first_force -= force;
    }
    corner_forces[corner_places[corner_place(e, 0u)]] += first_force;
}

#endif
