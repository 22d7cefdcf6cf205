// variant: f64
// Penalty contact along the direction: change of its energy over the steps, and its derivative.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/barrier.h"
#include "abi/kernel.h"
#include "abi/newton.h"
#include "abi/scalars.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Planes { Exact planes[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Starts { uint starts[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Nodes { uint nodes[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Vertices { Exact3 vertices[]; };
layout(scalar, set = 0, binding = 7) readonly buffer Motion { Exact3 motion[]; };
layout(scalar, set = 0, binding = 8) buffer Diagnosis { Exact diagnosis[]; };
layout(scalar, set = 0, binding = 9) buffer Indices { uint indices[]; };
layout(push_constant) uniform Push { uint vertex_count, halvings; };

#include "common/contact/penalty_contacts.glsl"
#include "common/invocation.glsl"
#include "common/trials.glsl"
#include "common/contact/penalty_trial.glsl"

void main()
{
    if (workgroup_is_idle(control[PAIR_CANDIDATES]))
        return;
    const real longest = first_step(halvings);
    exact_sums_begin();
    for (uint c = invocation_number(); c < control[PAIR_CANDIDATES]; c += PAIR_SUM_GROUPS * gl_WorkGroupSize.x)
        if (contact_is_free(c))
            penalty_try(contact_obstacle(c), vertices[contact_vertex(c)], exact3_value(motion[contact_vertex(c)]), longest);
    exact_sums_end(TRIAL_DIFFERENCE, group_number());
}
