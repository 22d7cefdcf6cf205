// Contacts that rub, as compute/friction_lag leaves them. Declare the buffers `friction_vertices` and `friction` before.
#ifndef COMMON_CONTACT_FRICTION_CONTACTS_GLSL
#define COMMON_CONTACT_FRICTION_CONTACTS_GLSL

#include "abi/barrier.h"
#include "common/physics/contact/friction.glsl"

uint friction_vertex(uint contact, uint i)
{
    return friction_vertices[FRICTION_VERTICES * contact + i];
}

real3 friction_vector(uint at)
{
    return real3(friction[at], friction[at + 1u], friction[at + 2u]);
}

FrictionContact friction_load(uint contact)
{
    const uint at = FRICTION_DATA * contact;
    FrictionContact loaded;
    for (uint i = 0u; i < 4u; ++i)
        loaded.weights[i] = friction[at + FRICTION_WEIGHTS + i];
    loaded.tangents[0] = friction_vector(at + FRICTION_TANGENTS);
    loaded.tangents[1] = friction_vector(at + FRICTION_TANGENTS + 3u);
    loaded.drift = friction_vector(at + FRICTION_DRIFT);
    loaded.coefficient = friction[at + FRICTION_COEFFICIENT];
    loaded.dual = real2(friction[at + FRICTION_DUAL], friction[at + FRICTION_DUAL + 1u]);
    loaded.slip = real2(friction[at + FRICTION_SLIP], friction[at + FRICTION_SLIP + 1u]);
    loaded.trust = friction[at + FRICTION_TRUST];
    return loaded;
}

/// Minus the force on a vertex with weight 1, N; `speed` is eps_v, m/s, `time` what the slip takes, s, `motion` x_i - base_i, m.
real3 friction_contact_pull(FrictionContact contact, uint law, real speed, real time, real3 motion[4])
{
    if (law == FRICTION_LAW_SOLVED)
        return contact.tangents[0];
    return friction_pull(contact, friction_law(law == FRICTION_LAW_SEMI_IMPLICIT, speed, time), motion);
}

#endif
