// variant: f64
// Sums of a.M b over the free nodes, for up to four pairs of slots.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "common/real.glsl"

#define EXACT_SUMS 4

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Masses { Exact masses[]; };
layout(scalar, set = 0, binding = 3) buffer Diagnosis { Exact diagnosis[]; };
layout(scalar, set = 0, binding = 4) readonly buffer MassLists { uint mass_lists[]; };
layout(scalar, set = 0, binding = 5) readonly buffer MassBlocks { Exact mass_blocks[]; };
layout(scalar, set = 0, binding = 6) readonly buffer PartialPins { real partial_pins[]; };
layout(push_constant) uniform Push { uint pairs[8]; uint count, node_count; };

#define MASS_COUPLINGS
#include "common/exact_sums.glsl"
#include "common/invocation.glsl"
#include "common/masses.glsl"
#include "common/partial_pins.glsl"

void main()
{
    const uint groups = sum_groups(node_count);
    if (group_number() >= groups)
        return;
    exact_sums_begin();
    for (uint i = invocation_number(); i < node_count; i += groups * gl_WorkGroupSize.x) {
        if ((flags[i] & NODE_IS_FREE) == 0u)
            continue;
        for (uint p = 0u; p < count; ++p)
            exact_sums_add(
                p, exact_multiply(masses[i], exact_dot(slots[pairs[2u * p] * node_count + i],
                                                       exact_free_part(i, slots[pairs[2u * p + 1u] * node_count + i]))));
        for (uint k = 0u; k < 4u && is_coupled(i); ++k)
            for (uint p = 0u; p < count && !is_own(i, k); ++p)
                exact_sums_add(p, exact_multiply(coupled_mass(i, k),
                                                 exact_dot(slots[pairs[2u * p] * node_count + i],
                                                           slots[pairs[2u * p + 1u] * node_count + coupled_node(i, k)])));
    }
    exact_sums_end(0u, group_number());
}
