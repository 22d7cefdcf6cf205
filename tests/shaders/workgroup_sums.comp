// variant: f64
// Sums and the largest value of every workgroup's four numbers an invocation, as each of its invocations has them.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Inputs { real4 inputs[]; };
layout(scalar, set = 0, binding = 1) writeonly buffer Outputs { real4 outputs[]; };

#include "common/invocation.glsl"
#include "common/reduce.glsl"

void main()
{
    const uint i = invocation_number();
    const real4 sums = workgroup_reduce(inputs[i]);
    const real sum = workgroup_sum(inputs[i].y), largest = workgroup_largest(inputs[i].w);
    outputs[i] = real4(sums.x, sum, sums.z, largest == sums.w ? largest : real(-1.0));
}
