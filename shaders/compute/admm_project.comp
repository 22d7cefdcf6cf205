// variant: f64
// variant: kinds
// The local step of the elements of one energy model: the next S, mixed from the history; Z = prox(S); and the corner forces of
// rho (2 Z - S - J).
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/control.h"
#include "abi/kernel.h"
#include "abi/scalars.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 2) readonly buffer CornerPlaces { uint corner_places[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Shapes { real shapes[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Parameters { real parameters[]; };
layout(scalar, set = 0, binding = 5) buffer Locals { real locals[]; };
layout(scalar, set = 0, binding = 6) readonly buffer ImageDifferences { float image_differences[]; };
layout(scalar, set = 0, binding = 7) writeonly buffer CornerForces { real3 corner_forces[]; };

#include "common/elements/material.glsl"
#include "common/elements/scatter.glsl"
#include "common/invocation.glsl"

void main()
{
    if (invocation_number() >= count)
        return;
    const uint e = first + invocation_number();
    real s[ELEMENT_SIZE];
    for (uint k = 0u; k < ELEMENT_SIZE; ++k)
        s[k] = locals[LOCAL_IMAGE * local_count + local_place(e, k)];
    for (uint j = 0u; j < control[CONTROL_MIXING]; ++j) {
        const real weight = scalars[SCALAR_WEIGHTS + j];
        for (uint k = 0u; k < ELEMENT_SIZE; ++k)
            s[k] -= weight * real(image_differences[j * local_count + local_place(e, k)]);
    }
    // Read again where it is needed: it does not take registers while the prox is found.
    for (uint k = 0u; k < ELEMENT_SIZE; ++k)
        locals[LOCAL_STATE * local_count + local_place(e, k)] = s[k];
    real z[ELEMENT_SIZE], t[ELEMENT_SIZE], g[ELEMENT_SHAPES];
    ElementLocal local;
    element_decompose(s, local);
    const real rho = scalars[SCALAR_PENALTY_SCALE] * parameters[parameter_place(e, PARAMETER_PENALTY)];
    element_prox(element_material(e), local, rho, z);
    for (uint k = 0u; k < ELEMENT_SIZE; ++k) {
        const uint at = local_place(e, k);
        locals[LOCAL_PROJECTED * local_count + at] = z[k];
        t[k] = rho * ((z[k] - locals[LOCAL_STATE * local_count + at]) +
                      (z[k] - locals[LOCAL_GRADIENT * local_count + at]));
    }
    for (uint k = 0u; k < ELEMENT_SHAPES; ++k)
        g[k] = shapes[shape_place(e, k)];
    scatter_forces(e, t, g);
}
