// variant: f64
// Which vertices have sunk into which planes and spheres: once as flags to be counted, once as pairs, in order, each with its gradient
// and Hessian k n n^T at the vertex; that of a sphere is projected.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/barrier.h"
#include "abi/kernel.h"
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
layout(scalar, set = 0, binding = 7) buffer Places { uint places[]; };
layout(scalar, set = 0, binding = 8) writeonly buffer Corners { uint corners[]; };
layout(scalar, set = 0, binding = 9) writeonly buffer Pairs { real3 pairs[]; };
layout(push_constant) uniform Push { uint writes, vertex_count; };

#include "common/contact/pair_store.glsl"
#include "common/contact/penalty_contacts.glsl"
#include "common/invocation.glsl"

void write_pair(uint pair, uint contact)
{
    real3 n;
    const real stiffness = scalars[SCALAR_STIFFNESS], gap = contact_gap(contact, n);
    uint of[4];
    real3 gradient[4], factors[12];
    for (uint i = 0u; i < 4u; ++i) {
        of[i] = contact_vertex(contact);
        gradient[i] = real3(0.0);
    }
    for (uint i = 0u; i < 12u; ++i)
        factors[i] = real3(0.0);
    gradient[0] = plane_penalty_slope(stiffness, gap) * n;
    factors[0] = sqrt(plane_penalty_curvature(stiffness, gap)) * n;
    pair_store(pair, of, gradient, factors);
}

void main()
{
    const uint c = invocation_number(), count = control[PAIR_CANDIDATES];
    if (c >= count)
        return;
    if (writes == 0u) {
        real3 normal;
        places[c] = contact_is_free(c) && contact_gap(c, normal) < real(0.0) ? 1u : 0u;
        return;
    }
    // What the scan has left: how many have sunk in before it.
    const uint next = c + 1u < count ? places[c + 1u] : control[PAIR_WANTED + PAIR_ACTIVE];
    if (control[PAIR_COUNT] > 0u && places[c] != next)
        write_pair(places[c], c);
}
