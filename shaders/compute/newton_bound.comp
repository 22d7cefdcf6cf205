// variant: f64
// The largest step along the direction until an element that must not invert nearly does.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/admm.h"
#include "abi/kernel.h"
#include "abi/newton.h"
#include "common/real.glsl"

#define EXACT_SUMS 1

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Tets { uint tets[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Gradients { real gradients[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Increment { real3 increment[]; };
layout(scalar, set = 0, binding = 4) buffer Diagnosis { Exact diagnosis[]; };
layout(push_constant) uniform Push { uint first, count, tet_count, node_count; };

#include "common/exact_sums.glsl"
#include "common/gather_increment.glsl"
#include "common/gather_tets.glsl"
#include "common/physics/energy/inversion.glsl"

void main()
{
    real bound = real(1.0);
    for (uint i = gl_GlobalInvocationID.x; i < count; i += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
        real g[9], f[9], change[9];
        gather_shape(first + i, g);
        gather_gradient(first + i, ABI_SLOT_STAGE, g, f);
        gather_increment(first + i, g, change);
        bound = min(bound, inversion_bound(f, change));
    }
    smallest_end(bound, TRIAL_BOUND, gl_WorkGroupID.x);
}
