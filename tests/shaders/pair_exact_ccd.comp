// variant: f64
// One case of tests/geometry/test_pairs_device.c per invocation: collision detection with exact numbers.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/geometry/exact_ccd.glsl"

#include "pair_ccd.h"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Inputs { real inputs[]; };
layout(scalar, set = 0, binding = 1) writeonly buffer Outputs { real outputs[]; };
layout(push_constant) uniform Push { uint count; int kind; };

#include "pair_inputs.glsl"

void main()
{
    if (gl_GlobalInvocationID.x >= count)
        return;
    const uint in_at = PAIR_CCD_INPUTS * gl_GlobalInvocationID.x,
               out_at = PAIR_EXACT_CCD_OUTPUTS * gl_GlobalInvocationID.x;
    Exact3 x[4], y[4], p[4], q[4];
    for (uint i = 0u; i < 4u; ++i) {
        x[i] = input_position(in_at, i);
        p[i] = exact3(input_vector(in_at + PAIR_CCD_P, i));
    }
    exact_relative_vertices(x, y);
    exact_relative_vertices(p, q);
    int turns;
    outputs[out_at + PAIR_EXACT_CCD_T] = exact_ccd_pair(y, q, kind, inputs[in_at + PAIR_CCD_SEPARATION], turns);
    outputs[out_at + PAIR_EXACT_CCD_TURNS] = real(turns);
}
