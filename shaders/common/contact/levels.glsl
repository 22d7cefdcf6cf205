// From leaves to roots, TREE_LEVELS levels of all trees at a time. Declare the buffers `nodes` and `own_nodes` before; include after common/invocation.glsl and common/contact/lists.glsl.
#ifndef COMMON_CONTACT_LEVELS_GLSL
#define COMMON_CONTACT_LEVELS_GLSL

#include "common/contact/boxes.glsl"

shared Box joined[GROUP_TREE], own_joined[GROUP_TREE];
shared uvec2 owners_joined[GROUP_TREE];

/// Lowest and highest owner, each with its bit.
uvec2 join_owners(uvec2 a, uvec2 b)
{
    return uvec2(min(a.x & NODE_OWNER, b.x & NODE_OWNER), max(a.y & NODE_OWNER, b.y & NODE_OWNER)) |
           ((a | b) & ~NODE_OWNER);
}

/// The part of a level that is this workgroup's: the tree, its first node in it and how many. False: none.
bool level_part(uint stage, out uint kind, out uint first, out uint width)
{
    uint group = group_number();
    for (kind = 0u; kind < TREE_COUNT; ++kind) {
        const uint level = tree_of(kind).leaves >> TREE_LEVELS * stage;
        const uint groups = level > 1u ? (level + GROUP_TREE - 1u) / GROUP_TREE : 0u;
        if (group < groups) {
            width = min(level, uint(GROUP_TREE));
            first = level + width * group;
            return true;
        }
        group -= groups;
    }
    return false;
}

void set_node(uint node, Box box, Box own_box, uvec2 owners)
{
    nodes[2u * node] = uvec4(floatBitsToUint(box.low), owners.x);
    nodes[2u * node + 1u] = uvec4(floatBitsToUint(box.high), owners.y);
    own_nodes[2u * node] = uvec4(floatBitsToUint(own_box.low), owners.x);
    own_nodes[2u * node + 1u] = uvec4(floatBitsToUint(own_box.high), owners.y);
}

/// Sets the nodes above `width` nodes from `first` on, which are in shared memory, as far as one. Call in uniform control flow.
void join_levels(uint base, uint first, uint width)
{
    const uint own = gl_LocalInvocationIndex;
    while (width > 1u) {
        first /= 2u;
        width /= 2u;
        Box box, own_box;
        uvec2 owners;
        if (own < width) {
            box = box_join(joined[2u * own], joined[2u * own + 1u]);
            own_box = box_join(own_joined[2u * own], own_joined[2u * own + 1u]);
            owners = join_owners(owners_joined[2u * own], owners_joined[2u * own + 1u]);
            set_node(base + first + own, box, own_box, owners);
        }
        barrier();
        if (own < width) {
            joined[own] = box;
            own_joined[own] = own_box;
            owners_joined[own] = owners;
        }
        barrier();
    }
}

#endif
