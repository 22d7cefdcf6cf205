// variant: f64
// destination = sum of coefficients[i] slots[i], 1 to 4 terms.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Slots { Exact3 slots[]; };
layout(scalar, push_constant) uniform Push { Exact coefficients[4]; uint sources[4]; uint destination, count, node_count; };

#include "common/invocation.glsl"

void main()
{
    const uint i = invocation_number();
    if (i >= node_count)
        return;
    Exact3 sum = exact3_scale(coefficients[0], slots[sources[0] * node_count + i]);
    for (uint k = 1u; k < count; ++k)
        sum = exact3_add(sum, exact3_scale(coefficients[k], slots[sources[k] * node_count + i]));
    slots[destination * node_count + i] = sum;
}
