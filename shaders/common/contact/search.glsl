// One query's walk through a tree, and past planes. Calls found(query, partner) for every pair whose boxes meet and that shares no
// vertex: of edges, each pair once. Declare the buffers of contact_count and define found() before.
#ifndef COMMON_CONTACT_SEARCH_GLSL
#define COMMON_CONTACT_SEARCH_GLSL

struct Query {
    Box box, own_box; ///< in the world, and relative to its owner's mean motion
    uint owner;
    bool is_free, meets_itself;
};

/// A way through a tree, two levels at a time: a card waits for loads, and those of four boxes are under way at once. "Four n" are the
/// nodes 4 n to 4 n + 3, the children of the children of node n, which lie together.
struct Walk {
    uint four;
    uvec2 left;     ///< 4 bits for each four on the way here, the last one's lowest: nodes to go on below
    bool own_first; ///< boxes within owners are looked at before those in the world
    uint steps;     ///< boxes looked at
};

/// Where there is an odd number of levels below the root, with the root's children: nodes 2 and 3.
Walk walk_start(Tree tree, bool own_first)
{
    return Walk((findMSB(tree.leaves) & 1) != 0 ? 0u : 1u, uvec2(0u), own_first, 0u);
}

/// Goes on below the first of the nodes `met` of this four; where there is none, of the last four that has some left. False: all done.
bool walk_on(inout Walk walk, uint met)
{
    walk.left = uvec2(walk.left.x << 4u | met, walk.left.y << 4u | walk.left.x >> 28u);
    if (walk.left.x == 0u) {
        if (walk.left.y == 0u)
            return false;
        walk.left = uvec2(walk.left.y, 0u);
        walk.four >>= 16u;
    }
    const uint bit = uint(findLSB(walk.left.x)), done = bit & ~3u;
    walk.four = 4u * (walk.four >> done / 2u) + (bit & 3u);
    walk.left.x &= walk.left.x - 1u;
    walk.left = uvec2(walk.left.x >> done | walk.left.y << 1u << 31u - done, walk.left.y >> done);
    return true;
}

void load_four(uint at, bool own, out uvec4 low[4], out uvec4 high[4])
{
    if (own)
        for (uint c = 0u; c < 4u; ++c) {
            low[c] = own_nodes[at + 2u * c];
            high[c] = own_nodes[at + 2u * c + 1u];
        }
    else
        for (uint c = 0u; c < 4u; ++c) {
            low[c] = nodes[at + 2u * c];
            high[c] = nodes[at + 2u * c + 1u];
        }
}

uint boxes_met(uvec4 low[4], uvec4 high[4], Box box)
{
    uint met = 0u;
    for (uint c = 0u; c < 4u; ++c)
        met |= boxes_meet(box, node_box(low[c], high[c])) ? 1u << c : 0u;
    return met;
}

/// Which nodes of the walk's four the query meets, a bit each, of those in `asked`; those in `long_only` where a long edge is below. A
/// body that meets itself does so in its own boxes, and others that it sees in those of the world; the other boxes are loaded only where
/// they decide. What cannot move does not meet what cannot move. `numbers`: of leaves, the primitives.
uint nodes_met(Tree tree, inout Walk walk, Query query, uint asked, uint long_only, out uint numbers[4])
{
    const uint at = 2u * (tree.base + 4u * walk.four);
    const bool are_leaves = 4u * walk.four >= tree.leaves;
    uvec4 low[4], high[4];
    uint own = 0u, others = 0u, alone = 0u;
    load_four(at, walk.own_first, low, high);
    walk.steps += 4u;
    if (walk.four == 0u)
        asked &= 12u;
    for (uint c = 0u; c < 4u; ++c) {
        const uint bit = 1u << c, lowest = low[c].w & NODE_OWNER;
        numbers[c] = high[c].w & NODE_OWNER;
        const uint highest = are_leaves ? lowest : numbers[c];
        if (!query.is_free && (high[c].w & NODE_HAS_FREE) == 0u || (low[c].w & NODE_HAS_LONG) == 0u && (long_only & bit) != 0u)
            asked &= ~bit;
        own |= query.meets_itself && lowest <= query.owner && query.owner <= highest ? bit : 0u;
        others |= lowest != highest || lowest != query.owner ? bit : 0u;
        alone |= lowest == highest ? bit : 0u;
    }
    own &= asked;
    others &= asked;
    uint met = boxes_met(low, high, walk.own_first ? query.own_box : query.box) & (walk.own_first ? own : others);
    const uint rest = (walk.own_first ? others : own) & ~met;
    if (rest != 0u) {
        load_four(at, !walk.own_first, low, high);
        walk.steps += 4u;
        met |= boxes_met(low, high, walk.own_first ? query.box : query.own_box) & rest;
    }
    for (uint c = 0u; group_count > 0u && c < 4u; ++c)
        if ((met & alone & ~own & 1u << c) != 0u && !owners_may_meet(nodes[at + 2u * c].w & NODE_OWNER, query.owner))
            met &= ~(1u << c);
    if (met != 0u)
        walk.own_first = (met & own) != 0u;
    return met;
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
    Walk walk = walk_start(tree, query.meets_itself);
    uint met;
    do {
        uint partners[4];
        uvec3 corners[4];
        met = nodes_met(tree, walk, query, 15u, 0u, partners);
        if (4u * walk.four < tree.leaves)
            continue;
        for (uint c = 0u; c < 4u; ++c)
            if ((met & 1u << c) != 0u)
                corners[c] = primitive_vertices(kind, partners[c]);
        for (uint c = 0u; c < 4u; ++c)
            if ((met & 1u << c) != 0u && !any(equal(corners[c], uvec3(vertex))))
                found(first + vertex, partners[c]);
        met = 0u;
    } while (walk_on(walk, met));
    return walk.steps;
}

