// variant: f64
// Which candidates are within their range at the places of the vertices: once as flags to be counted, once as a list in order.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/barrier.h"
#include "abi/contact.h"
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Candidates { uint candidates[]; };
layout(scalar, set = 0, binding = 2) readonly buffer CandidateNumbers { real candidate_numbers[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Vertices { Exact3 vertices[]; };
layout(scalar, set = 0, binding = 4) buffer Places { uint places[]; };
layout(scalar, set = 0, binding = 5) writeonly buffer Active { uint active_candidates[]; };
layout(push_constant) uniform Push { uint writes; };

#include "common/contact/candidates.glsl"
#include "common/invocation.glsl"

void main()
{
    const uint c = invocation_number(), count = control[PAIR_CANDIDATES];
    if (c >= count)
        return;
    if (writes == 0u) {
        const Candidate candidate = candidate_load(c);
        places[c] = candidate_gap(candidate) < candidate.barrier.range ? 1u : 0u;
        return;
    }
    // What the scan has left: how many are active before it.
    const uint next = c + 1u < count ? places[c + 1u] : control[PAIR_WANTED + PAIR_ACTIVE];
    if (control[PAIR_ACTIVE] > 0u && places[c] != next)
        active_candidates[places[c]] = c;
}
