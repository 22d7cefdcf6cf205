// variant: f64
// variant: kinds
// What frames show of the elements of one energy model: the stretch of every element, behind all of them the elastic energies
// (rest energy subtracted), in J.
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
layout(scalar, set = 0, binding = 4) writeonly buffer Fields { real fields[]; };

#include "common/elements/gather.glsl"
#include "common/elements/material.glsl"
#include "common/invocation.glsl"

void main()
{
    if (invocation_number() >= count)
        return;
    const uint e = first + invocation_number(), slot = argument;
    real g[ELEMENT_SHAPES];
    ElementReal f[ELEMENT_SIZE];
    ElementLocal local;
    gather_shape(e, g);
    gather_gradient(e, slot, g, f);
    element_decompose(f, local);
    fields[first_element + e] = element_stretch(local);
    fields[element_count + first_element + e] = element_energy(element_material(e), local);
}
