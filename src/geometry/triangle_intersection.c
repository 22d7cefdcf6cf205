#include "geometry/triangle_intersection.h"

#include "geometry/orientation.h"

#include <float.h>
#include <math.h>

// ---------------------------------------------------------------- in a coordinate plane
/// orientation2 of the projections along `axis`.
static int turn(const double *a, const double *b, const double *c, int axis)
{
    const int x = (axis + 1) % 3, y = (axis + 2) % 3;
    const double u[2] = {a[x], a[y]}, v[2] = {b[x], b[y]}, w[2] = {c[x], c[y]};
    return orientation2(u, v, w);
}

static bool between(double value, double end0, double end1)
{
    return value >= fmin(end0, end1) && value <= fmax(end0, end1);
}

/// Whether c, which is on the projected line a b, is on the projected segment.
static bool within(const double *a, const double *b, const double *c, int axis)
{
    const int x = (axis + 1) % 3, y = (axis + 2) % 3;
    return between(c[x], a[x], b[x]) && between(c[y], a[y], b[y]);
}

/// Whether the projected segments a b and c d meet: they cross, or an end of one is on the other.
static bool projected_segments_meet(const double *a, const double *b, const double *c, const double *d,
                                    int axis)
{
    const int abc = turn(a, b, c, axis), abd = turn(a, b, d, axis), cda = turn(c, d, a, axis),
              cdb = turn(c, d, b, axis);
    return (abc * abd < 0 && cda * cdb < 0) || (abc == 0 && within(a, b, c, axis)) ||
           (abd == 0 && within(a, b, d, axis)) || (cda == 0 && within(c, d, a, axis)) ||
           (cdb == 0 && within(c, d, b, axis));
}

/// Whether the projected segment a b meets the triangle t, whose projection has an area of sign `area`.
static bool projected_segment_meets(const double *a, const double *b, const double t[9], int area, int axis)
{
    bool inside = true;
    for (int i = 0; i < 3; ++i)
        inside = inside && area * turn(t + 3 * i, t + 3 * ((i + 1) % 3), a, axis) >= 0;
    for (int i = 0; i < 3 && !inside; ++i)
        inside = projected_segments_meet(a, b, t + 3 * i, t + 3 * ((i + 1) % 3), axis);
    return inside;
}

// ---------------------------------------------------------------- in space
/// The axis along which the projection of a triangle has an area, and the sign of that; -1 for a triangle without area.
static int projection_axis(const double *a, const double *b, const double *c, int *area)
{
    for (int axis = 0; axis < 3; ++axis) {
        *area = turn(a, b, c, axis);
        if (*area != 0)
            return axis;
    }
    return -1;
}

