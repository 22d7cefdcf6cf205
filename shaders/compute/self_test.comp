// Does this driver keep `precise`? Two-sum, two-product and float-float sums of pairs whose exact results the host knows.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/float_float.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Inputs { float inputs[]; };
layout(scalar, set = 0, binding = 1) writeonly buffer Outputs { float outputs[]; };
layout(push_constant) uniform Push { uint count; };

#include "common/invocation.glsl"

void main()
{
    const uint i = invocation_number();
    if (i >= count)
        return;
    const float a = inputs[SELF_TEST_INPUTS * i], b = inputs[SELF_TEST_INPUTS * i + 1];
    const FloatFloat sum = two_sum(a, b);
    const FloatFloat product = two_product(a, b);
    // (a + b) - a - b and (a b) - (a b): zero, if nothing was lost.
    const FloatFloat back = float_float_add(sum, FloatFloat(-a, 0.0));
    const float rest = float_float_difference(back, FloatFloat(b, 0.0));
    const FloatFloat square = float_float_multiply(sum, sum);
    const uint o = SELF_TEST_OUTPUTS * i;
    outputs[o] = sum.hi;
    outputs[o + 1] = sum.lo;
    outputs[o + 2] = product.hi;
    outputs[o + 3] = product.lo;
    outputs[o + 4] = rest;
    outputs[o + 5] = square.hi;
    outputs[o + 6] = square.lo;
    outputs[o + 7] = a;
}
