// variant: f64
// variant: kinds
// Elements of one energy model where their damping is looked at, the positions of a slot: what the blocks of its matrix C are made of.
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
layout(scalar, set = 0, binding = 6) buffer ElementData { real data[]; };

#include "common/elements/damping.glsl"
#include "common/elements/gather.glsl"
#include "common/elements/material.glsl"
#include "common/invocation.glsl"

real element_data(uint at)
{
    return data[at];
}

void element_data_set(uint at, real value)
{
    data[at] = value;
}

#if ELEMENT_IS_DAMPED

/// Where number k of what an element leaves stands.
uint entries_place(uint e, uint k)
{
    return data_place(e) + k;
}

#include "common/elements/damping_entries.glsl"

#endif

void main()
{
#if ELEMENT_IS_DAMPED
    if (invocation_number() >= count)
        return;
    const uint e = first + invocation_number(), at = data_place(e), list = damping_lists[first_element + e];
    if (list == DAMPING_NONE) {
        for (uint k = 0u; k < ELEMENT_DATA; ++k)
            data[at + k] = real(0.0);
        return;
    }
    real g[ELEMENT_SHAPES];
    ElementReal f[ELEMENT_SIZE];
    ElementLocal local;
    gather_shape(e, g);
    gather_gradient(e, argument & 0xffu, g, f);
    element_decompose(f, local);
    damping_axes(at + DAMPING_SIZE, local, g);
    add_entries(e, list, argument >> DAMPING_SIDE_SHIFT, argument >> DAMPING_TYPES_SHIFT & 0xffu, local);
#endif
}
