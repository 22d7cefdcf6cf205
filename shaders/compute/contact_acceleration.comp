// variant: f64
// What contact, friction or damping pulls on free nodes with, over their masses, taken from an acceleration; or with `forces` on all
// nodes, taken from forces.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Gradient { real3 gradient[]; };
layout(scalar, set = 0, binding = 2) buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Masses { Exact masses[]; };
layout(scalar, set = 0, binding = 4) readonly buffer MassLists { uint mass_lists[]; };
layout(scalar, set = 0, binding = 5) readonly buffer MassBlocks { Exact mass_blocks[]; };
layout(scalar, set = 0, binding = 6) readonly buffer PartialPins { real partial_pins[]; };
layout(push_constant) uniform Push { uint node_count, destination, forces; };

#define MASS_COUPLINGS
#include "common/invocation.glsl"
#include "common/masses.glsl"
#include "common/partial_pins.glsl"

void main()
{
    const uint i = invocation_number();
    if (i >= node_count || (forces == 0u && (flags[i] & NODE_IS_FREE) == 0u))
        return;
    real3 pull = real3(0.0);
    for (uint k = 0u; k < 4u && is_coupled(i); ++k)
        pull += exact_value(coupled_inverse(i, k)) * gradient[coupled_node(i, k)];
    if (!is_coupled(i))
        pull = gradient[i] / exact_value(masses[i]);
    pull = forces != 0u ? gradient[i] : free_part(i, pull);
    const uint at = destination * node_count + i;
    slots[at] = exact3_add(slots[at], exact3(-pull));
}
