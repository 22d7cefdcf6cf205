// variant: f64
// Friction of penalty contact is lagged: which vertices have sunk in where the stage begins, and rub, once as flags to be counted, once
// in order, each with its normal force, tangent plane and what the obstacle drifts by.
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
layout(scalar, set = 0, binding = 7) readonly buffer Bodies { uint bodies[]; }; // of vertices
layout(scalar, set = 0, binding = 8) readonly buffer Coefficients { real coefficients[]; };
layout(scalar, set = 0, binding = 9) readonly buffer Drifts { real drifts[]; };
layout(scalar, set = 0, binding = 10) buffer Places { uint places[]; };
layout(scalar, set = 0, binding = 11) writeonly buffer Active { uint active_contacts[]; };
layout(scalar, set = 0, binding = 12) writeonly buffer FrictionVertices { uint friction_vertices[]; };
layout(scalar, set = 0, binding = 13) writeonly buffer Friction { real friction[]; };
layout(push_constant) uniform Push { uint writes, vertex_count, plane_count, body_count; };

#include "common/contact/friction_store.glsl"
#include "common/contact/penalty_contacts.glsl"
#include "common/contact/penalty_drift.glsl"
#include "common/geometry/tangent.glsl"
#include "common/invocation.glsl"

/// Where the stage begins, m.
real lagged_gap(uint contact, out real3 normal)
{
    return obstacle_gap(plane_count + contact_obstacle(contact), vertices[contact_vertex(contact)], normal);
}

real coefficient_of(uint contact)
{
    return coefficients[body_count * contact_obstacle(contact) + bodies[contact_vertex(contact)]];
}

void write_contact(uint k, uint c)
{
    FrictionContact contact;
    real3 normal;
    const real gap = lagged_gap(c, normal);
    contact.coefficient = -coefficient_of(c) * plane_penalty_slope(scalars[SCALAR_STIFFNESS], gap);
    tangent_basis(normal, contact.tangents);
    contact.drift = penalty_drift(contact_obstacle(c), vertices[contact_vertex(c)]);
    active_contacts[k] = c;
    friction_store_vertex(k, contact_vertex(c), contact);
}

void main()
{
    const uint c = invocation_number(), count = control[PAIR_CANDIDATES];
    if (c >= count)
        return;
    if (writes == 0u) {
        real3 normal;
        places[c] =
            coefficient_of(c) > real(0.0) && contact_is_free(c) && lagged_gap(c, normal) < real(0.0) ? 1u : 0u;
        return;
    }
    // What the scan has left: how many rub before it.
    const uint next = c + 1u < count ? places[c + 1u] : control[PAIR_WANTED + PAIR_FRICTION];
    if (control[PAIR_FRICTION] > 0u && places[c] != next)
        write_contact(places[c], c);
}
