// Leaves a contact that rubs, whose slip nothing has followed yet. Declare the buffers `friction_vertices` and `friction` before.
#ifndef COMMON_CONTACT_FRICTION_STORE_GLSL
#define COMMON_CONTACT_FRICTION_STORE_GLSL

#include "abi/barrier.h"
#include "common/physics/contact/friction.glsl"

void friction_store(uint k, uint vertices_of[4], FrictionContact contact)
{
    const uint at = FRICTION_DATA * k;
    for (uint i = 0u; i < 4u; ++i) {
        friction_vertices[FRICTION_VERTICES * k + i] = vertices_of[i];
        friction[at + FRICTION_WEIGHTS + i] = contact.weights[i];
    }
    for (uint a = 0u; a < 3u; ++a) {
        friction[at + FRICTION_TANGENTS + a] = contact.tangents[0][a];
        friction[at + FRICTION_TANGENTS + 3u + a] = contact.tangents[1][a];
        friction[at + FRICTION_DRIFT + a] = contact.drift[a];
    }
    friction[at + FRICTION_COEFFICIENT] = contact.coefficient;
    friction[at + FRICTION_DUAL] = FRICTION_UNKNOWN;
}

/// A single vertex on an obstacle.
void friction_store_vertex(uint k, uint vertex, FrictionContact contact)
{
    contact.weights = real[4](real(1.0), real(0.0), real(0.0), real(0.0));
    friction_store(k, uint[4](vertex, vertex, vertex, vertex), contact);
}

#endif
