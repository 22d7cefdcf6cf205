// variant: f64
// Energy and smallest gap of what is within range; then the candidate of that gap, the lowest; then its vertices.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/barrier.h"
#include "abi/contact.h"
#include "abi/diagnosis.h"
#include "abi/kernel.h"
#include "common/real.glsl"

#define EXACT_SUMS 1

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Candidates { uint candidates[]; };
layout(scalar, set = 0, binding = 2) readonly buffer CandidateNumbers { real candidate_numbers[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Vertices { Exact3 vertices[]; };
layout(scalar, set = 0, binding = 4) buffer Diagnosis { Exact diagnosis[]; };
layout(push_constant) uniform Push { uint pass; };

#include "common/contact/candidates.glsl"
#include "common/exact_sums.glsl"
#include "common/invocation.glsl"

real energy_of(Candidate candidate)
{
    if (candidate_is_plane(candidate)) {
        Exact3 x[3];
        candidate_plane_places(candidate, x);
        return plane_barrier_energy(candidate_plane(candidate), x);
    }
    real3 y[4];
    candidate_places(candidate, y);
    return pair_barrier_energy(candidate.barrier, y, candidate_pair(candidate));
}

void measure(uint c, inout real smallest)
{
    const Candidate candidate = candidate_load(c);
    const real gap = candidate_gap(candidate);
    if (!(gap < candidate.barrier.range))
        return;
    const uint bits = floatBitsToUint(max(float(gap), 0.0));
    if (pass == 0u) {
        exact_sums_add(0u, exact(energy_of(candidate)));
        smallest = min(smallest, gap);
        atomicMin(control[PAIR_CLOSEST], bits);
    } else if (bits == control[PAIR_CLOSEST]) {
        atomicMin(control[PAIR_CLOSEST_CANDIDATE], c);
    }
}

void main()
{
    const uint count = control[PAIR_CANDIDATES];
    if (pass == 2u) {
        const uint c = control[PAIR_CLOSEST_CANDIDATE];
        if (invocation_number() < 4u && c < count)
            control[PAIR_CLOSEST_VERTICES + invocation_number()] = candidates[CANDIDATE_WORDS * c + invocation_number()];
        return;
    }
    if (workgroup_is_idle(count))
        return;
    real smallest = real(3e38);
    exact_sums_begin();
    for (uint c = invocation_number(); c < count; c += PAIR_SUM_GROUPS * gl_WorkGroupSize.x)
        measure(c, smallest);
    if (pass != 0u)
        return;
    exact_sums_end(DIAGNOSE_CONTACT, group_number());
    smallest_end(smallest, DIAGNOSE_GAP, group_number());
}
