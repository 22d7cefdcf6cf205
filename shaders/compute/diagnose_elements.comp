// variant: f64
// variant: kinds
// Elastic energy (rest energy subtracted) or that of constraints, the smallest det F and inverted elements, of one energy model. Only the first
// `never_inverting` of its elements count as inverted.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/diagnosis.h"
#include "abi/kernel.h"
#include "common/real.glsl"

#define EXACT_SUMS 1

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 1) readonly buffer ElementNodes { uint element_nodes[]; };
layout(scalar, set = 0, binding = 2) readonly buffer ElementNumbers { uint element_numbers[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Shapes { real shapes[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Parameters { real parameters[]; };
layout(scalar, set = 0, binding = 5) buffer Diagnosis { Exact diagnosis[]; };
layout(scalar, set = 0, binding = 6) buffer Indices { uint indices[]; };

#include "common/elements/gather.glsl"
#include "common/elements/material.glsl"
#include "common/exact_sums.glsl"
#include "common/invocation.glsl"

void main()
{
    const uint groups = sum_groups(count);
    if (group_number() >= groups)
        return;
    exact_sums_begin();
    real smallest = real(3e38);
    for (uint i = invocation_number(); i < count; i += groups * gl_WorkGroupSize.x) {
        const uint e = first + i, slot = argument;
        real g[ELEMENT_SHAPES];
        ElementReal f[ELEMENT_SIZE];
        ElementLocal local;
        gather_shape(e, g);
        gather_gradient(e, slot, g, f);
        element_decompose(f, local);
        const real energy = element_energy(element_material(e), local);
#if ELEMENT_CAN_INVERT
        const real det = element_determinant(local);
        smallest = min(smallest, det);
        if (det <= real(0.0) && i < never_inverting)
            atomicMin(indices[DIAGNOSE_INVERTED], element_numbers[first_element + e]);
#endif
        if (energy < real(3e38))
            exact_sums_add(0u, exact(energy));
        else
            atomicMin(indices[DIAGNOSE_INFINITE], element_numbers[first_element + e]);
    }
#if ELEMENT_KIND == ELEMENT_LINK || ELEMENT_KIND == ELEMENT_JOINT
    exact_sums_end(DIAGNOSE_CONSTRAINT, group_number());
#else
    exact_sums_end(DIAGNOSE_ELASTIC, group_number());
#endif
    smallest_end(smallest, DIAGNOSE_DETERMINANT, group_number());
}
