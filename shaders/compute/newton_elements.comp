// variant: f64
// variant: kinds
// Elements of one energy model at the places of a slot, the stage's iterate: energy, corner forces of w P, and what the Hessian's blocks are made
// of, projected to positive semidefinite or not.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/newton.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 1) readonly buffer ElementNodes { uint element_nodes[]; };
layout(scalar, set = 0, binding = 2) readonly buffer CornerPlaces { uint corner_places[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Shapes { real shapes[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Parameters { real parameters[]; };
layout(scalar, set = 0, binding = 5) writeonly buffer CornerForces { real3 corner_forces[]; };
layout(scalar, set = 0, binding = 6) writeonly buffer ElementData { real data[]; };

#include "common/elements/gather.glsl"
#include "common/elements/material.glsl"
#include "common/elements/scatter.glsl"
#include "common/invocation.glsl"

void element_data_set(uint at, real value)
{
    data[at] = value;
}

void main()
{
    if (invocation_number() >= count)
        return;
    const uint e = first + invocation_number(), at = data_place(e);
    const bool project = (argument & 0xffu) != 0u;
    const ElementMaterial material = element_material(e);
    if (!element_is_there(material)) {
        scatter_nothing(e);
        for (uint k = 0u; k < ELEMENT_DATA; ++k)
            data[at + k] = real(0.0);
        return;
    }
    real g[ELEMENT_SHAPES], p[ELEMENT_SIZE], hessian[ELEMENT_HESSIAN];
    ElementReal f[ELEMENT_SIZE];
    ElementLocal local;
    gather_shape(e, g);
    gather_gradient(e, argument >> NEWTON_SLOT_SHIFT & 0xffu, g, f);
    element_decompose(f, local);
    // What is written at once does not take registers until the end.
    element_axes(at + ELEMENT_HESSIAN, local, g);
    data[at + ELEMENT_DATA - 1u] = element_energy(material, local);
    element_stress(material, local, p);
    scatter_forces(e, p, g);
    element_hessian(material, local, project, hessian);
    for (uint k = 0u; k < ELEMENT_HESSIAN; ++k)
        data[at + k] = hessian[k];
}
