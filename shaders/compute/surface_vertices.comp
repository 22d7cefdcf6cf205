// variant: f64
// Places of the surface's vertices from those of nodes, and their motion.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Starts { uint starts[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Nodes { uint nodes[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Weights { Exact weights[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Increment { real3 increment[]; };
layout(scalar, set = 0, binding = 5) writeonly buffer Vertices { Exact3 vertices[]; };
layout(scalar, set = 0, binding = 6) writeonly buffer Motion { Exact3 motion[]; };
/// motion_of: VERTICES_STAND, VERTICES_ALONG (the direction) or VERTICES_TO (another slot)
layout(push_constant) uniform Push { uint vertex_count, node_count, slot, motion_of, other_slot; };

#include "abi/barrier.h"
#include "common/invocation.glsl"

Exact3 node_motion(uint i)
{
    return motion_of == VERTICES_ALONG ? exact3(increment[i])
                                       : exact3_subtract(slots[other_slot * node_count + i], slots[slot * node_count + i]);
}

void main()
{
    const uint v = invocation_number();
    if (v >= vertex_count)
        return;
    const uint first = starts[v], end = starts[v + 1u];
    if (end - first == 1u) { // the very values of a node
        vertices[v] = slots[slot * node_count + nodes[first]];
        if (motion_of != VERTICES_STAND)
            motion[v] = node_motion(nodes[first]);
        return;
    }
    Exact3 x = exact3(real3(0.0)), p = x;
    for (uint k = first; k < end; ++k) {
        x = exact3_add(x, exact3_scale(weights[k], slots[slot * node_count + nodes[k]]));
        if (motion_of != VERTICES_STAND)
            p = exact3_add(p, exact3_scale(weights[k], node_motion(nodes[k])));
    }
    vertices[v] = x;
    if (motion_of != VERTICES_STAND)
        motion[v] = p;
}
