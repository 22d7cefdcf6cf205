// Every vertex of the surface before every plane, plane by plane. Declare the buffers `planes`, `starts` and `nodes` of the surface
// map, `flags` and `vertices`, and vertex_count before.
#ifndef COMMON_CONTACT_PENALTY_CONTACTS_GLSL
#define COMMON_CONTACT_PENALTY_CONTACTS_GLSL

#include "abi/nodes.h"
#include "common/physics/contact/plane_penalty.glsl"
#include "common/planes.glsl"

uint contact_vertex(uint contact)
{
    return contact % vertex_count;
}

uint contact_plane(uint contact)
{
    return contact / vertex_count;
}

/// Whether any of the vertex' nodes moves freely; the others feel no plane.
bool contact_is_free(uint contact)
{
    const uint vertex = contact_vertex(contact);
    bool is_free = false;
    for (uint k = starts[vertex]; k < starts[vertex + 1u]; ++k)
        is_free = is_free || (flags[nodes[k]] & NODE_IS_FREE) != 0u;
    return is_free;
}

/// m
real contact_gap(uint contact)
{
    return plane_gap(contact_plane(contact), vertices[contact_vertex(contact)]);
}

#endif
