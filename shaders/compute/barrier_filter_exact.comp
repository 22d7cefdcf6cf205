// variant: f64
// The pairs that compute/barrier_filter left undecided, with exact numbers. Their order does not matter: a minimum.
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
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Candidates { uint candidates[]; };
layout(scalar, set = 0, binding = 2) readonly buffer CandidateNumbers { real candidate_numbers[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Vertices { Exact3 vertices[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Motion { Exact3 motion[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Undecided { uint undecided[]; };
layout(scalar, set = 0, binding = 6) buffer Diagnosis { Exact diagnosis[]; };

#include "common/contact/candidates.glsl"
#include "common/exact_sums.glsl"
#include "common/geometry/exact_ccd.glsl"
#include "common/invocation.glsl"

void main()
{
    if (workgroup_is_idle(control[PAIR_UNDECIDED]))
        return;
    real safe = real(1.0);
    for (uint k = invocation_number(); k < control[PAIR_UNDECIDED]; k += PAIR_SUM_GROUPS * gl_WorkGroupSize.x) {
        const Candidate candidate = candidate_load(undecided[k]);
        Exact3 x[4], d[4], y[4], q[4];
        for (int i = 0; i < 4; ++i) {
            x[i] = vertices[candidate.vertices[i]];
            d[i] = motion[candidate.vertices[i]];
        }
        exact_relative_vertices(x, y);
        exact_relative_vertices(d, q);
        int turns;
        safe = min(safe, exact_ccd_pair(y, q, candidate_pair(candidate), candidate.barrier.separation, turns));
    }
    smallest_end(safe, TRIAL_BOUND, group_number());
}
