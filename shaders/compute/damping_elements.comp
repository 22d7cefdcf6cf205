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
#include "common/elements/damping_entry.glsl"
#include "common/elements/gather.glsl"
#include "common/elements/material.glsl"
#include "common/invocation.glsl"

void element_data_set(uint at, real value)
{
    data[at] = value;
}

#if ELEMENT_IS_DAMPED

/// The sum of the entries on a side whose types are wanted, bits. Lists are short: what an entry adds to is not kept in registers meanwhile.
void add_entries(uint e, uint list, uint side, uint types, ElementLocal local)
{
    const uint at = data_place(e), entries = damping_lists[list];
    const real volume = damping_numbers[first_element + e];
    const ElementMaterial material = element_material(e);
    bool adds = false;
    for (uint i = 0u; i < entries; ++i) {
        const Damping damping = damping_at(list + 1u + DAMPING_WORDS * i, volume);
        if (damping_side(damping) != side || (types >> damping.type & 1u) == 0u)
            continue;
        real numbers[DAMPING_SIZE];
        damping_numbers_of(material, local, damping, numbers);
        for (uint k = 0u; k < DAMPING_SIZE; ++k)
            data[at + k] = adds ? data[at + k] + numbers[k] : numbers[k];
        adds = true;
    }
    for (uint k = 0u; k < DAMPING_SIZE && !adds; ++k)
        data[at + k] = real(0.0);
}

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
