// One query's walk through a tree, and past planes. Calls found(query, partner) for every pair whose boxes meet and that shares no
// vertex: of edges, each pair once. Declare the buffers of contact_count and define found() before.
#ifndef COMMON_CONTACT_SEARCH_GLSL
#define COMMON_CONTACT_SEARCH_GLSL

struct Query {
    Box box, own_box; ///< in the world, and relative to its owner's mean motion
    uint owner;
    bool is_free, meets_itself;
};

/// A body that meets itself does so in its own boxes, and others in those of the world. What cannot move does not meet what
/// cannot move.
bool node_meets(uint node, Query query)
{
    const uvec2 owners = node_owners[node];
    const uint high = owners.y & ~NODE_HAS_FREE;
    if (!query.is_free && (owners.y & NODE_HAS_FREE) == 0u)
        return false;
    const bool has_own = owners.x <= query.owner && query.owner <= high,
               has_others = owners.x != query.owner || high != query.owner;
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

/// The edge at a place of its tree against those behind it: what lies before meets it from its own side.
uint search_edge(uint place, uint first)
{
    const Tree tree = tree_of(PRIMITIVE_EDGE);
    const uint own = tree.base + tree.leaves + place, edge = order[tree.first + place] - tree.first;
    const uvec2 owners = node_owners[own], ends = edge_ends(edge);
    const Query query = Query(boxes[own], own_boxes[own], owners.x, (owners.y & NODE_HAS_FREE) != 0u,
                              (owner_words(owners.x).z & OWNER_MEETS_ITSELF) != 0u);
    uint node = next_node(tree.leaves + place), steps = 0u;
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
        const uint other = order[tree.first + node - tree.leaves] - tree.first;
        const uvec2 others = edge_ends(other);
        if (!any(equal(ends.xxyy, others.xyxy)))
            found(first + min(edge, other), max(edge, other));
        node = next_node(node);
    }
    return steps;
}

void search_planes(uint vertex, uint first)
{
    bool approaches;
    for (uint plane = 0u; vertex_is_free(vertex) && plane < plane_count; ++plane)
        if (plane_is_near(vertex, plane, approaches))
            found(first + vertex, plane);
}

/// Neighbours in the trees' order are searched by neighbours: they walk the same way.
uint search(uint number)
{
    const uint kind = query_kind(number), first = first_query(kind);
    if (kind == CONTACT_KINDS)
        return 0u;
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
    const uint tree = kind == CONTACT_POINT_TRIANGLE ? PRIMITIVE_TRIANGLE : PRIMITIVE_SEGMENT;
    return tree_of(tree).count > 0u ? search_vertex(vertex, tree, first) : 0u;
}

#endif
