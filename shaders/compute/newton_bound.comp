// variant: f64
// variant: kinds
// The largest step along the direction until an element that must not invert nearly does.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/newton.h"
#include "common/real.glsl"

#define EXACT_SUMS 1

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 1) readonly buffer ElementNodes { uint element_nodes[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Shapes { real shapes[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Increment { real3 increment[]; };
layout(scalar, set = 0, binding = 4) buffer Diagnosis { Exact diagnosis[]; };

#include "common/elements/gather_increment.glsl"
#include "common/exact_sums.glsl"
#include "common/invocation.glsl"

void main()
{
    const uint groups = sum_groups(never_inverting);
    if (group_number() >= groups)
        return;
    real bound = real(1.0);
#if ELEMENT_CAN_INVERT
    for (uint i = invocation_number(); i < never_inverting; i += groups * gl_WorkGroupSize.x) {
        real g[ELEMENT_SHAPES], f[ELEMENT_SIZE], change[ELEMENT_SIZE];
        gather_shape(first + i, g);
        gather_gradient(first + i, argument >> NEWTON_SLOT_SHIFT & 0xffu, g, f);
        gather_increment(first + i, g, change);
        bound = min(bound, element_bound(f, change));
    }
#endif
    smallest_end(bound, TRIAL_BOUND, group_number());
}
