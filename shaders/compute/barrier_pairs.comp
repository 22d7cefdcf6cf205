// variant: f64
// Gradient and positive semidefinite Hessian of the candidates within range.
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
layout(scalar, set = 0, binding = 5) writeonly buffer Corners { uint corners[]; };
layout(scalar, set = 0, binding = 6) writeonly buffer Pairs { real3 pairs[]; };

#include "common/contact/candidates.glsl"
#include "common/contact/pair_store.glsl"
#include "common/invocation.glsl"

void main()
{
    const uint k = invocation_number();
    if (k >= control[PAIR_ACTIVE])
        return;
    const Candidate candidate = candidate_load(active_candidates[k]);
    real3 gradient[4];
    PairHessian hessian;
    if (candidate_is_plane(candidate)) {
        Exact3 x[3];
        real3 push[3], factor;
        candidate_plane_places(candidate, x);
        plane_barrier_hessian(candidate_plane(candidate), x, push, factor);
        for (int i = 0; i < 12; ++i)
            hessian.factors[i] = real3(0.0);
        gradient[0] = push[0];
        gradient[1] = push[1];
        gradient[2] = gradient[3] = real3(0.0);
        hessian.factors[0] = factor;
        hessian.factors[1] = -factor;
    } else {
        real3 y[4];
        candidate_places(candidate, y);
        pair_barrier_hessian(candidate.barrier, y, candidate_pair(candidate), gradient, hessian);
    }
    pair_store(k, candidate.vertices, gradient, hessian.factors);
}
