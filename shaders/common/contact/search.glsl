// One query's walk through a tree, and past planes. Calls found(query, partner) for every pair whose boxes meet and that shares no
// vertex: of edges, each pair once. Declare the buffers of contact_count and define found() before.
#ifndef COMMON_CONTACT_SEARCH_GLSL
#define COMMON_CONTACT_SEARCH_GLSL

struct Query {
    Box box, own_box; ///< in the world, and relative to its owner's mean motion
    uint owner;
    bool is_free, meets_itself;
};

/// A body that meets itself does so in its own boxes, and others that it sees in those of the world. What cannot move does not meet
/// what cannot move.
bool node_meets(uint node, Query query)
{
    const uvec2 bits = node_owners[node], owners = bits & NODE_OWNER;
    if (!query.is_free && (bits.y & NODE_HAS_FREE) == 0u)
        return false;
    const bool has_own = owners.x <= query.owner && query.owner <= owners.y,
               has_others = owners.x != owners.y || owners.x != query.owner && owners_may_meet(owners.x, query.owner);
    return has_others && boxes_meet(query.box, boxes[node]) ||
           has_own && query.meets_itself && boxes_meet(query.own_box, own_boxes[node]);
}

/// The node that follows in the order of the leaves when what is below this one is done; 0: none.
uint next_node(uint node)
{
    node >>= findLSB(~node);
    return node == 0u ? 0u : node + 1u;
}

Query vertex_query(uint vertex)
{
    Query query;
    query.owner = vertex_owner(vertex);
    query.is_free = vertex_is_free(vertex);
    query.meets_itself = (owner_words(query.owner).z & OWNER_MEETS_ITSELF) != 0u;
    const float margin = owner_margin(query.owner);
    query.box = vertex_box(vertex, vec3(0.0), margin);
    query.own_box = query.meets_itself ? vertex_box(vertex, owner_motion[query.owner], margin) : box_empty();
    return query;
}

/// Vertex `vertex` through the tree over triangles or segments; returns how many boxes it looked at.
uint search_vertex(uint vertex, uint kind, uint first)
{
    const Tree tree = tree_of(kind);
    const Query query = vertex_query(vertex);
    uint node = 1u, steps = 0u;
    while (node != 0u) {
        ++steps;
        if (!node_meets(tree.base + node, query)) {
            node = next_node(node);
            continue;
        }
        if (node < tree.leaves) {
            node *= 2u;
            continue;
        }
        const uint partner = order[tree.first + node - tree.leaves] - tree.first;
        if (!any(equal(primitive_vertices(kind, partner), uvec3(vertex))))
            found(first + vertex, partner);
        node = next_node(node);
    }
    return steps;
}

bool has_long(uint node)
{
    return (node_owners[node].x & NODE_HAS_LONG) != 0u;
}

/// The last of the leaves below a node.
uint last_leaf(Tree tree, uint node)
{
    const int levels = findMSB(tree.leaves) - findMSB(node);
    return ((node + 1u) << levels) - 1u;
}

/// The edge at a place of its tree. A short one finds the short ones behind it, for what lies before meets it from its own side, and
/// all long ones; a long one the long ones behind it.
uint search_edge(uint place, uint first)
{
    const Tree tree = tree_of(PRIMITIVE_EDGE);
    const uint own = tree.leaves + place, edge = order[tree.first + place] - tree.first;
    const uvec2 owners = node_owners[tree.base + own] & NODE_OWNER, ends = edge_ends(edge);
    const Query query =
        Query(boxes[tree.base + own], own_boxes[tree.base + own], owners.x,
              (node_owners[tree.base + own].y & NODE_HAS_FREE) != 0u,
              (owner_words(owners.x).z & OWNER_MEETS_ITSELF) != 0u);
    const bool is_long = has_long(tree.base + own), from_start = !is_long && has_long(tree.base + 1u);
    uint node = from_start ? 1u : next_node(own), steps = 0u;
    while (node != 0u) {
        ++steps;
        const bool long_only = is_long || from_start && last_leaf(tree, node) <= own;
        if (long_only && !has_long(tree.base + node) || !node_meets(tree.base + node, query)) {
            node = next_node(node);
            continue;
        }
        if (node < tree.leaves) {
            node *= 2u;
            continue;
        }
        const uint other = order[tree.first + node - tree.leaves] - tree.first;
        const uvec2 others = edge_ends(other);
        if (!any(equal(ends.xxyy, others.xyxy)))
            found(first + min(edge, other), max(edge, other));
        node = next_node(node);
    }
    return steps;
}

/// The triangle or segment at a place of its tree past all points.
void search_points(uint kind, uint place, uint first)
{
    const Tree tree = tree_of(kind);
    for (uint point = 0u; point < point_count; ++point) {
        const uint vertex = point_vertex(point);
        if (node_meets(tree.base + tree.leaves + place, vertex_query(vertex)))
            found(first + vertex, order[tree.first + place] - tree.first);
    }
}

void search_planes(uint vertex, uint first)
{
    bool approaches;
    for (uint plane = 0u; vertex_is_free(vertex) && plane < plane_count; ++plane)
        if (owners_may_meet(vertex_owner(vertex), plane_owner(plane)) && plane_is_near(vertex, plane, approaches))
            found(first + vertex, plane);
}

/// Neighbours in the trees' order are searched by neighbours: they walk the same way.
uint search(uint number)
{
    const uint kind = query_kind(number), first = first_query(kind);
    if (kind == CONTACT_KINDS) {
        if (point_count > 0u && number < triangle_count)
            search_points(PRIMITIVE_TRIANGLE, number, 0u);
        else if (point_count > 0u && number - triangle_count < segment_count)
            search_points(PRIMITIVE_SEGMENT, number - triangle_count, first_query(CONTACT_POINT_EDGE));
        return 0u;
    }
    if (kind == CONTACT_EDGE_EDGE)
        return search_edge(number, first);
    const uint first_vertex = triangle_count + edge_count + segment_count,
               vertex = order[first_vertex + number] - first_vertex;
    if (vertex_owner(vertex) == NO_OWNER)
        return 0u;
    if (kind == CONTACT_POINT_PLANE) {
        search_planes(vertex, first);
        return 0u;
    }
    if ((owner_words(vertex_owner(vertex)).z & OWNER_IS_POINT) != 0u)
        return 0u;
    const uint tree = kind == CONTACT_POINT_TRIANGLE ? PRIMITIVE_TRIANGLE : PRIMITIVE_SEGMENT;
    return tree_of(tree).count > 0u ? search_vertex(vertex, tree, first) : 0u;
}

#endif
