// variant: f64
// variant: kinds
// Elements of one energy model along the direction: change of their energy, formed element by element, and its derivative.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/newton.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 1) readonly buffer ElementNodes { uint element_nodes[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Shapes { real shapes[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Parameters { real parameters[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Increment { real3 increment[]; };
layout(scalar, set = 0, binding = 5) readonly buffer ElementData { real data[]; };
layout(scalar, set = 0, binding = 6) buffer Diagnosis { Exact diagnosis[]; };
layout(scalar, set = 0, binding = 7) buffer Indices { uint indices[]; };

#include "common/elements/gather_increment.glsl"
#include "common/elements/material.glsl"
#include "common/invocation.glsl"
#include "common/trials.glsl"

void try_step(uint e, uint i, ElementReal trial[ELEMENT_SIZE], real change[ELEMENT_SIZE])
{
    const ElementMaterial material = element_material(e);
    const real start = data[data_place(e) + ELEMENT_DATA - 1u];
    ElementLocal local;
    real slope, magnitude;
    element_decompose(trial, local);
    const real energy = element_energy(material, local);
    element_slope(material, local, change, slope, magnitude);
    trial_add(i, energy - start, slope, abs(energy) + abs(start) + magnitude);
}

void main()
{
    const uint groups = sum_groups(count);
    if (group_number() >= groups)
        return;
    const real step = first_step(argument & 0xffu);
    exact_sums_begin();
    for (uint i = invocation_number(); i < count; i += groups * gl_WorkGroupSize.x) {
        const uint e = first + i;
        if (!element_is_there(element_material(e)))
            continue;
        real g[ELEMENT_SHAPES], change[ELEMENT_SIZE], s = step;
        ElementReal f[ELEMENT_SIZE], trial[ELEMENT_SIZE];
        gather_shape(e, g);
        gather_gradient(e, argument >> NEWTON_SLOT_SHIFT & 0xffu, g, f);
        gather_increment(e, g, change);
        for (uint t = 0u; t < TRIALS_MOST; ++t) {
            for (int k = 0; k < ELEMENT_SIZE; ++k)
                trial[k] = after_step(f[k], s, change[k]);
            try_step(e, t, trial, change);
            s *= real(0.5);
        }
    }
    exact_sums_end(TRIAL_DIFFERENCE, group_number());
}
