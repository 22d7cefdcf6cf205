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

uint shape_element; ///< the one at hand

real element_data(uint at)
{
    return copy_shapes[shape_number_place(shape_element, at)];
}

void element_data_set(uint at, real value)
{
    copy_shapes[shape_number_place(shape_element, at)] = value;
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
#elif ELEMENT_KIND == ELEMENT_BEND
    element_axes(ELEMENT_HESSIAN, local, g);
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
    shape_element = e;
    real g[ELEMENT_SHAPES];
    ElementReal f[ELEMENT_SIZE];
    ElementLocal local;
    gather_shape(e, g);
    gather_gradient(e, argument & 0xffu, g, f);
    element_decompose(f, local);
    set_axes(local, g);
    add_entries(e, list, ABI_DAMPED_AS_IS, argument >> DAMPING_TYPES_SHIFT & 0xffu, local);
#endif
}
