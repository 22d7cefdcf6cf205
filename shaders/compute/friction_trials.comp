// variant: f64
// Friction along the direction: change of its potential over the steps, and its derivative.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/barrier.h"
#include "abi/kernel.h"
#include "abi/newton.h"
#include "abi/nodes.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer FrictionVertices { uint friction_vertices[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Friction { real friction[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Starts { uint starts[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Nodes { uint nodes[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Weights { Exact weights[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 7) readonly buffer Motion { Exact3 motion[]; };
layout(scalar, set = 0, binding = 8) buffer Diagnosis { Exact diagnosis[]; };
layout(scalar, set = 0, binding = 9) buffer Indices { uint indices[]; };
layout(scalar, push_constant) uniform Push { Exact time, speed; uint node_count, base, law, halvings; };

#include "common/contact/friction_contacts.glsl"
#include "common/contact/surface_nodes.glsl"
#include "common/invocation.glsl"
#include "common/trials.glsl"

void main()
{
    if (workgroup_is_idle(control[PAIR_FRICTION]))
        return;
    const real longest = first_step(halvings);
    exact_sums_begin();
    for (uint k = invocation_number(); k < control[PAIR_FRICTION]; k += PAIR_SUM_GROUPS * gl_WorkGroupSize.x) {
        const FrictionContact contact = friction_load(k);
        const FrictionLaw potential =
            friction_law(law == FRICTION_LAW_SEMI_IMPLICIT, exact_value(speed), exact_value(time));
        real3 slip[4], along[4];
        for (uint i = 0u; i < 4u; ++i) {
            slip[i] = vertex_difference(friction_vertex(k, i), ABI_SLOT_STAGE, base);
            along[i] = exact3_value(motion[friction_vertex(k, i)]);
        }
        real s = longest;
        for (uint t = 0u; t < TRIALS_MOST; ++t) {
            real3 way[4];
            real slope, magnitude;
            for (int i = 0; i < 4; ++i)
                way[i] = s * along[i];
            const real change = friction_change(contact, potential, slip, way, slope, magnitude);
            trial_add(t, change, slope / s, magnitude);
            s *= real(0.5);
        }
    }
    exact_sums_end(TRIAL_DIFFERENCE, group_number());
}
