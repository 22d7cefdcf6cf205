// variant: f64
// variant: kinds
// Corner forces rho (J - Z) G_a, whose sum is the elements' part of the dual residual.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/scalars.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 1) readonly buffer CornerPlaces { uint corner_places[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Shapes { real shapes[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Parameters { real parameters[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Locals { real locals[]; };
layout(scalar, set = 0, binding = 5) writeonly buffer CornerForces { real3 corner_forces[]; };

#include "common/elements/scatter.glsl"
#include "common/invocation.glsl"

void main()
{
    if (group_number() >= group_count)
        return;
    for (uint e = invocation_number(); e < count; e += group_count * gl_WorkGroupSize.x) {
        const real rho = scalars[SCALAR_PENALTY_SCALE] * parameters[parameter_place(e, PARAMETER_PENALTY)];
        real t[ELEMENT_SIZE], g[ELEMENT_SHAPES];
        for (uint k = 0u; k < ELEMENT_SIZE; ++k)
            t[k] = rho * locals[LOCAL_RESIDUAL * local_count + local_place(e, k)];
        for (uint k = 0u; k < ELEMENT_SHAPES; ++k)
            g[k] = shapes[shape_place(e, k)];
        scatter_forces(e, t, g);
    }
}
