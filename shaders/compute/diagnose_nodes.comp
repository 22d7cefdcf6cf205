// variant: f64
// Kinetic, gravitational and contact energy, momenta, centre of mass, the smallest gap, and nodes that are not finite.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/diagnosis.h"
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "abi/scalars.h"
#include "common/real.glsl"

#define EXACT_SUMS DIAGNOSE_NODE_SUMS

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Masses { Exact masses[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Planes { Exact planes[]; };
layout(scalar, set = 0, binding = 5) buffer Diagnosis { Exact diagnosis[]; };
layout(scalar, set = 0, binding = 6) buffer Indices { uint indices[]; };
layout(scalar, set = 0, binding = 7) readonly buffer MassLists { uint mass_lists[]; };
layout(scalar, set = 0, binding = 8) readonly buffer MassBlocks { Exact mass_blocks[]; };
layout(scalar, push_constant) uniform Push { Exact gravity[3]; uint node_count, plane_count, position, velocity; };

#define MASS_COUPLINGS
#include "common/contact/penalty_obstacles.glsl"
#include "common/exact_sums.glsl"
#include "common/invocation.glsl"
#include "common/masses.glsl"

/// What an entry of the mass matrix adds to kinetic energy and angular momentum: x and v of its row, w that of its column.
void add_motion(Exact mass, Exact3 x, Exact3 v, Exact3 w)
{
    exact_sums_add(DIAGNOSE_KINETIC, exact_multiply(exact(real(0.5)), exact_multiply(mass, exact_dot(v, w))));
    for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        const Exact turning =
            exact_add(exact_multiply(exact3_component(x, l), exact3_component(w, m)),
                      exact_negative(exact_multiply(exact3_component(x, m), exact3_component(w, l))));
        exact_sums_add(DIAGNOSE_ANGULAR + k, exact_multiply(mass, turning));
    }
}

/// The rest needs the sums of the matrix' rows only.
void add_weight(Exact weight, Exact3 x, Exact3 v)
{
    for (int k = 0; k < 3; ++k) {
        const Exact xk = exact3_component(x, k);
        exact_sums_add(DIAGNOSE_GRAVITATIONAL, exact_negative(exact_multiply(weight, exact_multiply(gravity[k], xk))));
        exact_sums_add(DIAGNOSE_MOMENTUM + k, exact_multiply(weight, exact3_component(v, k)));
        exact_sums_add(DIAGNOSE_CENTER + k, exact_multiply(weight, xk));
    }
    exact_sums_add(DIAGNOSE_MASS, weight);
}

bool is_finite(Exact3 a)
{
    return exact_is_finite(exact3_component(a, 0)) && exact_is_finite(exact3_component(a, 1)) &&
           exact_is_finite(exact3_component(a, 2));
}

void main()
{
    const uint groups = sum_groups(node_count);
    if (group_number() >= groups)
        return;
    exact_sums_begin();
    real smallest = real(3e38);
    for (uint i = invocation_number(); i < node_count; i += groups * gl_WorkGroupSize.x) {
        const Exact3 x = slots[position * node_count + i], v = slots[velocity * node_count + i];
        if (!is_finite(x) || !is_finite(v)) {
            atomicMin(indices[DIAGNOSE_BAD_NODE], i);
            continue;
        }
        add_motion(masses[i], x, v, v);
        add_weight(gravity_weight(i), x, v);
        for (uint k = 0u; k < 4u && is_coupled(i); ++k)
            if (!is_own(i, k))
                add_motion(coupled_mass(i, k), x, v, slots[velocity * node_count + coupled_node(i, k)]);
        const bool touches = flags[i] >> NODE_SURFACE_SHIFT != 0u && (flags[i] & NODE_IS_FREE) != 0u;
        for (uint p = 0u; p < plane_count && touches; ++p) {
            real3 n;
            const real gap = obstacle_gap(p, x, n);
            smallest = min(smallest, gap);
            exact_sums_add(DIAGNOSE_CONTACT, exact(plane_penalty_energy(scalars[SCALAR_STIFFNESS], gap)));
        }
    }
    exact_sums_end(0u, group_number());
    smallest_end(smallest, DIAGNOSE_GAP, group_number());
}
