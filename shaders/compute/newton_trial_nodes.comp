// variant: f64
// Free nodes along the direction: change of inertia, gravity, loads and obstacles, formed node by node, and its derivative.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/newton.h"
#include "abi/nodes.h"
#include "abi/scalars.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Masses { Exact masses[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Planes { Exact planes[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Increment { real3 increment[]; };
layout(scalar, set = 0, binding = 6) buffer Diagnosis { Exact diagnosis[]; };
layout(scalar, set = 0, binding = 7) buffer Indices { uint indices[]; };
layout(scalar, set = 0, binding = 8) readonly buffer MassLists { uint mass_lists[]; };
layout(scalar, set = 0, binding = 9) readonly buffer MassBlocks { Exact mass_blocks[]; };
layout(scalar, set = 0, binding = 10) readonly buffer Loads { real3 loads[]; };
layout(push_constant) uniform Push { uint node_count, plane_count, halvings; };

#define MASS_COUPLINGS
#include "common/invocation.glsl"
#include "common/loads.glsl"
#include "common/masses.glsl"
#include "common/contact/penalty_obstacles.glsl"
#include "common/trials.glsl"
#include "common/contact/penalty_trial.glsl"

void main()
{
    const uint groups = sum_groups(node_count);
    if (group_number() >= groups)
        return;
    const real3 gravity = real3(scalars[SCALAR_GRAVITY], scalars[SCALAR_GRAVITY + 1], scalars[SCALAR_GRAVITY + 2]);
    const real step = first_step(halvings);
    exact_sums_begin();
    for (uint i = invocation_number(); i < node_count; i += groups * gl_WorkGroupSize.x) {
        if ((flags[i] & NODE_IS_FREE) == 0u)
            continue;
        const Exact3 x = slots[ABI_SLOT_STAGE * node_count + i];
        const real3 moved = exact3_difference(x, slots[ABI_SLOT_TARGET * node_count + i]), d = increment[i];
        const real mass = exact_value(masses[i]), weight = mass * scalars[SCALAR_INVERSE_A_SQ];
        const real fall = exact_value(gravity_weight(i)) * dot(gravity, d) + dot(load_at(i), d);
        real linear = weight * dot(moved, d), square = weight * dot(d, d);
        for (uint k = 0u; k < 4u && is_coupled(i); ++k)
            if (!is_own(i, k)) {
                const uint j = coupled_node(i, k);
                const real coupling = exact_value(coupled_mass(i, k)) * scalars[SCALAR_INVERSE_A_SQ];
                linear += coupling * dot(exact3_difference(slots[ABI_SLOT_STAGE * node_count + j],
                                                           slots[ABI_SLOT_TARGET * node_count + j]),
                                         d);
                square += coupling * dot(increment[j], d);
            }
        real s = step;
        for (uint t = 0u; t < TRIALS_MOST; ++t) {
            trial_add(t, s * (linear + real(0.5) * s * square - fall), linear + s * square - fall,
                      s * (abs(linear) + real(0.5) * s * abs(square) + abs(fall)));
            s *= real(0.5);
        }
        for (uint p = 0u; p < plane_count && flags[i] >> NODE_SURFACE_SHIFT != 0u; ++p)
            penalty_try(p, x, d, step);
    }
    exact_sums_end(TRIAL_DIFFERENCE, group_number());
}
