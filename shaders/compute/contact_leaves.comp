// variant: f64
// Boxes of the primitives at their places in the trees, and of the nodes above them as far as a workgroup's own. An owner that is held
// against itself has boxes relative to its mean motion besides, so that a body in flight does not sweep over itself.
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
layout(scalar, set = 0, binding = 6) writeonly buffer Nodes { uvec4 nodes[]; };
layout(scalar, set = 0, binding = 7) writeonly buffer OwnNodes { uvec4 own_nodes[]; };

#include "common/contact/vertex_boxes.glsl"
#include "common/invocation.glsl"

#include "common/contact/levels.glsl"

/// The box of a primitive is that around its vertices' boxes.
Box primitive_box(uvec3 corners, vec3 mean, float margin)
{
    return box_join(box_join(vertex_box(corners.x, mean, margin), vertex_box(corners.y, mean, margin)),
                    vertex_box(corners.z, mean, margin));
}

void main()
{
    uint kind, first, width;
    if (!level_part(0u, kind, first, width))
        return;
    const Tree tree = tree_of(kind);
    const uint own = gl_LocalInvocationIndex, place = first + own - tree.leaves;
    Box box = box_empty(), own_box = box_empty();
    uvec2 owners = uvec2(NO_OWNER, 0u);
    uint number = 0u;
    if (place < tree.count) {
        const uint index = order[tree.first + place] - tree.first;
        const uvec3 corners = primitive_vertices(kind, index);
        const uint owner = vertex_owner(corners.x);
        const bool is_free = vertex_is_free(corners.x) || vertex_is_free(corners.y) || vertex_is_free(corners.z);
        const float margin = owner_margin(owner);
        box = primitive_box(corners, vec3(0.0), margin);
        if ((owner_words(owner).z & OWNER_MEETS_ITSELF) != 0u)
            own_box = primitive_box(corners, owner_motion[owner], margin);
        const bool is_long = kind == PRIMITIVE_EDGE && edge_is_long(index);
        number = index | (is_free ? NODE_HAS_FREE : 0u);
        owners = uvec2(owner | (is_long ? NODE_HAS_LONG : 0u), owner | (is_free ? NODE_HAS_FREE : 0u));
    }
    joined[own] = box;
    own_joined[own] = own_box;
    owners_joined[own] = owners;
    set_node(tree.base + first + own, box, own_box, uvec2(owners.x, number));
    barrier();
    join_levels(tree.base, first, width);
}
