// What collides, as abi/contact.h lays it out. Declare the buffer `lists` before.
#ifndef COMMON_CONTACT_LISTS_GLSL
#define COMMON_CONTACT_LISTS_GLSL

#include "abi/contact.h"

layout(push_constant) uniform Push {
    uint vertex_count, triangle_count, edge_count, segment_count, plane_count, point_count, owner_count;
    uint group_count, zone_count; ///< collision groups, and words of the lists of zones; 0: there are none
    uint triangle_leaves, edge_leaves, segment_leaves;
    uint moves; ///< 0: there is no motion
    uint raw_capacity, candidate_capacity, groups_in_row;
    uint walk_room;
    uint argument;
};

uint vertex_owner(uint vertex)
{
    return lists[vertex] & VERTEX_OWNER;
}

bool vertex_is_free(uint vertex)
{
    return (lists[vertex] & VERTEX_IS_FREE) != 0u;
}

uvec3 triangle_corners(uint triangle)
{
    const uint at = vertex_count + 3u * triangle;
    return uvec3(lists[at], lists[at + 1u], lists[at + 2u]);
}

uvec2 edge_ends(uint edge)
{
    const uint at = vertex_count + 3u * triangle_count + 2u * edge;
    return uvec2(lists[at] & ~EDGE_IS_LONG, lists[at + 1u]);
}

bool edge_is_long(uint edge)
{
    return (lists[vertex_count + 3u * triangle_count + 2u * edge] & EDGE_IS_LONG) != 0u;
}

uint segment_edge(uint segment)
{
    return lists[vertex_count + 3u * triangle_count + 2u * edge_count + segment];
}

uint first_plane_word()
{
    return vertex_count + 3u * triangle_count + 2u * edge_count + segment_count;
}

/// Point and tip.
uvec2 plane_vertices(uint plane)
{
    const uint at = first_plane_word() + PLANE_WORDS * plane;
    return uvec2(lists[at], lists[at + 1u]);
}

uint plane_owner(uint plane)
{
    return lists[first_plane_word() + PLANE_WORDS * plane + 2u];
}

uint point_vertex(uint point)
{
    return lists[first_plane_word() + PLANE_WORDS * plane_count + point];
}

uint first_owner_word()
{
    return first_plane_word() + PLANE_WORDS * plane_count + point_count;
}

/// First vertex, number of vertices, bits.
uvec3 owner_words(uint owner)
{
    const uint at = first_owner_word() + OWNER_WORDS * owner;
    return uvec3(lists[at], lists[at + 1u], lists[at + 2u]);
}

uint owner_group(uint owner)
{
    return lists[first_owner_word() + OWNER_WORDS * owner + 3u];
}

uint group_row_words()
{
    return (group_count + 31u) / 32u;
}

/// As model_contact_may_meet of src/model/contact.h.
bool owners_may_meet(uint owner, uint other)
{
    if (group_count == 0u)
        return true;
    const uint other_group = owner_group(other), row = first_owner_word() + OWNER_WORDS * owner_count +
                                                       owner_group(owner) * group_row_words();
    return (lists[row + other_group / 32u] & 1u << other_group % 32u) == 0u;
}

/// The primitives that have lists of zones: triangles, edges and vertices, by their numbers; PRIMITIVE_SEGMENT is none of them.
uint zones_of(uint kind, uint index)
{
    const uint first = first_owner_word() + OWNER_WORDS * owner_count + group_count * group_row_words(),
               place = kind == PRIMITIVE_VERTEX     ? index
                       : kind == PRIMITIVE_TRIANGLE ? vertex_count + index
                                                    : vertex_count + triangle_count + index;
    return first + vertex_count + triangle_count + edge_count + lists[first + place];
}

/// As exclusions_are_joined of src/model/exclusions.h.
bool are_joined(uint kind, uint index, uint other_kind, uint other_index)
{
    if (zone_count == 0u)
        return false;
    const uint others = zones_of(other_kind, other_index);
    for (uint at = zones_of(kind, index); lists[at] != NO_ZONE; ++at)
        for (uint other = others; lists[other] != NO_ZONE; ++other)
            if ((lists[at] ^ 1u) == lists[other])
                return true;
    return false;
}

/// The vertices of a primitive; where it has fewer, the last once more.
uvec3 primitive_vertices(uint kind, uint index)
{
    if (kind == PRIMITIVE_TRIANGLE)
        return triangle_corners(index);
    if (kind == PRIMITIVE_VERTEX)
        return uvec3(index);
    return edge_ends(kind == PRIMITIVE_SEGMENT ? segment_edge(index) : index).xyy;
}

struct Tree {
    uint count, first; ///< primitives, and the first one's number among those of all kinds
    uint leaves, base; ///< node i of the tree is node base + i of all
};

Tree tree_of(uint kind)
{
    if (kind == PRIMITIVE_TRIANGLE)
        return Tree(triangle_count, 0u, triangle_leaves, 0u);
    if (kind == PRIMITIVE_EDGE)
        return Tree(edge_count, triangle_count, edge_leaves, 2u * triangle_leaves);
    return Tree(segment_count, triangle_count + edge_count, segment_leaves, 2u * (triangle_leaves + edge_leaves));
}

#endif
