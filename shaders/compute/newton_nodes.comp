// variant: f64
// The objective's gradient at the nodes, summed in a fixed order; the nodes' own part of the diagonal blocks; and where the
// direction starts: target - x where nodes are pinned, 0 elsewhere. Nodes that are not free have the elements' part only.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/control.h"
#include "abi/kernel.h"
#include "abi/newton.h"
#include "abi/nodes.h"
#include "abi/scalars.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 3) readonly buffer IncidenceStart { uint incidence_start[]; };
layout(scalar, set = 0, binding = 4) readonly buffer CornerForces { real3 corner_forces[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Masses { Exact masses[]; };
layout(scalar, set = 0, binding = 7) readonly buffer Planes { Exact planes[]; };
layout(scalar, set = 0, binding = 8) writeonly buffer Gradient { real3 gradient[]; };
layout(scalar, set = 0, binding = 9) writeonly buffer Increment { real3 increment[]; };
layout(scalar, set = 0, binding = 10) writeonly buffer Preconditioner { real preconditioner[]; };
layout(scalar, set = 0, binding = 11) readonly buffer MassLists { uint mass_lists[]; };
layout(scalar, set = 0, binding = 12) readonly buffer MassBlocks { Exact mass_blocks[]; };
layout(scalar, set = 0, binding = 13) readonly buffer PartialPins { real partial_pins[]; };
layout(scalar, set = 0, binding = 14) readonly buffer Loads { real3 loads[]; };
layout(push_constant) uniform Push { uint node_count, plane_count, limit; };

#define MASS_COUPLINGS
#include "common/contact/penalty_obstacles.glsl"
#include "common/invocation.glsl"
#include "common/loads.glsl"
#include "common/masses.glsl"
#include "common/partial_pins.glsl"

/// Inertia, gravity, loads and obstacles (the Hessian of a sphere projected) at a free node: adds to its gradient, writes its block (00 11 22 01 02 12).
void own_terms(uint i, Exact3 x, real3 moved, inout real3 sum)
{
    const real3 gravity = real3(scalars[SCALAR_GRAVITY], scalars[SCALAR_GRAVITY + 1], scalars[SCALAR_GRAVITY + 2]);
    const real mass = exact_value(masses[i]), weight = mass * scalars[SCALAR_INVERSE_A_SQ];
    const real stiffness = scalars[SCALAR_STIFFNESS];
    real3 diagonal = real3(weight), upper = real3(0.0);
    sum += weight * moved - exact_value(gravity_weight(i)) * gravity - load_at(i);
    for (uint k = 0u; k < 4u && is_coupled(i); ++k)
        if (!is_own(i, k)) {
            const uint j = coupled_node(i, k);
            const real coupling = exact_value(coupled_mass(i, k)) * scalars[SCALAR_INVERSE_A_SQ];
            sum += coupling * exact3_difference(slots[ABI_SLOT_STAGE * node_count + j],
                                                slots[ABI_SLOT_TARGET * node_count + j]);
        }
    for (uint p = 0u; p < plane_count && flags[i] >> NODE_SURFACE_SHIFT != 0u; ++p) {
        real3 n;
        const real gap = obstacle_gap(p, x, n);
        if (gap >= real(0.0)) // nothing to add
            continue;
        const real curvature = plane_penalty_curvature(stiffness, gap);
        sum += plane_penalty_slope(stiffness, gap) * n;
        diagonal += curvature * n * n;
        upper += curvature * real3(n.x * n.y, n.x * n.z, n.y * n.z);
    }
    for (uint k = 0u; k < 3u; ++k) {
        preconditioner[6u * i + k] = diagonal[k];
        preconditioner[6u * i + 3u + k] = upper[k];
    }
}

void main()
{
    const uint i = invocation_number();
    if (i == 0u) {
        control[CONTROL_STOP] = NEWTON_RUNNING;
        control[CONTROL_CG_ITERATION] = 0u;
        control[CONTROL_CG_LIMIT] = limit;
        control[CONTROL_CG_INDEFINITE] = 0u;
        control[ARGUMENTS_CG] = control[CONTROL_GROUPS_CG];
        control[ARGUMENTS_COARSE] = control[CONTROL_GROUPS_COARSE];
        control[ARGUMENTS_CHUNKS] = control[CONTROL_GROUPS_CHUNKS];
        control[ARGUMENTS_AFTER_NODES] = 0u;
    }
    if (i >= node_count)
        return;
    const Exact3 x = slots[ABI_SLOT_STAGE * node_count + i];
    const real3 moved = exact3_difference(x, slots[ABI_SLOT_TARGET * node_count + i]);
    real3 sum = real3(0.0);
    for (uint p = incidence_start[i]; p < incidence_start[i + 1u]; ++p)
        sum += corner_forces[p];
    if ((flags[i] & NODE_IS_FREE) != 0u)
        own_terms(i, x, moved, sum);
    gradient[i] = sum;
    increment[i] = (flags[i] & NODE_IS_PINNED) != 0u ? -moved
                   : is_held_in_part(i)              ? held_part(i, -moved)
                                                     : real3(0.0);
}
