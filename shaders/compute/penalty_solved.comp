// variant: f64
// What rubs where ADMM is done: the part of a copy's multiplier that is friction's, once as flags to be counted, once in order, as
// contacts whose force is known. Twin of note_friction in src/device/cpu/terms/penalty_split.c.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/barrier.h"
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Planes { Exact planes[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Split { real split[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Starts { uint starts[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Nodes { uint nodes[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Flags { uint flags[]; };
layout(scalar, set = 0, binding = 7) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 8) buffer Places { uint places[]; };
layout(scalar, set = 0, binding = 9) writeonly buffer Active { uint active_contacts[]; };
layout(scalar, set = 0, binding = 10) writeonly buffer FrictionVertices { uint friction_vertices[]; };
layout(scalar, set = 0, binding = 11) writeonly buffer Friction { real friction[]; };
layout(push_constant) uniform Push { uint writes, node_count, surface_count, split_count, base; };

#include "common/contact/friction_store.glsl"
#include "common/contact/penalty_split.glsl"
#include "common/invocation.glsl"

Copy find_copy(uint c)
{
    uint before = 0u;
    for (uint p = 0u; p < c / surface_count; ++p)
        before += uint(exact_value(obstacle_number(p, PLANE_WIDTH))) * surface_count;
    return copy_of(c / surface_count, before, c % surface_count, real(0.0)); // weights are not asked for
}

uint node_of(uint c)
{
    return nodes[starts[c % surface_count]];
}

/// Whether the last prox had friction at work; without, a multiplier along the obstacle is what the iteration has left.
bool copy_rubs(Copy copy)
{
    if (copy.width == 1u)
        return false;
    if (copy.is_sphere)
        return copy_load(copy, SPLIT_DRAG) != real3(0.0);
    return copy_load(copy, SPLIT_STATE).yz != copy_load(copy, SPLIT_PROJECTED).yz;
}

void write_contact(uint k, uint c)
{
    const Copy copy = find_copy(c);
    const real3 multiplier = copy_load(copy, SPLIT_MULTIPLIER), rest = copy_load(copy, SPLIT_REST);
    FrictionContact contact;
    real3 pull = real3(0.0), normal;
    contact.drift = real3(0.0);
    for (uint j = 0u; j < 3u; ++j) {
        pull += multiplier[j] * copy_axis(copy, j);
        contact.drift -= rest[j] * copy_axis(copy, j);
    }
    if (copy.is_sphere) {
        penalty_direction(copy_load(copy, SPLIT_PROJECTED), normal);
        contact.drift += exact3_difference(slots[base * node_count + node_of(c)], obstacle_point(copy.obstacle));
    } else {
        normal = copy_axis(copy, 0u);
    }
    contact.tangents[0] = pull - dot(pull, normal) * normal;
    contact.tangents[1] = real3(0.0);
    contact.coefficient = real(0.0);
    active_contacts[k] = c;
    friction_store_vertex(k, c % surface_count, contact);
}

void main()
{
    const uint c = invocation_number(), count = control[PAIR_CANDIDATES];
    if (c >= count)
        return;
    if (writes == 0u) {
        places[c] = (flags[node_of(c)] & NODE_IS_FREE) != 0u && copy_rubs(find_copy(c)) ? 1u : 0u;
        return;
    }
    // What the scan has left: how many rub before it.
    const uint next = c + 1u < count ? places[c + 1u] : control[PAIR_WANTED + PAIR_FRICTION];
    if (control[PAIR_FRICTION] > 0u && places[c] != next)
        write_contact(places[c], c);
}
