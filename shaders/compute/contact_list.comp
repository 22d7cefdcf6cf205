// variant: f64
// The candidates in their order: by query, then by what it met, whatever the trees look like and whoever came first.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Lists { uint lists[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Numbers { real numbers[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Rest { Exact3 rest[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Raw { uvec2 raw[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Kept { uint kept[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Starts { uint starts[]; };
layout(scalar, set = 0, binding = 7) writeonly buffer Candidates { uint candidates[]; };
layout(scalar, set = 0, binding = 8) writeonly buffer CandidateNumbers { real candidate_numbers[]; };

#include "common/contact/lists.glsl"
#include "common/invocation.glsl"

#include "common/contact/queries.glsl"

#include "common/contact/pairs.glsl"

void main()
{
    const uint i = invocation_number();
    if (i >= control[CONTACT_RAW_COUNT] || (raw[i].y & RAW_KEPT) == 0u)
        return;
    const uint query = raw[i].x, partner = raw[i].y & RAW_PARTNER, first = query > 0u ? starts[query - 1u] : 0u;
    uint place = kept[first];
    for (uint other = first; other < starts[query]; ++other)
        place += uint((raw[other].y & RAW_KEPT) != 0u && (raw[other].y & RAW_PARTNER) < partner);
    const Pair pair = raw_pair(query, partner);
    const PairNumbers barrier = pair_numbers(pair);
    for (uint c = 0u; c < 4u; ++c)
        candidates[CANDIDATE_WORDS * place + c] = pair.vertices[c];
    candidates[CANDIDATE_WORDS * place + CANDIDATE_KIND] =
        pair.kind | ((raw[i].y & RAW_APPROACHES) != 0u ? uint(CANDIDATE_APPROACHES) : 0u);
    const uint at = CANDIDATE_NUMBERS * place;
    candidate_numbers[at + CANDIDATE_STIFFNESS] = numbers[CONTACT_STIFFNESS] * pair.area;
    candidate_numbers[at + CANDIDATE_RANGE] = barrier.range;
    candidate_numbers[at + CANDIDATE_SEPARATION] = barrier.separation;
    candidate_numbers[at + CANDIDATE_THRESHOLD] = barrier.threshold;
}
