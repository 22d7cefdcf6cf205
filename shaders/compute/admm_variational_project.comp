// variant: f64
// variant: kinds
// The local step of the copies for variational damping, of elements of one energy model: S, Z = prox(S), and the corner forces of rho (2 Z - S - J),
// added to what is there.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/control.h"
#include "abi/elements.h"
#include "abi/kernel.h"
#include "abi/scalars.h"
#include "common/real.glsl"

#define SCATTER_ADDS

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 2) readonly buffer CornerPlaces { uint corner_places[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Shapes { real shapes[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Parameters { real parameters[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Weights { real weights[]; };
layout(scalar, set = 0, binding = 6) readonly buffer CopyShapes { real copy_shapes[]; };
layout(scalar, set = 0, binding = 7) buffer Copies { real copies[]; };
layout(scalar, set = 0, binding = 8) readonly buffer ImageDifferences { float image_differences[]; };
layout(scalar, set = 0, binding = 9) buffer CornerForces { real3 corner_forces[]; };

#include "common/elements/copy_state.glsl"
#include "common/elements/material.glsl"
#include "common/elements/scatter.glsl"
#include "common/elements/variational_prox.glsl"
#include "common/invocation.glsl"

uint shape_element; ///< the one at hand

real element_data(uint at)
{
    return copy_shapes[shape_number_place(COPY_RECORD_OF_VARIATIONAL, shape_element, at)];
}

void main()
{
#if ELEMENT_HAS_VARIATIONAL
    if (invocation_number() >= count)
        return;
    const uint e = first + invocation_number(), slot = copy_slots - 1u;
    const real rho = scalars[SCALAR_PENALTY_SCALE] * weights[weight_place(slot, e)], alpha = scalars[SCALAR_ALPHA];
    if (!(rho > real(0.0)))
        return;
    shape_element = e;
    real t[ELEMENT_SIZE], g[ELEMENT_SHAPES], z[ELEMENT_SIZE], last[ELEMENT_SIZE];
    for (uint k = 0u; k < ELEMENT_SIZE; ++k) {
        t[k] = real(0.0);
        last[k] = copies[LOCAL_PROJECTED * copy_total + copy_place(slot, e, k)];
    }
    mix_state(slot, e, z);
    variational_prox(element_material(e), alpha, scalars[SCALAR_STAGE_TIME], rho, last, z);
    keep_projection(slot, e, rho, z, t);
    for (uint k = 0u; k < ELEMENT_SHAPES; ++k)
        g[k] = shapes[shape_place(e, k)];
    scatter_forces(e, t, g);
#endif
}
