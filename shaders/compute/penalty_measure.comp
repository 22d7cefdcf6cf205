// variant: f64
// Energy and smallest gap of penalty contact.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/barrier.h"
#include "abi/diagnosis.h"
#include "abi/kernel.h"
#include "abi/scalars.h"
#include "common/real.glsl"

#define EXACT_SUMS 1

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Planes { Exact planes[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Starts { uint starts[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Nodes { uint nodes[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Vertices { Exact3 vertices[]; };
layout(scalar, set = 0, binding = 7) buffer Diagnosis { Exact diagnosis[]; };
layout(push_constant) uniform Push { uint vertex_count; };

#include "common/contact/penalty_contacts.glsl"
#include "common/exact_sums.glsl"
#include "common/invocation.glsl"

void main()
{
    if (workgroup_is_idle(control[PAIR_CANDIDATES]))
        return;
    real smallest = real(3e38);
    exact_sums_begin();
    for (uint c = invocation_number(); c < control[PAIR_CANDIDATES]; c += PAIR_SUM_GROUPS * gl_WorkGroupSize.x) {
        if (!contact_is_free(c))
            continue;
        real3 normal;
        const real gap = contact_gap(c, normal);
        smallest = min(smallest, gap);
        exact_sums_add(0u, exact(plane_penalty_energy(scalars[SCALAR_STIFFNESS], gap)));
    }
    exact_sums_end(DIAGNOSE_CONTACT, group_number());
    smallest_end(smallest, DIAGNOSE_GAP, group_number());
}
