// variant: f64
// variant: kinds
// Elements with power laws of damping where it is looked at, the positions of a slot: the axes of their records, and their stretches.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 1) readonly buffer ElementNodes { uint element_nodes[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Shapes { real shapes[]; };
layout(scalar, set = 0, binding = 3) readonly buffer DampingLists { uint damping_lists[]; };
layout(scalar, set = 0, binding = 4) readonly buffer DampingNumbers { real damping_numbers[]; };
layout(scalar, set = 0, binding = 5) buffer Records { real records[]; };

real element_data(uint at)
{
    return records[at];
}

void element_data_set(uint at, real value)
{
    records[at] = value;
}

#include "common/elements/power_law.glsl"
#include "common/elements/gather.glsl"
#include "common/invocation.glsl"

void main()
{
#if ELEMENT_HAS_LAWS
    if (invocation_number() >= count)
        return;
    const uint e = invocation_number(), at = law_place(e), list = damping_lists[first_element + e];
    for (uint k = 0u; k < law_size; ++k)
        records[at + k] = real(0.0);
    bool has_law = false;
    for (uint i = 0u; list != DAMPING_NONE && i < damping_lists[list]; ++i)
        has_law = has_law || is_law(list, i);
    if (!has_law)
        return;
    real g[ELEMENT_SHAPES], s[ELEMENT_COLUMNS];
    ElementReal f[ELEMENT_SIZE];
    ElementLocal local;
    gather_shape(e, g);
    gather_gradient(e, argument, g, f);
    element_decompose(f, local);
    element_form_axes(at + FORM_SIZE, local, g);
    element_stretches(local, s);
    for (uint k = 0u; k < ELEMENT_COLUMNS; ++k)
        records[at + stretches_at + k] = s[k];
#endif
}
