// variant: f64
// What primitives are sorted by: their kind, then the Morton code of their centre in the cube around all boxes. Before the sort
// they are in the order of their numbers, so equal keys stay in that.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "common/contact/boxes.glsl"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Vertices { Exact3 vertices[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Lists { uint lists[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Nodes { uvec4 nodes[]; };
layout(scalar, set = 0, binding = 3) writeonly buffer Keys { uvec2 keys[]; };
layout(scalar, set = 0, binding = 4) writeonly buffer Order { uint order[]; };

#include "common/contact/lists.glsl"
#include "common/invocation.glsl"

/// Bits 0 to 9 to places 0, 3, …, 27.
uint spread(uint bits)
{
    bits = (bits | bits << 16u) & 0x030000ffu;
    bits = (bits | bits << 8u) & 0x0300f00fu;
    bits = (bits | bits << 4u) & 0x030c30c3u;
    return (bits | bits << 2u) & 0x09249249u;
}

uint interleave(uvec3 bits)
{
    return spread(bits.x) | spread(bits.y) << 1u | spread(bits.z) << 2u;
}

/// The box around all trees.
Box bounds()
{
    Box box = box_empty();
    for (uint kind = 0u; kind < TREE_COUNT; ++kind) {
        const uint root = 2u * (tree_of(kind).base + 1u);
        if (tree_of(kind).count > 0u)
            box = box_join(box, node_box(nodes[root], nodes[root + 1u]));
    }
    return box;
}

void main()
{
    const uint primitive = invocation_number();
    if (primitive >= triangle_count + edge_count + segment_count + vertex_count)
        return;
    uint kind = 0u, index = primitive;
    for (; kind < TREE_COUNT && index >= tree_of(kind).count; ++kind)
        index -= tree_of(kind).count;
    const Box box = bounds();
    const uvec3 corners = primitive_vertices(kind, index);
    const Exact3 low = exact3(real3(box.low));
    const vec3 center = vec3(exact3_difference(vertices[corners.x], low) +
                             exact3_difference(vertices[corners.y], low) +
                             exact3_difference(vertices[corners.z], low)) / 3.0;
    const vec3 size = box.high - box.low;
    const float most = float((1u << MORTON_BITS) - 1u), longest = max(size.x, max(size.y, size.z));
    const uvec3 cell = uvec3(clamp(center * (most / longest), vec3(0.0), vec3(most)));
    const uint lower = interleave(cell & 0x3ffu), upper = interleave(cell >> 10u);
    keys[primitive] = uvec2(lower | upper << 30u, upper >> 2u | kind << 28u);
    order[primitive] = primitive;
}
