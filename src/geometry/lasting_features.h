/// Whether the features of two primitives that are closest stay so while their vertices move along straight lines, of as many pairs as a Pack
/// has lanes.
///
/// Each condition for a vertex, or the inside of an edge, to be closest is the sign of a polynomial in time: products of vectors that
/// change linearly. In Bernstein's form over the motion its coefficients bound it, so where all have the sign, it has.
#ifndef GEOMETRY_LASTING_FEATURES_H
#define GEOMETRY_LASTING_FEATURES_H

#include "geometry/closest_packs.h"

/// A difference of two vertices where a motion starts and where it ends, m.
typedef struct MovingEdge {
    Pack start[3], end[3];
} MovingEdge;

/// Coefficients in Bernstein's form over the motion.
typedef struct Quadratic {
    Pack c[3];
} Quadratic;

typedef struct Quartic {
    Pack c[5];
} Quartic;

/// A vertex at x that moves by p.
typedef struct MovingVertex {
    Pack x[3], p[3];
} MovingVertex;

LANES_INLINE MovingEdge moving_edge(const MovingVertex *from, const MovingVertex *to)
{
    MovingEdge edge;
    for (int k = 0; k < 3; ++k) {
        edge.start[k] = to->x[k] - from->x[k];
        edge.end[k] = edge.start[k] + (to->p[k] - from->p[k]);
    }
    return edge;
}

LANES_INLINE Quadratic moving_dot(const MovingEdge *a, const MovingEdge *b)
{
    return (Quadratic){{packs_dot(a->start, b->start),
                        0.5 * (packs_dot(a->start, b->end) + packs_dot(a->end, b->start)),
                        packs_dot(a->end, b->end)}};
}

/// a b - c d.
LANES_INLINE Quartic quartic_difference(const Quadratic *a, const Quadratic *b, const Quadratic *c,
                                        const Quadratic *d)
{
    const Pack *p = a->c, *q = b->c, *r = c->c, *s = d->c;
    return (Quartic){
        {p[0] * q[0] - r[0] * s[0], 0.5 * (p[0] * q[1] + p[1] * q[0] - r[0] * s[1] - r[1] * s[0]),
         (p[0] * q[2] + 4 * p[1] * q[1] + p[2] * q[0] - r[0] * s[2] - 4 * r[1] * s[1] - r[2] * s[0]) / 6,
         0.5 * (p[1] * q[2] + p[2] * q[1] - r[1] * s[2] - r[2] * s[1]), p[2] * q[2] - r[2] * s[2]}};
}

LANES_INLINE Pack least_of(const Pack *c, int count)
{
    Pack least = c[0];
    for (int i = 1; i < count; ++i)
        least = pack_min(c[i], least);
    return least;
}

LANES_INLINE Pack moving_size(const MovingEdge *a)
{
    return pack_max(packs_dot(a->start, a->start), packs_dot(a->end, a->end));
}

/// Whether a product stays clearly above 0.
LANES_INLINE PackMask dot_stays_positive(const MovingEdge *a, const MovingEdge *b)
{
    const Quadratic q = moving_dot(a, b);
    return pack_less(CLOSEST_CLEAR * (moving_size(a) + moving_size(b)), least_of(q.c, 3));
}

// Another vertex of a primitive that is the same one (of a cable's segment, closest_points.h).
LANES_INLINE PackMask same_vertex(const MovingVertex *a, const MovingVertex *b)
{
    return packs_equal(a->x, b->x) & packs_equal(a->p, b->p);
}

