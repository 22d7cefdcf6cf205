// variant: f64
// The barrier along the direction: change of its energy over the steps, and its derivative.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/barrier.h"
#include "abi/contact.h"
#include "abi/kernel.h"
#include "abi/newton.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Candidates { uint candidates[]; };
layout(scalar, set = 0, binding = 2) readonly buffer CandidateNumbers { real candidate_numbers[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Vertices { Exact3 vertices[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Motion { Exact3 motion[]; };
layout(scalar, set = 0, binding = 5) buffer Diagnosis { Exact diagnosis[]; };
layout(scalar, set = 0, binding = 6) buffer Indices { uint indices[]; };
layout(push_constant) uniform Push { uint halvings; };

#include "common/contact/candidates.glsl"
#include "common/invocation.glsl"
#define EXACT_SUMS TRIAL_SUMS
#include "common/trials.glsl"

/// The energy's change after a step, as pair_barrier_change and plane_barrier_change have it.
real change_of(Candidate candidate, real s, out real slope, out real magnitude)
{
    real3 way[4];
    for (int i = 0; i < 4; ++i)
        way[i] = s * exact3_value(motion[candidate.vertices[i]]);
    if (candidate_is_plane(candidate)) {
        Exact3 x[3];
        const real3 moves[3] = real3[3](way[0], way[1], way[2]);
        candidate_plane_places(candidate, x);
        return plane_barrier_change(candidate_plane(candidate), x, moves, slope, magnitude);
    }
    real3 y[4];
    candidate_places(candidate, y);
    return pair_barrier_change(candidate.barrier, y, way, candidate_pair(candidate), slope, magnitude);
}

void main()
{
    if (workgroup_is_idle(control[PAIR_CANDIDATES]))
        return;
    const real longest = first_step(halvings);
    exact_sums_begin();
    for (uint c = invocation_number(); c < control[PAIR_CANDIDATES]; c += PAIR_SUM_GROUPS * gl_WorkGroupSize.x) {
        const Candidate candidate = candidate_load(c);
        real s = longest;
        for (uint t = 0u; t < TRIALS_MOST; ++t) {
            real slope, magnitude;
            const real change = change_of(candidate, s, slope, magnitude);
            trial_add(t, change, slope / s, magnitude);
            if (t == 0u)
                exact_sums_add(TRIAL_WORK, exact(abs(slope / s)));
            s *= real(0.5);
        }
    }
    exact_sums_end(TRIAL_DIFFERENCE, group_number());
}
