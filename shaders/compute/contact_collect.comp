// variant: f64
// The raw pairs of every query, in no order: contact_list finds one. Where a query's pairs start becomes where they end.
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
layout(scalar, set = 0, binding = 10) writeonly buffer Raw { uvec2 raw[]; };

#include "common/contact/vertex_boxes.glsl"
#include "common/invocation.glsl"

#include "common/contact/planes.glsl"
#include "common/contact/queries.glsl"

void found(uint query, uint partner)
{
    raw[atomicAdd(starts[query], 1u)] = uvec2(query, partner);
}

#include "common/contact/search.glsl"

void main()
{
    search(invocation_number());
}
