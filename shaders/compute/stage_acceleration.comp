// variant: f64
// (x - xt)/a^2 = -M^-1 grad Phi at the stage's solution: what the global step's equation makes of the multipliers, without
// their rounding.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 1) buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 2) readonly buffer PartialPins { real partial_pins[]; };
layout(scalar, push_constant) uniform Push { Exact inverse_a_sq; uint node_count, destination; };

#include "common/invocation.glsl"
#include "common/partial_pins.glsl"

void main()
{
    const uint i = invocation_number();
    if (i >= node_count)
        return;
    const Exact3 target = exact3_scale(exact(real(-1.0)), slots[ABI_SLOT_TARGET * node_count + i]);
    Exact3 result = exact3_scale(inverse_a_sq, exact3_add(slots[ABI_SLOT_STAGE * node_count + i], target));
    if ((flags[i] & NODE_IS_FREE) == 0u)
        result = exact3(real3(0.0));
    slots[destination * node_count + i] = exact_free_part(i, result);
}
