// variant: f64
// How many raw pairs each query has, and how many boxes all of them looked at. What a workgroup finds it keeps as far as it has room.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/contact/boxes.glsl"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Vertices { Exact3 vertices[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Motion { Exact3 motion[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Lists { uint lists[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Numbers { real numbers[]; };
layout(scalar, set = 0, binding = 4) readonly buffer OwnerMotion { vec3 owner_motion[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Order { uint order[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Nodes { uvec4 nodes[]; };
layout(scalar, set = 0, binding = 7) readonly buffer OwnNodes { uvec4 own_nodes[]; };
layout(scalar, set = 0, binding = 8) buffer Starts { uint starts[]; };
layout(scalar, set = 0, binding = 9) buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 10) writeonly buffer Walked { uvec2 walked[]; };

#include "common/contact/vertex_boxes.glsl"
#include "common/invocation.glsl"

#include "common/contact/planes.glsl"
#include "common/contact/queries.glsl"

uint pairs = 0u;
shared uint total, total_pairs, kept;

/// Of two edges either may find the other: sums of integers are the same in any order. The walk waits for nothing here but shared
/// memory: where the query's pairs are to be is contact_collect's to ask.
void found(uint query, uint partner)
{
    const uint place = atomicAdd(kept, 1u);
    if (place < walk_room)
        walked[first_walked(group_number()) + place] = uvec2(query, partner);
    atomicAdd(starts[query], 1u);
    ++pairs;
}

#include "common/contact/search.glsl"

void main()
{
    if (gl_LocalInvocationIndex == 0u)
        total = total_pairs = kept = 0u;
    barrier();
    atomicAdd(total, search(invocation_number()));
    atomicAdd(total_pairs, min(pairs, 0xffffffffu / gl_WorkGroupSize.x));
    barrier();
    if (gl_LocalInvocationIndex == 0u && group_number() < search_groups()) {
        walked[first_walked(group_number()) - WALKED_HEAD] = uvec2(total_pairs, 0u);
        atomicAdd(control[CONTACT_STEPS], total);
        atomicAdd(control[CONTACT_RAW_COARSE], total_pairs >> CONTACT_COARSE_SHIFT);
    }
}