/// Those of a four that have leaves behind leaf `own` below them.
uint nodes_behind(Tree tree, uint four, uint own)
{
    const int levels = findMSB(tree.leaves) - findMSB(4u * four + 3u);
    const int ahead = int(own + 1u >> levels) - int(4u * four);
    return 15u << clamp(ahead, 0, 4) & 15u;
}

/// The edge at a place of its tree. A short one finds the short ones behind it, for what lies before meets it from its own side, and
/// all long ones; a long one the long ones behind it.
uint search_edge(uint place, uint first)
{
    const Tree tree = tree_of(PRIMITIVE_EDGE);
    const uint own = tree.leaves + place, at = 2u * (tree.base + own);
    const uvec4 low = nodes[at], high = nodes[at + 1u];
    const uint edge = high.w & NODE_OWNER, owner = low.w & NODE_OWNER;
    const uvec2 ends = edge_ends(edge);
    const Query query = Query(node_box(low, high), node_box(own_nodes[at], own_nodes[at + 1u]), owner,
                              (high.w & NODE_HAS_FREE) != 0u, (owner_words(owner).z & OWNER_MEETS_ITSELF) != 0u);
    const bool is_long = (low.w & NODE_HAS_LONG) != 0u,
               from_start = !is_long && (nodes[2u * (tree.base + 1u)].w & NODE_HAS_LONG) != 0u;
    Walk walk = walk_start(tree, query.meets_itself);
    uint met;
    do {
        uint others[4];
        uvec2 other_ends[4];
        const uint behind = nodes_behind(tree, walk.four, own);
        met = nodes_met(tree, walk, query, from_start ? 15u : behind, is_long ? 15u : ~behind, others);
        if (4u * walk.four < tree.leaves)
            continue;
        for (uint c = 0u; c < 4u; ++c)
            if ((met & 1u << c) != 0u)
                other_ends[c] = edge_ends(others[c]);
        for (uint c = 0u; c < 4u; ++c)
            if ((met & 1u << c) != 0u && !any(equal(ends.xxyy, other_ends[c].xyxy)))
                found(first + min(edge, others[c]), max(edge, others[c]));
        met = 0u;
    } while (walk_on(walk, met));
    return walk.steps;
}

/// The triangle or segment at a place of its tree past all points.
void search_points(uint kind, uint place, uint first)
{
    const Tree tree = tree_of(kind);
    const uint at = 2u * (tree.base + tree.leaves + place);
    const uvec4 low = nodes[at], high = nodes[at + 1u];
    const Box own_box = node_box(own_nodes[at], own_nodes[at + 1u]);
    const uint owner = low.w & NODE_OWNER;
    for (uint point = 0u; point < point_count; ++point) {
        const uint vertex = point_vertex(point);
        const Query query = vertex_query(vertex);
        if (!query.is_free && (high.w & NODE_HAS_FREE) == 0u)
            continue;
        if (owner == query.owner ? query.meets_itself && boxes_meet(query.own_box, own_box)
                                 : boxes_meet(query.box, node_box(low, high)) && owners_may_meet(owner, query.owner))
            found(first + vertex, high.w & NODE_OWNER);
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
        const bool is_triangle = number < triangle_count;
        const uint place = is_triangle ? number : number - triangle_count;
        if (point_count > 0u && (is_triangle || place < segment_count))
            search_points(is_triangle ? PRIMITIVE_TRIANGLE : PRIMITIVE_SEGMENT, place,
                          is_triangle ? 0u : first_query(CONTACT_POINT_EDGE));
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
