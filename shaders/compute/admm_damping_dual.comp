// variant: f64
// variant: kinds
// Corner forces rho (J - Z) G_a of the copies that elements have for damping, added to those of the elements themselves.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/elements.h"
#include "abi/kernel.h"
#include "abi/scalars.h"
#include "common/real.glsl"

#define SCATTER_ADDS

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 1) readonly buffer CornerPlaces { uint corner_places[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Shapes { real shapes[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Weights { real weights[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Copies { real copies[]; };
layout(scalar, set = 0, binding = 5) buffer CornerForces { real3 corner_forces[]; };

#include "common/elements/damping_copies.glsl"
#include "common/elements/scatter.glsl"
#include "common/invocation.glsl"

void add_element(uint e)
{
    real t[ELEMENT_SIZE], g[ELEMENT_SHAPES];
    bool any = false;
    for (uint k = 0u; k < ELEMENT_SIZE; ++k)
        t[k] = real(0.0);
    for (uint slot = 0u; slot < copy_slots; ++slot) {
        const real rho = scalars[SCALAR_PENALTY_SCALE] * weights[weight_place(slot, e)];
        for (uint k = 0u; k < ELEMENT_SIZE && rho > real(0.0); ++k)
            t[k] += rho * copies[LOCAL_RESIDUAL * copy_total + copy_place(slot, e, k)];
        any = any || rho > real(0.0);
    }
    if (!any)
        return;
    for (uint k = 0u; k < ELEMENT_SHAPES; ++k)
        g[k] = shapes[shape_place(e, k)];
    scatter_forces(e, t, g);
}

void main()
{
    if (group_number() >= group_count)
        return;
    for (uint e = invocation_number(); e < count; e += group_count * gl_WorkGroupSize.x)
        add_element(e);
}
