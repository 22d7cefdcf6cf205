// What a raw pair is made of. Declare the buffers `lists`, `numbers` and `rest` before; include after common/contact/queries.glsl.
#ifndef COMMON_CONTACT_PAIRS_GLSL
#define COMMON_CONTACT_PAIRS_GLSL

#include "common/geometry/closest_points.glsl"
#include "common/geometry/mollifier.glsl"
#include "common/physics/contact/area_weight.glsl"

struct Pair {
    uint kind;
    uvec4 vertices;
    uvec2 owners;
    uvec2 parts; ///< the numbers of its two primitives among all of their kind
    real area;
};

struct PairNumbers {
    real range, separation, threshold;
    bool is_apart; ///< false: it touches at rest, and makes no contact
};

/// Which two primitives, to closest_points.
int pair_kind(uint kind)
{
    return kind == CONTACT_EDGE_EDGE ? PAIR_EDGE_EDGE : PAIR_POINT_TRIANGLE;
}

real vertex_area(uint vertex)
{
    return numbers[CONTACT_NUMBERS + vertex];
}

real triangle_area(uint triangle)
{
    return numbers[CONTACT_NUMBERS + vertex_count + triangle];
}

real edge_area(uint edge)
{
    return numbers[CONTACT_NUMBERS + vertex_count + triangle_count + edge];
}

real owner_separation(uint owner)
{
    return numbers[CONTACT_NUMBERS + vertex_count + triangle_count + edge_count + owner];
}

/// A point has no area of its own: the other side's counts.
bool vertex_is_point(uint vertex)
{
    return (owner_words(vertex_owner(vertex)).z & OWNER_IS_POINT) != 0u;
}

Pair raw_pair(uint query, uint partner)
{
    Pair pair;
    pair.kind = query_kind(query);
    pair.vertices.x = query;
    pair.parts = uvec2(query, pair.kind == CONTACT_POINT_EDGE ? segment_edge(partner) : partner);
    if (pair.kind == CONTACT_POINT_TRIANGLE) {
        pair.vertices.yzw = triangle_corners(partner);
        const real area = triangle_area(partner);
        pair.area = vertex_is_point(query) ? area : area_weight_point_triangle(vertex_area(query), area);
    } else if (pair.kind == CONTACT_EDGE_EDGE) {
        pair.vertices = uvec4(edge_ends(query), edge_ends(partner));
        pair.area = area_weight_edges(edge_area(query), edge_area(partner));
    } else if (pair.kind == CONTACT_POINT_EDGE) {
        pair.vertices.yzw = edge_ends(pair.parts.y).xyy;
        const real area = edge_area(pair.parts.y);
        pair.area = vertex_is_point(query) ? area : area_weight_point_edge(vertex_area(query), area);
    } else {
        pair.vertices.yzw = uvec3(plane_vertices(partner), query);
        pair.area = vertex_area(query);
    }
    pair.owners = uvec2(vertex_owner(pair.vertices.x),
                        vertex_owner(pair.kind == CONTACT_EDGE_EDGE ? pair.vertices.z : pair.vertices.y));
    return pair;
}

/// Mollifier, range and separation by the rest shape, xi_c = min(xi, d_r/2), dhat_c = min(dhat, 0.9 (d_r - xi_c)) (theory.md
/// section 8).
PairNumbers pair_numbers(Pair pair)
{
    const bool of_plane = pair.kind == CONTACT_POINT_PLANE, edges = pair.kind == CONTACT_EDGE_EDGE,
               same_owner = pair.owners.x == pair.owners.y;
    PairNumbers result = PairNumbers(
        numbers[CONTACT_DISTANCE],
        owner_separation(pair.owners.x) + (of_plane ? real(0.0) : owner_separation(pair.owners.y)), real(0.0), true);
    if (of_plane || !same_owner && !edges)
        return result;
    Exact3 x[4] = Exact3[4](rest[pair.vertices.x], rest[pair.vertices.y], rest[pair.vertices.z], rest[pair.vertices.w]);
    real3 y[4];
    relative_vertices(x, y);
    if (edges) {
        const real3 u = y[1] - y[0], v = y[3] - y[2];
        result.threshold = mollifier_threshold(dot(u, u), dot(v, v));
    }
    if (!same_owner)
        return result;
    const real distance = sqrt(closest_points(y, pair_kind(pair.kind)).distance_sq);
    result.separation = min(result.separation, real(0.5) * distance);
    result.range = min(result.range, real(0.9) * (distance - result.separation));
    result.is_apart = distance > real(0.0);
    return result;
}

#endif
