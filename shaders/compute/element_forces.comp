// variant: f64
// variant: kinds
// Corner forces of w P(F) at the positions of a slot, for the elements of one energy model.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 1) readonly buffer ElementNodes { uint element_nodes[]; };
layout(scalar, set = 0, binding = 2) readonly buffer CornerPlaces { uint corner_places[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Shapes { real shapes[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Parameters { real parameters[]; };
layout(scalar, set = 0, binding = 5) writeonly buffer CornerForces { real3 corner_forces[]; };

#include "common/elements/gather.glsl"
#include "common/elements/material.glsl"
#include "common/elements/scatter.glsl"
#include "common/invocation.glsl"

void main()
{
    if (invocation_number() >= count)
        return;
    const uint e = first + invocation_number(), slot = argument & 0xffu;
    const ElementMaterial material = element_material(e);
    if (!element_is_there(material)) {
        scatter_nothing(e);
        return;
    }
    real g[ELEMENT_SHAPES], p[ELEMENT_SIZE];
    ElementReal f[ELEMENT_SIZE];
    ElementLocal local;
    gather_shape(e, g);
    gather_gradient(e, slot, g, f);
    element_decompose(f, local);
    element_stress(material, local, p);
    scatter_forces(e, p, g);
}
