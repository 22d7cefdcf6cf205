// variant: f64
// One case of tests/geometry/test_pairs_device.c per invocation: distance and collision detection.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/geometry/ccd.glsl"

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
    const uint in_at = PAIR_CCD_INPUTS * gl_GlobalInvocationID.x, out_at = PAIR_CCD_OUTPUTS * gl_GlobalInvocationID.x;
    Exact3 x[4];
    real3 y[4], q[4];
    for (uint i = 0u; i < 4u; ++i)
        x[i] = input_position(in_at, i);
    relative_vertices(x, y);
    for (uint i = 0u; i < 4u; ++i)
        q[i] = input_vector(in_at + PAIR_CCD_P, i) - input_vector(in_at + PAIR_CCD_P, 0u);
    int turns;
    bool undecided;
    const real t = ccd_pair(y, q, kind, inputs[in_at + PAIR_CCD_SEPARATION], inputs[in_at + PAIR_CCD_LARGEST], turns,
                            undecided);
    // Scaled, since fourth powers of the smallest cases underflow.
    const real scale = ccd_scale(pair_extent(y));
    for (uint i = 0u; i < 4u; ++i)
        y[i] *= scale;
    const ClosestPoints closest = closest_points(y, kind);
    outputs[out_at + PAIR_CCD_T] = t;
    outputs[out_at + PAIR_CCD_TURNS] = real(turns);
    outputs[out_at + PAIR_CCD_UNDECIDED] = real(undecided ? 1 : 0);
    outputs[out_at + PAIR_CCD_DISTANCE] = sqrt(closest.distance_sq) / scale;
    for (uint i = 0u; i < 4u; ++i)
        outputs[out_at + PAIR_CCD_WEIGHTS + i] = closest.weights[i];
}