/// The lone vertex and the near one, of arranged vertices.
LANES_INLINE PackMask two_vertices_last(const MovingVertex vertices[4], PairKind kind)
{
    const MovingVertex *lone = &vertices[VERTEX_LONE], *near = &vertices[VERTEX_NEAR],
                       *far = &vertices[VERTEX_FAR], *other = &vertices[VERTEX_OTHER];
    const MovingEdge between = moving_edge(near, lone), along = moving_edge(far, near),
                     aside = kind == PAIR_EDGE_EDGE ? moving_edge(lone, other) : moving_edge(other, near);
    const PackMask not_far = dot_stays_positive(&between, &along),
                   not_other = dot_stays_positive(&between, &aside);
    if (kind == PAIR_EDGE_EDGE)
        return not_far & not_other;
    return (not_far | same_vertex(far, near)) & (not_other | same_vertex(other, near));
}

/// The lone vertex and the inside of the edge, of arranged vertices.
LANES_INLINE PackMask vertex_and_edge_last(const MovingVertex vertices[4], PairKind kind)
{
    const MovingVertex *lone = &vertices[VERTEX_LONE], *near = &vertices[VERTEX_NEAR],
                       *far = &vertices[VERTEX_FAR], *other = &vertices[VERTEX_OTHER];
    const bool with_lone = kind == PAIR_EDGE_EDGE;
    const MovingEdge v = moving_edge(near, far), d = moving_edge(near, lone), back = moving_edge(lone, far),
                     w = moving_edge(with_lone ? lone : near, other);
    const PackMask between = dot_stays_positive(&d, &v) & dot_stays_positive(&back, &v);
    const Quadratic dw = moving_dot(&d, &w), vv = moving_dot(&v, &v), dv = moving_dot(&d, &v),
                    vw = moving_dot(&v, &w);
    const Quartic q =
        with_lone ? quartic_difference(&dw, &vv, &dv, &vw) : quartic_difference(&dv, &vw, &dw, &vv);
    const PackMask beside =
        pack_less(CLOSEST_CLEAR * moving_size(&v) * (moving_size(&d) + moving_size(&w)), least_of(q.c, 5));
    return with_lone ? between & beside
                     : between & (beside | same_vertex(other, near) | same_vertex(other, far));
}

/// Lanes in which the features that are closest at x, as packs_closest has found them, are so all the way to x + p. Elsewhere they may not be,
/// or it is not clear, or they are the insides of both.
LANES_INLINE PackMask packs_features_last(const Pack x[12], const Pack p[12], PairKind kind,
                                          const ClosestPacks *closest)
{
    const PackMask on_rim = closest->is_known & ~closest->is_inside, on_edge = on_rim & closest->is_on_edge,
                   at_vertex = on_rim & ~closest->is_on_edge;
    Pack places[4][3], motions[4][3];
    MovingVertex vertices[4];
    PackMask last = {0};
    packs_arrange(&closest->arrangement, kind, x, places);
    packs_arrange(&closest->arrangement, kind, p, motions);
    for (int c = 0; c < 4; ++c)
        for (int k = 0; k < 3; ++k) {
            vertices[c].x[k] = places[c][k];
            vertices[c].p[k] = motions[c][k];
        }
    if (pack_any(at_vertex))
        last = at_vertex & two_vertices_last(vertices, kind);
    if (pack_any(on_edge))
        last |= on_edge & vertex_and_edge_last(vertices, kind);
    return last;
}

/// A bound from below on the squared cross product of two edges all along the motion, by more than rounding, m^4.
LANES_INLINE Pack packs_least_cross_sq(const Pack x[12], const Pack p[12])
{
    MovingVertex vertices[4];
    for (int c = 0; c < 4; ++c)
        for (int k = 0; k < 3; ++k) {
            vertices[c].x[k] = x[3 * c + k];
            vertices[c].p[k] = p[3 * c + k];
        }
    const MovingEdge u = moving_edge(&vertices[0], &vertices[1]), v = moving_edge(&vertices[2], &vertices[3]);
    const Quadratic uu = moving_dot(&u, &u), vv = moving_dot(&v, &v), uv = moving_dot(&u, &v);
    const Quartic q = quartic_difference(&uu, &vv, &uv, &uv);
    return least_of(q.c, 5) - CLOSEST_CLEAR * moving_size(&u) * moving_size(&v);
}

#endif
