/// Whether the features of two primitives that are closest stay so while their vertices move along straight lines.
///
/// Each condition for a vertex, or the inside of an edge, to be closest is the sign of a polynomial in time: products of vectors that
/// change linearly. In Bernstein's form over the motion its coefficients bound it, so where all have the sign, it has.
#ifndef GEOMETRY_LASTING_FEATURES_H
#define GEOMETRY_LASTING_FEATURES_H

#include "geometry/closest_points.h"

#include <string.h>

/// A difference of two vertices where a motion starts and where it ends, m.
typedef struct MovingEdge {
    double start[3], end[3];
} MovingEdge;

/// Coefficients in Bernstein's form over the motion.
typedef struct Quadratic {
    double c[3];
} Quadratic;

typedef struct Quartic {
    double c[5];
} Quartic;

/// `to` less `from`, vertices of a pair at x that moves by p.
static inline MovingEdge moving_edge(const double x[12], const double p[12], int from, int to)
{
    MovingEdge edge;
    for (int k = 0; k < 3; ++k) {
        edge.start[k] = x[3 * to + k] - x[3 * from + k];
        edge.end[k] = edge.start[k] + (p[3 * to + k] - p[3 * from + k]);
    }
    return edge;
}

static inline Quadratic moving_dot(const MovingEdge *a, const MovingEdge *b)
{
    return (Quadratic){{dot3(a->start, b->start), 0.5 * (dot3(a->start, b->end) + dot3(a->end, b->start)),
                        dot3(a->end, b->end)}};
}

/// a b - c d.
static inline Quartic quartic_difference(const Quadratic *a, const Quadratic *b, const Quadratic *c,
                                         const Quadratic *d)
{
    const double *p = a->c, *q = b->c, *r = c->c, *s = d->c;
    return (Quartic){
        {p[0] * q[0] - r[0] * s[0], 0.5 * (p[0] * q[1] + p[1] * q[0] - r[0] * s[1] - r[1] * s[0]),
         (p[0] * q[2] + 4 * p[1] * q[1] + p[2] * q[0] - r[0] * s[2] - 4 * r[1] * s[1] - r[2] * s[0]) / 6,
         0.5 * (p[1] * q[2] + p[2] * q[1] - r[1] * s[2] - r[2] * s[1]), p[2] * q[2] - r[2] * s[2]}};
}

static inline bool all_above(const double *c, int count, double least)
{
    bool above = true;
    for (int i = 0; i < count; ++i)
        above &= c[i] > least;
    return above;
}

static inline double moving_size(const MovingEdge *a)
{
    return fmax(dot3(a->start, a->start), dot3(a->end, a->end));
}

/// Whether a product stays clearly above 0, or below it.
static inline bool dot_keeps_sign(const MovingEdge *a, const MovingEdge *b, double sign)
{
    const Quadratic q = moving_dot(a, b);
    const double values[3] = {sign * q.c[0], sign * q.c[1], sign * q.c[2]};
    return all_above(values, 3, CLOSEST_CLEAR * (moving_size(a) + moving_size(b)));
}

// Another vertex of a primitive that is the same one (of a cable's segment, closest_points.h).
static inline bool same_vertex(const double x[12], const double p[12], int a, int b)
{
    return memcmp(x + 3 * a, x + 3 * b, 3 * sizeof *x) == 0 &&
           memcmp(p + 3 * a, p + 3 * b, 3 * sizeof *p) == 0;
}

static inline bool is_first(PairKind kind, int vertex)
{
    return vertex < (int)kind;
}

static inline bool two_vertices_last(const double x[12], const double p[12], PairKind kind, int first,
                                     int second)
{
    const MovingEdge r = moving_edge(x, p, second, first);
    for (int other = 0; other < 4; ++other) {
        const int own = is_first(kind, other) ? first : second;
        if (other == own || same_vertex(x, p, other, own))
            continue;
        const MovingEdge edge = moving_edge(x, p, own, other);
        if (!dot_keeps_sign(&r, &edge, vertex_sign(kind, other)))
            return false;
    }
    return true;
}

static inline bool vertex_and_edge_last(const double x[12], const double p[12], PairKind kind, int lone,
                                        const int ends[2], int other)
{
    const MovingEdge v = moving_edge(x, p, ends[0], ends[1]), d = moving_edge(x, p, ends[0], lone),
                     back = moving_edge(x, p, lone, ends[1]);
    if (!dot_keeps_sign(&d, &v, 1) || !dot_keeps_sign(&back, &v, 1))
        return false;
    if (same_vertex(x, p, other, ends[0]) || same_vertex(x, p, other, ends[1]))
        return true;
    const bool with_lone = is_first(kind, other) == is_first(kind, lone);
    const MovingEdge w = moving_edge(x, p, with_lone ? lone : ends[0], other);
    const Quadratic dw = moving_dot(&d, &w), vv = moving_dot(&v, &v), dv = moving_dot(&d, &v),
                    vw = moving_dot(&v, &w);
    Quartic q = quartic_difference(&dw, &vv, &dv, &vw);
    for (int i = 0; i < 5; ++i)
        q.c[i] *= with_lone ? 1 : -1;
    return all_above(q.c, 5, CLOSEST_CLEAR * moving_size(&v) * (moving_size(&d) + moving_size(&w)));
}

/// Whether the features `active` (ClosestPoints), the closest at x, are so all the way to x + p. False: they may not be, or it is not clear, or
/// they are the insides of both.
static inline bool features_last(const double x[12], const double p[12], PairKind kind, int active)
{
    int of[2][4], counts[2] = {0, 0}, other = -1;
    for (int c = 0; c < 4; ++c)
        if ((active >> c & 1) != 0) {
            const int side = is_first(kind, c) ? 0 : 1;
            of[side][counts[side]++] = c;
        } else
            other = c;
    if (counts[0] == 1 && counts[1] == 1)
        return two_vertices_last(x, p, kind, of[0][0], of[1][0]);
    if (counts[0] + counts[1] != 3)
        return false;
    const int lone = counts[0] == 1 ? 0 : 1;
    return vertex_and_edge_last(x, p, kind, of[lone][0], of[1 - lone], other);
}

/// Whether the squared cross product of two edges stays clearly above `threshold`, m^4.
static inline bool edges_stay_apart(const double x[12], const double p[12], double threshold)
{
    const MovingEdge u = moving_edge(x, p, 0, 1), v = moving_edge(x, p, 2, 3);
    const Quadratic uu = moving_dot(&u, &u), vv = moving_dot(&v, &v), uv = moving_dot(&u, &v);
    const Quartic q = quartic_difference(&uu, &vv, &uv, &uv);
    return all_above(q.c, 5, threshold + CLOSEST_CLEAR * moving_size(&u) * moving_size(&v));
}

#endif
