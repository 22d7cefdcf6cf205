// variant: f64
// What friction takes while the nodes move from one slot's places to another's: minus its work on all nodes, on the free ones.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/barrier.h"
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "common/real.glsl"

#define EXACT_SUMS 2

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer FrictionVertices { uint friction_vertices[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Friction { real friction[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Starts { uint starts[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Nodes { uint nodes[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Weights { Exact weights[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 7) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 8) buffer Diagnosis { Exact diagnosis[]; };
/// share: of the slip's time that the motion takes
layout(scalar, push_constant) uniform Push { Exact time, speed, share; uint node_count, base, law, from, to; };

#include "common/contact/friction_contacts.glsl"
#include "common/contact/surface_nodes.glsl"
#include "common/exact_sums.glsl"
#include "common/invocation.glsl"

/// Minus the work on all nodes a vertex follows from, and on the free ones.
void add_work(uint vertex, real3 pull, inout real all, inout real on_free)
{
    for (uint k = starts[vertex]; k < starts[vertex + 1u]; ++k) {
        const uint i = nodes[k];
        const real taken = exact_value(weights[k]) *
                           dot(pull, exact3_difference(slots[to * node_count + i], slots[from * node_count + i]));
        all += taken;
        on_free += (flags[i] & NODE_IS_FREE) != 0u ? taken : real(0.0);
    }
}

void main()
{
    if (workgroup_is_idle(control[PAIR_FRICTION]))
        return;
    exact_sums_begin();
    for (uint k = invocation_number(); k < control[PAIR_FRICTION]; k += PAIR_SUM_GROUPS * gl_WorkGroupSize.x) {
        const FrictionContact contact = friction_load(k);
        real3 motion[4];
        for (uint i = 0u; i < 4u; ++i)
            motion[i] = vertex_difference(friction_vertex(k, i), ABI_SLOT_STAGE, base);
        const real3 pull = friction_contact_pull(contact, law, exact_value(speed), exact_value(time), motion);
        real all = exact_value(share) * dot(pull, contact.drift), on_free = real(0.0);
        for (uint i = 0u; i < 4u; ++i)
            add_work(friction_vertex(k, i), contact.weights[i] * pull, all, on_free);
        // Where ADMM holds a vertex, it still moves by what its tolerance leaves, this way or that.
        if (law == FRICTION_LAW_SOLVED && all <= real(0.0))
            continue;
        exact_sums_add(0u, exact(all));
        exact_sums_add(1u, exact(on_free));
    }
    exact_sums_end(0u, group_number());
}
