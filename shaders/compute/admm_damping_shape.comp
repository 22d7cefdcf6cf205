// variant: f64
// variant: kinds
// Elements of one energy model where their damping is looked at, the positions of a slot: what the local problems of their copies in ADMM are
// made of.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 1) readonly buffer ElementNodes { uint element_nodes[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Shapes { real shapes[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Parameters { real parameters[]; };
layout(scalar, set = 0, binding = 4) readonly buffer DampingLists { uint damping_lists[]; };
layout(scalar, set = 0, binding = 5) readonly buffer DampingNumbers { real damping_numbers[]; };
layout(scalar, set = 0, binding = 6) buffer CopyShapes { real copy_shapes[]; };

#include "common/elements/damping_copies.glsl"
#include "common/elements/damping_prox.glsl"
#include "common/elements/gather.glsl"
#include "common/elements/material.glsl"
#include "common/invocation.glsl"

/// A stretch below this part of the largest one.
#ifdef VELA_F64
#define VARIATIONAL_FLAT 1e-9lf
#else
#define VARIATIONAL_FLAT 1e-6
#endif

uint shape_record, shape_element; ///< at hand

real element_data(uint at)
{
    return copy_shapes[shape_number_place(shape_record, shape_element, at)];
}

void element_data_set(uint at, real value)
{
    copy_shapes[shape_number_place(shape_record, shape_element, at)] = value;
}

#if ELEMENT_HAS_COPIES

uint entries_place(uint e, uint k)
{
    return k;
}

#include "common/elements/damping_entries.glsl"

void set_axes(ElementLocal local, real g[ELEMENT_SHAPES])
{
#if (DAMPED_KINDS >> ELEMENT_KIND & 1) != 0
    real u[3 * FORM_STRIDE], v[ELEMENT_COLUMNS * ELEMENT_COLUMNS];
    element_form_turn(local, u, v);
    for (uint k = 0u; k < 3u * FORM_STRIDE; ++k)
        element_data_set(FORM_SIZE + k, u[k]);
    for (uint k = 0u; k < ELEMENT_COLUMNS * ELEMENT_COLUMNS && ELEMENT_COLUMNS > 1; ++k)
        element_data_set(COPY_V + k, v[k]);
#if ELEMENT_COLUMNS == 3
    real s[3];
    element_stretches(local, s);
    for (uint k = 0u; k < 3u; ++k)
        element_data_set(COPY_STRETCHES + k, s[k]);
#endif
#elif ELEMENT_KIND == ELEMENT_BEND
    element_axes(ELEMENT_HESSIAN, local, g);
#endif
}

/// Of the variational model: stretches, and the time of a material, 0 where a stretch has no inverse to speak of.
void set_stretches(ElementLocal local, uint list)
{
#if (DAMPED_KINDS >> ELEMENT_KIND & 1) != 0
    real s[ELEMENT_COLUMNS], least = real_infinity(), most = real(0.0), time = real(0.0);
    element_stretches(local, s);
    for (uint k = 0u; k < ELEMENT_COLUMNS; ++k) {
        least = min(least, abs(s[k]));
        most = max(most, abs(s[k]));
        element_data_set(k, s[k]);
    }
    for (uint i = 0u; i < damping_lists[list] && least > real(VARIATIONAL_FLAT) * most; ++i) {
        const uint at = list + 1u + DAMPING_WORDS * i;
        if (damping_lists[at + DAMPING_TYPE] == ABI_DAMPING_VARIATIONAL)
            time += damping_numbers[damping_lists[at + DAMPING_NUMBERS] + DAMPING_TIME];
    }
    element_data_set(ELEMENT_COLUMNS, time);
#endif
}

#endif

void main()
{
#if ELEMENT_HAS_COPIES
    if (invocation_number() >= count)
        return;
    const uint e = first + invocation_number(), list = damping_lists[first_element + e];
    if (list == DAMPING_NONE)
        return;
    shape_record = argument >> DAMPING_SIDE_SHIFT;
    shape_element = e;
    real g[ELEMENT_SHAPES];
    ElementReal f[ELEMENT_SIZE];
    ElementLocal local;
    gather_shape(e, g);
    gather_gradient(e, argument & 0xffu, g, f);
    element_decompose(f, local);
    set_axes(local, g);
    if (shape_record == COPY_RECORD_OF_VARIATIONAL)
        set_stretches(local, list);
    else
        add_entries(e, list, shape_record, argument >> DAMPING_TYPES_SHIFT & 0xffu, local);
#endif
}
