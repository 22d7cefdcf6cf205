// Pairs of primitives that may come within range (src/device/vulkan/contact/broad_phase.h). Declare the buffers `candidates`,
// `candidate_numbers` and `vertices` before.
#ifndef COMMON_CONTACT_CANDIDATES_GLSL
#define COMMON_CONTACT_CANDIDATES_GLSL

#include "abi/contact.h"
#include "common/physics/contact/pair_barrier.glsl"
#include "common/physics/contact/plane_barrier.glsl"

struct Candidate {
    uint vertices[4];
    uint kind;
    bool approaches;
    PairBarrier barrier;
};

Candidate candidate_load(uint c)
{
    Candidate candidate;
    for (uint i = 0u; i < 4u; ++i)
        candidate.vertices[i] = candidates[CANDIDATE_WORDS * c + i];
    const uint kind = candidates[CANDIDATE_WORDS * c + CANDIDATE_KIND];
    candidate.kind = kind & CANDIDATE_KIND_MASK;
    candidate.approaches = (kind & CANDIDATE_APPROACHES) != 0u;
    const uint numbers = CANDIDATE_NUMBERS * c;
    candidate.barrier.stiffness = candidate_numbers[numbers + CANDIDATE_STIFFNESS];
    candidate.barrier.range = candidate_numbers[numbers + CANDIDATE_RANGE];
    candidate.barrier.separation = candidate_numbers[numbers + CANDIDATE_SEPARATION];
    candidate.barrier.parallel_threshold = candidate_numbers[numbers + CANDIDATE_THRESHOLD];
    return candidate;
}

bool candidate_is_plane(Candidate candidate)
{
    return candidate.kind == CONTACT_POINT_PLANE;
}

/// Which two primitives; not of a plane.
int candidate_pair(Candidate candidate)
{
    return candidate.kind == CONTACT_EDGE_EDGE ? PAIR_EDGE_EDGE : PAIR_POINT_TRIANGLE;
}

PlaneBarrier candidate_plane(Candidate candidate)
{
    return PlaneBarrier(candidate.barrier.stiffness, candidate.barrier.range, candidate.barrier.separation);
}

/// The vertex, the plane's point and its tip.
void candidate_plane_places(Candidate candidate, out Exact3 x[3])
{
    for (int i = 0; i < 3; ++i)
        x[i] = vertices[candidate.vertices[i]];
}

/// The vertices, relative to the first.
void candidate_places(Candidate candidate, out real3 y[4])
{
    const Exact3 first = vertices[candidate.vertices[0]];
    y[0] = real3(0.0);
    for (int i = 1; i < 4; ++i)
        y[i] = exact3_difference(vertices[candidate.vertices[i]], first);
}

/// Distance less separation, m.
real candidate_gap(Candidate candidate)
{
    if (candidate_is_plane(candidate)) {
        Exact3 x[3];
        real3 normal;
        candidate_plane_places(candidate, x);
        return plane_barrier_gap(candidate_plane(candidate), x, normal);
    }
    real3 y[4];
    candidate_places(candidate, y);
    return sqrt(closest_points(y, candidate_pair(candidate)).distance_sq) - candidate.barrier.separation;
}

#endif
