// Which query is which (abi/contact.h). Include after common/contact/lists.glsl.
#ifndef COMMON_CONTACT_QUERIES_GLSL
#define COMMON_CONTACT_QUERIES_GLSL

uint kind_queries(uint kind)
{
    if (kind == CONTACT_EDGE_EDGE)
        return edge_count;
    const bool none = kind == CONTACT_POINT_EDGE && segment_count == 0u || kind == CONTACT_POINT_PLANE && plane_count == 0u;
    return none ? 0u : vertex_count;
}

uint first_query(uint kind)
{
    uint first = 0u;
    for (uint k = 0u; k < kind; ++k)
        first += kind_queries(k);
    return first;
}

/// Workgroups of the search: an invocation for each query, and those that go past all points.
uint search_groups()
{
    const uint count = first_query(CONTACT_KINDS) + (point_count > 0u ? triangle_count + segment_count : 0u);
    return count / GROUP_CONTACT + uint(count % GROUP_CONTACT > 0u);
}

/// Where in the pairs that walks found those of a workgroup are, behind their number.
uint first_walked(uint group)
{
    return (walk_room + WALKED_HEAD) * group + WALKED_HEAD;
}

/// The kind of a query, CONTACT_KINDS if there is none of that number; it becomes its number within the kind.
uint query_kind(inout uint query)
{
    uint kind = 0u;
    for (; kind < CONTACT_KINDS && query >= kind_queries(kind); ++kind)
        query -= kind_queries(kind);
    return kind;
}

#endif
