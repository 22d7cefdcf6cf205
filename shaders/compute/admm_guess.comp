// variant: f64
// Where S is mixed, the increment that mixes x in the same way is the first direction of the conjugate gradients: at the x that goes with the mean of
// the inputs the next one is only as far as the combined residual, and that is the least there is.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/control.h"
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "abi/scalars.h"
#include "abi/sums.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 2) writeonly buffer Partials { real partials[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 4) readonly buffer PlaceDifferences { float place_differences[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Residual { real3 residual[]; };
layout(scalar, set = 0, binding = 6) writeonly buffer Direction { real3 direction[]; };
layout(scalar, set = 0, binding = 7) readonly buffer PartialPins { real partial_pins[]; };

#include "common/linear_push.glsl"

#include "common/invocation.glsl"
#include "common/partial_pins.glsl"
#include "common/reduce.glsl"

real3 guess(uint i)
{
    real3 sum = real3(0.0);
    for (uint j = 0u; j < control[CONTROL_MIXING]; ++j) {
        const uint at = 3u * (j * node_count + i);
        sum -= scalars[SCALAR_WEIGHTS + j] *
               real3(place_differences[at], place_differences[at + 1u], place_differences[at + 2u]);
    }
    return sum;
}

void main()
{
    const uint groups = min(sum_groups(node_count), product_count);
    if (group_number() >= groups || control[CONTROL_CG_WARM] == 0u)
        return;
    real sum = real(0.0);
    for (uint i = invocation_number(); i < node_count; i += groups * gl_WorkGroupSize.x) {
        const real3 own = (flags[i] & NODE_IS_FREE) != 0u ? free_part(i, guess(i)) : real3(0.0);
        direction[i] = own;
        sum += dot(residual[i], own);
    }
    sum = workgroup_sum(sum);
    if (gl_LocalInvocationIndex == 0u)
        for (uint g = group_number(); g < product_count; g += groups) // as many as other directions have
            partials[SUM_RZ * SUM_GROUPS_MOST + g] = g < groups ? sum : real(0.0);
}
