// variant: f64
// How many raw pairs each query has, and how many boxes all of them looked at.
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
layout(scalar, set = 0, binding = 6) readonly buffer Boxes { Box boxes[]; };
layout(scalar, set = 0, binding = 7) readonly buffer OwnBoxes { Box own_boxes[]; };
layout(scalar, set = 0, binding = 8) readonly buffer NodeOwners { uvec2 node_owners[]; };
layout(scalar, set = 0, binding = 9) buffer Starts { uint starts[]; };
layout(scalar, set = 0, binding = 10) buffer Control { uint control[]; };

#include "common/contact/vertex_boxes.glsl"
#include "common/invocation.glsl"

#include "common/contact/planes.glsl"
#include "common/contact/queries.glsl"

uint pairs = 0u;

/// Of two edges either may find the other: sums of integers are the same in any order.
void found(uint query, uint partner)
{
    atomicAdd(starts[query], 1u);
    ++pairs;
}

#include "common/contact/search.glsl"

shared uint total, total_pairs;

void main()
{
    if (gl_LocalInvocationIndex == 0u)
        total = total_pairs = 0u;
    barrier();
    atomicAdd(total, search(invocation_number()));
    atomicAdd(total_pairs, min(pairs, 0xffffffffu / gl_WorkGroupSize.x));
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        atomicAdd(control[CONTACT_STEPS], total);
        atomicAdd(control[CONTACT_RAW_COARSE], total_pairs >> CONTACT_COARSE_SHIFT);
    }
}
