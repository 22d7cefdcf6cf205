// Motions of bodies as rigid ones (theory.md section 7, angular momentum; src/device/vulkan/terms/rigid_motion.c): what a workgroup has of one chunk of
// nodes. Places and ways are measured from the first node of the chunk's part, so that neither where a body is nor how fast it flies
// is rounded. Declare the buffers `slots`, `increment`, `forces`, `incidence_start`, `corner_forces` and `chunks` before.
#ifndef COMMON_RIGID_MOTION_GLSL
#define COMMON_RIGID_MOTION_GLSL

#include "abi/damping.h"
#include "common/real.glsl"

/// values: RIGID_OF_*; position: the slot of the places that motions are about; gathers: what forces are of; the rest is for what comes
/// out.
layout(push_constant) uniform Push { uint node_count, chunk_count, values, position, to, from, gathers, destination, adds; };

uint chunk_word(uint chunk, uint word)
{
    return chunks[RIGID_WORDS * chunk + word];
}

Exact3 way_of(uint i)
{
    const Exact3 end = slots[to * node_count + i];
    if (from == DAMPING_NO_SLOT)
        return end;
    return exact3_subtract(end, slots[from * node_count + i]);
}

real3 force_of(uint i)
{
    real3 sum = gathers == RIGID_CORNERS_ALONE ? real3(0.0) : forces[i];
    if (gathers != RIGID_NODES_ALONE)
        for (uint p = incidence_start[i]; p < incidence_start[i + 1u]; ++p)
            sum += corner_forces[p];
    return sum;
}

/// The value of a node as it differs from that of the part's first; forces as they are.
real3 value_of(uint i, uint first)
{
    if (values == RIGID_OF_FORCES)
        return force_of(i);
    if (values == RIGID_OF_INCREMENT)
        return increment[i] - increment[first];
    return exact3_difference(way_of(i), way_of(first));
}

real3 arm_of(uint i, uint first)
{
    return exact3_difference(slots[position * node_count + i], slots[position * node_count + first]);
}

#endif