static bool same_point(const double *a, const double *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static bool segments_meet(const double *a, const double *b, const double *c, const double *d)
{
    if (orientation3(a, b, c, d) != 0)
        return false;
    int area, axis = projection_axis(a, b, c, &area);
    if (axis < 0)
        axis = projection_axis(a, b, d, &area);
    if (axis < 0)
        axis = projection_axis(c, d, a, &area);
    if (axis >= 0)
        return projected_segments_meet(a, b, c, d, axis);
    // All on one line: their ranges overlap along each coordinate, as they do along the line.
    for (int k = 0; k < 3; ++k)
        if (fmax(a[k], b[k]) < fmin(c[k], d[k]) || fmax(c[k], d[k]) < fmin(a[k], b[k]))
            return false;
    return true;
}

/// Whether the segment a b meets the triangle t, given the sides of t's plane that a and b are on.
static bool segment_meets_triangle(const double *a, const double *b, int side_a, int side_b,
                                   const double t[9])
{
    if (side_a * side_b > 0)
        return false;
    if (side_a != 0 ||
        side_b != 0) { // one point of the segment is in the plane: the line passes inside all edges
        const int s0 = orientation3(a, b, t, t + 3), s1 = orientation3(a, b, t + 3, t + 6);
        if (s0 * s1 < 0)
            return false;
        const int s2 = orientation3(a, b, t + 6, t);
        return s0 * s2 >= 0 && s1 * s2 >= 0;
    }
    int area;
    const int axis = projection_axis(t, t + 3, t + 6, &area);
    if (axis >= 0)
        return projected_segment_meets(a, b, t, area, axis);
    // Without an area it is a segment, which any two of its edges cover.
    return segments_meet(a, b, t, t + 3) || segments_meet(a, b, t + 3, t + 6);
}

static int side(const double t[9], const double *x)
{
    return orientation3(t, t + 3, t + 6, x);
}

static bool point_in_triangle(const double *x, const double t[9])
{
    const int s = side(t, x);
    return s == 0 && segment_meets_triangle(x, x, s, s, t);
}

/// Whether an edge of p meets q.
static bool edges_meet(const double p[9], const int sides[3], const double q[9])
{
    for (int i = 0; i < 3; ++i)
        if (segment_meets_triangle(p + 3 * i, p + 3 * ((i + 1) % 3), sides[i], sides[(i + 1) % 3], q))
            return true;
    return false;
}

bool triangles_meet(const double p[9], const double q[9])
{
    int p_sides[3], q_sides[3];
    for (int i = 0; i < 3; ++i)
        q_sides[i] = side(p, q + 3 * i);
    if (q_sides[0] != 0 && q_sides[0] == q_sides[1] && q_sides[0] == q_sides[2])
        return false;
    for (int i = 0; i < 3; ++i)
        p_sides[i] = side(q, p + 3 * i);
    return edges_meet(p, p_sides, q) || edges_meet(q, q_sides, p);
}

/// Whether a plane through the shared corner has the rest of p on one side and the rest of q on the other, beyond doubt. Most
/// neighbours in a surface, flat ones too, are told apart this way. Any normal will do; this is the difference of the
/// directions in which the two leave the corner.
static bool corner_separates(const double p[9], const double q[9])
{
    double arms[4][3], n[3] = {0, 0, 0};
    for (int i = 0; i < 4; ++i) {
        const double *t = i < 2 ? p : q, *end = t + 3 * (1 + i % 2);
        for (int k = 0; k < 3; ++k)
            arms[i][k] = end[k] - t[k];
        const double length =
            sqrt(arms[i][0] * arms[i][0] + arms[i][1] * arms[i][1] + arms[i][2] * arms[i][2]);
        for (int k = 0; k < 3; ++k)
            n[k] += (i < 2 ? 1 : -1) * arms[i][k] / length;
    }
    for (int i = 0; i < 4; ++i) {
        double height = 0, size = 0;
        for (int k = 0; k < 3; ++k) {
            height += n[k] * arms[i][k];
            size += fabs(n[k] * arms[i][k]);
        }
        if (!((i < 2 ? height : -height) > 8 * DBL_EPSILON * size))
            return false;
    }
    return true;
}

/// Whether q has a point of p's far side: of the edge p_1 p_2, or, where p has no area, of its ends away from the corner.
static bool far_side_meets(const double p[9], const double q[9])
{
    int area;
    if (projection_axis(p, p + 3, p + 6, &area) >= 0)
        return segment_meets_triangle(p + 3, p + 6, side(q, p + 3), side(q, p + 6), q);
    for (int i = 1; i < 3; ++i)
        if (!same_point(p + 3 * i, p) && point_in_triangle(p + 3 * i, q))
            return true;
    return false;
}

// Both are convex: a common point beyond the corner can be moved away from it until it leaves one of them, on its far side.
bool triangles_meet_beyond_corner(const double p[9], const double q[9])
{
    return !corner_separates(p, q) && (far_side_meets(p, q) || far_side_meets(q, p));
}

// Beyond the edge there can only be something where the tips are beside it, on the same side of it in one plane, or all
// four on one line: then the common point farthest from the edge is a tip.
bool triangles_meet_beyond_edge(const double p[9], const double q[9])
{
    const double *start = p, *end = p + 3, *tip_p = p + 6, *tip_q = q + 6;
    for (int axis = 0; axis < 3; ++axis) {
        const int turns = turn(start, end, tip_p, axis) * turn(start, end, tip_q, axis);
        if (turns < 0)
            return false; // seen along the axis, they lie on two sides of the edge
        if (turns > 0)
            return orientation3(start, end, tip_p, tip_q) == 0;
    }
    return (!segments_meet(tip_p, tip_p, start, end) && point_in_triangle(tip_p, q)) ||
           (!segments_meet(tip_q, tip_q, start, end) && point_in_triangle(tip_q, p));
}
