// What collides, as abi/contact.h lays it out. Declare the buffer `lists` before.
#ifndef COMMON_CONTACT_LISTS_GLSL
#define COMMON_CONTACT_LISTS_GLSL

#include "abi/contact.h"

layout(push_constant) uniform Push {
    uint vertex_count, triangle_count, edge_count, segment_count, plane_count, point_count, owner_count;
    uint triangle_leaves, edge_leaves, segment_leaves;
    uint moves; ///< 0: there is no motion
    uint raw_capacity, candidate_capacity, groups_in_row;
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

/// Point and tip.
uvec2 plane_vertices(uint plane)
{
    const uint at = vertex_count + 3u * triangle_count + 2u * edge_count + segment_count + 2u * plane;
    return uvec2(lists[at], lists[at + 1u]);
}

uint point_vertex(uint point)
{
    return lists[vertex_count + 3u * triangle_count + 2u * edge_count + segment_count + 2u * plane_count + point];
}

/// First vertex, number of vertices, bits.
uvec3 owner_words(uint owner)
{
    const uint at = vertex_count + 3u * triangle_count + 2u * edge_count + segment_count + 2u * plane_count +
                    point_count + OWNER_WORDS * owner;
    return uvec3(lists[at], lists[at + 1u], lists[at + 2u]);
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
