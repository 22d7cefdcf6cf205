// variant: f64
// After the linear solve: the direction's size and slope, how far the pinned nodes have to go, nodes where it is not finite. It is kept,
// for steps may be tried along other ways.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/control.h"
#include "abi/diagnosis.h"
#include "abi/kernel.h"
#include "abi/newton.h"
#include "abi/nodes.h"
#include "common/real.glsl"

#define EXACT_SUMS 1

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Gradient { real3 gradient[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Direction { real3 direction[]; };
layout(scalar, set = 0, binding = 4) buffer Increment { real3 increment[]; };
layout(scalar, set = 0, binding = 5) buffer Diagnosis { Exact diagnosis[]; };
layout(scalar, set = 0, binding = 6) buffer Indices { uint indices[]; };
layout(scalar, set = 0, binding = 7) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 8) readonly buffer PartialPins { real partial_pins[]; };
layout(scalar, set = 0, binding = 9) writeonly buffer Straight { real3 straight[]; };
layout(push_constant) uniform Push { uint node_count; };

#include "common/exact_sums.glsl"
#include "common/invocation.glsl"
#include "common/partial_pins.glsl"

real largest_component(real3 a)
{
    return max(abs(a.x), max(abs(a.y), abs(a.z)));
}

void main()
{
    const uint groups = sum_groups(node_count);
    if (group_number() >= groups)
        return;
    // A solve that met no positive curvature at once has moved nothing: its first direction is taken.
    const bool nothing = control[CONTROL_CG_INDEFINITE] != 0u && control[CONTROL_CG_ITERATION] == 0u;
    real largest = real(0.0), gap = real(0.0);
    exact_sums_begin();
    for (uint i = invocation_number(); i < node_count; i += groups * gl_WorkGroupSize.x) {
        if (nothing) // 0 at the nodes that are not free
            increment[i] += direction[i];
        const bool pinned = (flags[i] & NODE_IS_PINNED) != 0u;
        real3 d = increment[i];
        if (is_held_in_part(i)) {
            const real3 way = held_part(i, exact3_difference(slots[ABI_SLOT_TARGET * node_count + i],
                                                             slots[ABI_SLOT_STAGE * node_count + i]));
            d = free_part(i, d) + way;
            gap = max(gap, largest_component(way));
        }
        const real3 slope = gradient[i] * d;
        increment[i] = d;
        straight[i] = d;
        const real size = largest_component(d);
        if (!(size < real(3e38)) || !(largest_component(gradient[i]) < real(3e38)))
            atomicMin(indices[DIAGNOSE_BAD_NODE], i);
        largest = max(largest, size);
        if (pinned)
            gap = max(gap, size);
        exact_sums_add(DIRECTION_SLOPE, exact(slope.x + slope.y + slope.z));
    }
    exact_sums_end(DIRECTION_SLOPE, group_number());
    smallest_end(-largest, DIRECTION_LARGEST, group_number());
    smallest_end(-gap, DIRECTION_PIN_GAP, group_number());
}
