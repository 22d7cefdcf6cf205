// variant: f64
// Sets the pinned nodes of a slot.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) writeonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 1) readonly buffer PinNodes { uint pin_nodes[]; };
layout(scalar, set = 0, binding = 2) readonly buffer PinPositions { Exact3 pin_positions[]; };
layout(push_constant) uniform Push { uint destination, pin_count, node_count; };

#include "common/invocation.glsl"

void main()
{
    const uint i = invocation_number();
    if (i < pin_count)
        slots[destination * node_count + pin_nodes[i]] = pin_positions[i];
}
