// variant: f64
// variant: kinds
// Corner forces rho (J - Z) G_a of the copies that elements have for damping, added to those of the elements themselves; or minus those of
// the variational model's multipliers Y = rho (S + J - 2 Z), to corners that have none.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
#include "abi/elements.h"
#include "abi/kernel.h"
#include "abi/scalars.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 1) readonly buffer CornerPlaces { uint corner_places[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Shapes { real shapes[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Weights { real weights[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Copies { real copies[]; };
layout(scalar, set = 0, binding = 5) buffer CornerForces { real3 corner_forces[]; };
layout(scalar, set = 0, binding = 6) writeonly buffer RigidCorners { real3 rigid_corners[]; };

#include "common/elements/copy_scatter.glsl"
#include "common/invocation.glsl"

void add_element(uint e, uint side)
{
    real t[ELEMENT_SIZE], g[ELEMENT_SHAPES];
    bool any = false;
    for (uint k = 0u; k < ELEMENT_SIZE; ++k)
        t[k] = real(0.0);
    const bool is_impulse = (argument & COPY_IMPULSE) != 0u;
    for (uint slot = is_impulse ? copy_slots - 1u : 0u; slot < copy_slots; ++slot) {
        const real rho = copy_of_slot(slot).side == side ? scalars[SCALAR_PENALTY_SCALE] * weights[weight_place(slot, e)] : real(0.0);
        for (uint k = 0u; k < ELEMENT_SIZE && rho > real(0.0); ++k) {
            const uint at = copy_place(slot, e, k);
            const real residual = copies[LOCAL_RESIDUAL * copy_total + at];
            t[k] += is_impulse ? -rho * ((copies[LOCAL_STATE * copy_total + at] - copies[LOCAL_PROJECTED * copy_total + at]) + residual)
                               : rho * residual;
        }
        any = any || rho > real(0.0);
    }
    if (!any)
        return;
    for (uint k = 0u; k < ELEMENT_SHAPES; ++k)
        g[k] = shapes[shape_place(e, k)];
    scatter_side = side;
    scatter_forces(e, t, g);
}

void main()
{
    if (group_number() >= group_count)
        return;
    for (uint e = invocation_number(); e < count; e += group_count * gl_WorkGroupSize.x)
        [[dont_unroll]] for (uint side = 0u; side < 2u; ++side)
            add_element(e, side);
}
