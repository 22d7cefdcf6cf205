// variant: f64
// x += step d. After the whole step the pinned nodes are where their target is, without rounding.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 1) buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Increment { real3 increment[]; };
layout(scalar, set = 0, binding = 3) readonly buffer PartialPins { real partial_pins[]; };
layout(scalar, push_constant) uniform Push { Exact step; uint node_count, whole; };

#include "common/invocation.glsl"
#include "common/partial_pins.glsl"

void main()
{
    const uint i = invocation_number();
    if (i >= node_count)
        return;
    const uint at = ABI_SLOT_STAGE * node_count + i;
    Exact3 x = exact3_add(slots[at], exact3_scale(step, exact3(increment[i])));
    if (whole != 0u && (flags[i] & NODE_IS_PINNED) != 0u)
        x = slots[ABI_SLOT_TARGET * node_count + i];
    else if (whole != 0u && is_held_in_part(i))
        x = with_held_part(i, x, slots[ABI_SLOT_TARGET * node_count + i]);
    slots[at] = x;
}
