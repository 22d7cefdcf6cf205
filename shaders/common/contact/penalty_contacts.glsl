// Every vertex of bodies' surfaces before every obstacle of penalty contact, obstacle by obstacle. Declare the buffers `planes`, `starts`
// and `nodes` of the surface map, `flags` and `vertices`, and vertex_count before.
#ifndef COMMON_CONTACT_PENALTY_CONTACTS_GLSL
#define COMMON_CONTACT_PENALTY_CONTACTS_GLSL

#include "abi/nodes.h"
#include "common/contact/penalty_obstacles.glsl"

uint contact_vertex(uint contact)
{
    return contact % vertex_count;
}

uint contact_obstacle(uint contact)
{
    return contact / vertex_count;
}

/// Whether any of the vertex' nodes moves freely; the others feel no obstacle.
bool contact_is_free(uint contact)
{
    const uint vertex = contact_vertex(contact);
    bool is_free = false;
    for (uint k = starts[vertex]; k < starts[vertex + 1u]; ++k)
        is_free = is_free || (flags[nodes[k]] & NODE_IS_FREE) != 0u;
    return is_free;
}

/// m; `normal`: its gradient, unit.
real contact_gap(uint contact, out real3 normal)
{
    return obstacle_gap(contact_obstacle(contact), vertices[contact_vertex(contact)], normal);
}

#endif
