// variant: f64
// Friction is lagged: normal forces, tangent planes and coefficients of the candidates within range. Those that do not rub get a
// coefficient of 0.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/barrier.h"
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Candidates { uint candidates[]; };
layout(scalar, set = 0, binding = 2) readonly buffer CandidateNumbers { real candidate_numbers[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Vertices { Exact3 vertices[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Active { uint active_candidates[]; };
layout(scalar, set = 0, binding = 5) writeonly buffer FrictionVertices { uint friction_vertices[]; };
layout(scalar, set = 0, binding = 6) writeonly buffer Friction { real friction[]; };
layout(scalar, set = 0, binding = 7) readonly buffer Sides { uvec2 sides[]; }; // of a vertex: row of `coefficients`; obstacle + 1 that turns, or 0
layout(scalar, set = 0, binding = 8) readonly buffer Coefficients { real coefficients[]; };
layout(scalar, set = 0, binding = 9) readonly buffer Turns { real turns[]; };
layout(scalar, set = 0, binding = 10) readonly buffer Starts { uint starts[]; };
layout(scalar, set = 0, binding = 11) readonly buffer Nodes { uint nodes[]; };
layout(scalar, set = 0, binding = 12) readonly buffer Weights { Exact weights[]; };
layout(scalar, set = 0, binding = 13) readonly buffer Slots { Exact3 slots[]; };
/// time: of the slip, s; speed: eps_v, m/s
layout(scalar, push_constant) uniform Push { Exact time, speed; uint node_count, velocity, side_count, semi_implicit; };

#include "common/contact/candidates.glsl"
#include "common/contact/friction_store.glsl"
#include "common/contact/surface_nodes.glsl"
#include "common/geometry/tangent.glsl"
#include "common/invocation.glsl"

/// Where a turning plane or sphere is touched, m from what it turns about: `r` from the second primitive to the first.
real3 arm_of(Candidate candidate, uint obstacle, real3 r, real sign)
{
    if (!candidate_is_plane(candidate))
        return -sign * turns[TURN_DATA * obstacle + TURN_SEPARATION] / length(r) * r;
    const real3 offset = exact3_difference(vertices[candidate.vertices[0]], vertices[candidate.vertices[1]]);
    return offset - dot(offset, r) * r;
}

/// How that moves beyond what the obstacle's vertex does, seen from the other side of the contact.
real3 drift_of(Candidate candidate, uint vertex, real3 r, real sign)
{
    const uint obstacle = sides[vertex].y;
    if (obstacle == 0u)
        return real3(0.0);
    const uint at = TURN_DATA * (obstacle - 1u);
    const real3 arm = arm_of(candidate, obstacle - 1u, r, sign);
    return sign * real3(dot(real3(turns[at], turns[at + 1u], turns[at + 2u]), arm),
                        dot(real3(turns[at + 3u], turns[at + 4u], turns[at + 5u]), arm),
                        dot(real3(turns[at + 6u], turns[at + 7u], turns[at + 8u]), arm));
}

/// Normal force, N, its weights and direction.
real force_of(Candidate candidate, out real weights_of[4], out real3 r)
{
    if (candidate_is_plane(candidate)) {
        Exact3 x[3];
        candidate_plane_places(candidate, x);
        weights_of = real[4](real(1.0), real(-1.0), real(0.0), real(0.0));
        return plane_barrier_force(candidate_plane(candidate), x, r);
    }
    real3 y[4];
    candidate_places(candidate, y);
    return pair_barrier_force(candidate.barrier, y, candidate_pair(candidate), weights_of, r);
}

void main()
{
    const uint k = invocation_number();
    if (k >= control[PAIR_FRICTION])
        return;
    const Candidate candidate = candidate_load(active_candidates[k]);
    const uint first = candidate.vertices[0], second = candidate.vertices[candidate_is_plane(candidate) ? 1 : 3];
    FrictionContact contact;
    real3 r;
    contact.coefficient = coefficients[sides[first].x * side_count + sides[second].x];
    contact.coefficient *= force_of(candidate, contact.weights, r);
    tangent_basis(r, contact.tangents);
    contact.drift = drift_of(candidate, first, r, real(1.0)) + drift_of(candidate, second, r, real(-1.0));
    if (semi_implicit != 0u) {
        real3 way[4];
        real2 u;
        for (int i = 0; i < 4; ++i)
            way[i] = exact_value(time) * vertex_value(candidate.vertices[i], velocity);
        contact.coefficient /= max(friction_slip(contact, way, u) / exact_value(time), exact_value(speed));
    }
    friction_store(k, candidate.vertices, contact);
}
