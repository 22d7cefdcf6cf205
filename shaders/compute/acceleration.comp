// variant: f64
// M^-1 f at the free nodes from the corner forces of D^T w P, gravity, and the obstacles at the positions of a slot; or with `forces` f
// at all nodes.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "abi/scalars.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 2) readonly buffer IncidenceStart { uint incidence_start[]; };
layout(scalar, set = 0, binding = 3) readonly buffer CornerForces { real3 corner_forces[]; };
layout(scalar, set = 0, binding = 4) buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Masses { Exact masses[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Planes { Exact planes[]; };
layout(scalar, set = 0, binding = 7) readonly buffer MassLists { uint mass_lists[]; };
layout(scalar, set = 0, binding = 8) readonly buffer MassBlocks { Exact mass_blocks[]; };
layout(scalar, set = 0, binding = 9) readonly buffer PartialPins { real partial_pins[]; };
layout(scalar, set = 0, binding = 10) readonly buffer Loads { real3 loads[]; };
layout(push_constant) uniform Push { uint node_count, plane_count, at, destination, forces; };

#define MASS_COUPLINGS
#include "common/contact/penalty_obstacles.glsl"
#include "common/invocation.glsl"
#include "common/loads.glsl"
#include "common/masses.glsl"
#include "common/partial_pins.glsl"

/// What elements, loads and obstacles push back with at a node.
real3 resistance(uint i)
{
    real3 sum = -load_at(i);
    for (uint p = incidence_start[i]; p < incidence_start[i + 1u]; ++p)
        sum += corner_forces[p];
    for (uint p = 0u; p < plane_count && flags[i] >> NODE_SURFACE_SHIFT != 0u; ++p) {
        real3 n;
        const real gap = obstacle_gap(p, slots[at * node_count + i], n);
        sum += plane_penalty_slope(scalars[SCALAR_STIFFNESS], gap) * n;
    }
    return sum;
}

void main()
{
    const uint i = invocation_number();
    if (i >= node_count)
        return;
    const real3 gravity = real3(scalars[SCALAR_GRAVITY], scalars[SCALAR_GRAVITY + 1], scalars[SCALAR_GRAVITY + 2]);
    real3 result = real3(0.0);
    if (forces != 0u) {
        slots[destination * node_count + i] = exact3(exact_value(gravity_weight(i)) * gravity - resistance(i));
        return;
    }
    if ((flags[i] & NODE_IS_FREE) != 0u && is_coupled(i)) {
        result = gravity;
        for (uint k = 0u; k < 4u; ++k)
            result -= exact_value(coupled_inverse(i, k)) * resistance(coupled_node(i, k));
    } else if ((flags[i] & NODE_IS_FREE) != 0u) {
        result = gravity - resistance(i) / exact_value(masses[i]);
    }
    slots[destination * node_count + i] = exact3(free_part(i, result));
}
