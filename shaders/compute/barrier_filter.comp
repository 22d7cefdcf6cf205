// variant: f64
// The largest part of a motion on which nothing comes to touch. Pairs that single precision cannot tell make a list.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/barrier.h"
#include "abi/contact.h"
#include "abi/kernel.h"
#include "abi/newton.h"
#include "common/real.glsl"

#define EXACT_SUMS 1

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Candidates { uint candidates[]; };
layout(scalar, set = 0, binding = 2) readonly buffer CandidateNumbers { real candidate_numbers[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Vertices { Exact3 vertices[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Motion { Exact3 motion[]; };
layout(scalar, set = 0, binding = 5) buffer Undecided { uint undecided[]; }; // room for all candidates
layout(scalar, set = 0, binding = 6) buffer Diagnosis { Exact diagnosis[]; };

#include "common/contact/candidates.glsl"
#include "common/contact/plane_filter.glsl"
#include "common/exact_sums.glsl"
#include "common/invocation.glsl"

/// 1 where the pair is put on the list.
real pair_safe(uint c, Candidate candidate)
{
    real3 y[4], q[4];
    candidate_places(candidate, y);
    const Exact3 along = motion[candidate.vertices[0]];
    real3 largest = real3(0.0);
    q[0] = real3(0.0);
    for (int i = 0; i < 4; ++i) {
        const Exact3 own = motion[candidate.vertices[i]];
        q[i] = exact3_difference(own, along);
        largest = max(largest, abs(exact3_value(vertices[candidate.vertices[i]])) + abs(exact3_value(own)));
    }
    int turns;
    bool is_undecided;
    const real safe = ccd_pair(y, q, candidate_pair(candidate), candidate.barrier.separation,
                               max(largest.x, max(largest.y, largest.z)), turns, is_undecided);
    if (!is_undecided)
        return safe;
    undecided[atomicAdd(control[PAIR_UNDECIDED], 1u)] = c;
    return real(1.0);
}

void main()
{
    if (workgroup_is_idle(control[PAIR_CANDIDATES]))
        return;
    real safe = real(1.0);
    for (uint c = invocation_number(); c < control[PAIR_CANDIDATES]; c += PAIR_SUM_GROUPS * gl_WorkGroupSize.x) {
        const Candidate candidate = candidate_load(c);
        if (candidate.approaches)
            safe = min(safe, candidate_is_plane(candidate) ? plane_safe(candidate) : pair_safe(c, candidate));
    }
    smallest_end(safe, TRIAL_BOUND, group_number());
}
