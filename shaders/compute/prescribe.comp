// variant: f64
// Sets the pinned nodes of a slot, and what pins hold of others.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 1) readonly buffer PinNodes { uint pin_nodes[]; };
layout(scalar, set = 0, binding = 2) readonly buffer PinPositions { Exact3 pin_positions[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 4) readonly buffer PartialPins { real partial_pins[]; };
layout(push_constant) uniform Push { uint destination, pin_count, node_count; };

#include "common/invocation.glsl"
#include "common/partial_pins.glsl"

void main()
{
    const uint i = invocation_number();
    if (i >= pin_count)
        return;
    const uint node = pin_nodes[i], at = destination * node_count + node;
    if (is_held_in_part(node))
        slots[at] = with_held_part(node, slots[at], pin_positions[i]);
    else
        slots[at] = pin_positions[i];
}
