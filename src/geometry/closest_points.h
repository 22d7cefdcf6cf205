/// Closest points of two primitives and their distance (theory.md section 8, "Distances").
///
/// A pair has four vertices, 12 coordinates in m: a point x_0 and a triangle x_1 x_2 x_3, or an edge x_0 x_1 and an edge
/// x_2 x_3. Everything about their distance follows from r = sum w_i x_i, with the affine weights w of the closest points
/// (positive on the first primitive, negative on the second), and from which vertices take part. Zero-length edges and
/// flat triangles need no special case; so a point and an edge are the triangle with x_3 = x_2, two points the triangle
/// with x_1 = x_2 = x_3.
#ifndef GEOMETRY_CLOSEST_POINTS_H
#define GEOMETRY_CLOSEST_POINTS_H

#include "base/matrix3.h"

#include <stdbool.h>

/// The value is the number of vertices of the first primitive.
typedef enum PairKind { PAIR_POINT_TRIANGLE = 1, PAIR_EDGE_EDGE = 2 } PairKind;

/// Vertices that take part, one bit each, name the closest features. Two vertices: point to point; three: point to edge;
/// four: point to face or edge to edge. A point and a triangle have 7 such types, two edges have 9.
enum { PAIR_ALL_VERTICES = 15 };

typedef struct ClosestPoints {
    int active;        ///< bit i: vertex i takes part; the others have weight 0
    double weights[4]; ///< they sum to 1 on the first primitive and to -1 on the second
    double r[3]; ///< sum w_i x_i: from the closest point of the second primitive to that of the first, m
    double distance_sq; ///< r.r, m^2
} ClosestPoints;

/// Directions r_j = dr/dbeta_j of the free parameters beta_j of the closest features: edges that leave the first active
/// vertex of their primitive. dw_i/dbeta_j is 1 for the vertex `gains[j]` and -1 for `loses[j]` on the first primitive,
/// with the other sign on the second.
typedef struct FreeDirections {
    int count;      ///< 0: point to point, 1: point to edge, 2: face or two edges
    double r[2][3]; ///< m
    int gains[2], loses[2];
} FreeDirections;

/// 1 for vertices of the first primitive, -1 for those of the second.
static inline double vertex_sign(PairKind kind, int vertex)
{
    return vertex < (int)kind ? 1.0 : -1.0;
}

/// The free directions of the features named by `active`.
static inline FreeDirections free_directions(const double x[12], PairKind kind, int active)
{
    FreeDirections directions = {.count = 0};
    int first[2] = {-1, -1}; // first active vertex of each primitive
    for (int vertex = 0; vertex < 4; ++vertex) {
        const int primitive = vertex < (int)kind ? 0 : 1;
        if ((active >> vertex & 1) == 0)
            continue;
        if (first[primitive] < 0) {
            first[primitive] = vertex;
            continue;
        }
        const int j = directions.count++;
        directions.gains[j] = vertex;
        directions.loses[j] = first[primitive];
        for (int axis = 0; axis < 3; ++axis)
            directions.r[j][axis] =
                vertex_sign(kind, vertex) * (x[3 * vertex + axis] - x[3 * first[primitive] + axis]);
    }
    return directions;
}

/// Replaces `best` by the closest point of a segment, given by its ends, to the vertex `point` if that is closer.
static inline void closest_on_segment(const double x[12], PairKind kind, int point, int end0, int end1,
                                      ClosestPoints *best)
{
    double y0[3], y1[3], edge[3], r[3];
    subtract3(x + 3 * point, x + 3 * end0, y0);
    subtract3(x + 3 * point, x + 3 * end1, y1);
    // Seen from the nearer end, all rounding is of the size of the distance to it, however long the edge is.
    const bool swap = dot3(y1, y1) < dot3(y0, y0);
    const int near = swap ? end1 : end0, far = swap ? end0 : end1;
    const double *y = swap ? y1 : y0;
    subtract3(x + 3 * far, x + 3 * near, edge);
    const double along = dot3(y, edge);
    const bool inside = along > 0;
    const double t = inside ? fmin(along / dot3(edge, edge), 1) : 0;
    add_scaled3(y, -t, edge, r);

    const double distance_sq = dot3(r, r), sign = vertex_sign(kind, point);
    if (!(distance_sq < best->distance_sq))
        return;
    best->active = 1 << point | 1 << near | (inside ? 1 << far : 0);
    best->distance_sq = distance_sq;
    for (int vertex = 0; vertex < 4; ++vertex)
        best->weights[vertex] = 0;
    best->weights[point] = sign;
    best->weights[near] = -sign * (1 - t);
    best->weights[far] = -sign * t;
    for (int axis = 0; axis < 3; ++axis)
        best->r[axis] = sign * r[axis];
}

/// Well inside, by this part of each edge, of edges that are no more parallel than CLOSEST_SINE_SQ: rounding does not decide where the
/// closest points are.
#define CLOSEST_MARGIN 1e-3
#define CLOSEST_SINE_SQ 1e-4

/// Replaces `best` by the closest points inside the triangle, or inside both edges, if there are such and they are closer. Returns
/// whether they are well inside: the distance is convex, so no others are closer.
static inline bool closest_inside(const double x[12], PairKind kind, ClosestPoints *best)
{
    const FreeDirections directions = free_directions(x, kind, PAIR_ALL_VERTICES);
    const double *r0 = directions.r[0], *r1 = directions.r[1];
    double n[3], y[3], cross[3], r[3];
    cross3(r0, r1, n);
    const double n_sq = dot3(n, n);
    if (!(n_sq > 0))
        return false;

    // r = y + beta_0 r_0 + beta_1 r_1 is parallel to n = r_0 x r_1. Where r_0 and r_1 are nearly parallel beta_0 is
    // inaccurate; the best beta_1 for it leaves only the part of the error that is perpendicular to both.
    subtract3(x, x + 3 * (int)kind, y);
    cross3(r1, y, cross);
    const double beta0 = dot3(cross, n) / n_sq;
    add_scaled3(y, beta0, r0, r);
    const double r1_sq = dot3(r1, r1), beta1 = -dot3(r, r1) / r1_sq;
    const double limit = kind == PAIR_POINT_TRIANGLE ? 1 - beta1 : 1;
    if (!(beta0 > 0 && beta1 > 0 && beta0 < limit && beta1 < 1))
        return false;
    add_scaled3(r, beta1, r1, r);
    const double distance_sq = dot3(r, r);
    if (!(distance_sq < best->distance_sq))
        return false;
    const bool triangle = kind == PAIR_POINT_TRIANGLE;
    best->active = PAIR_ALL_VERTICES;
    best->weights[0] = triangle ? 1 : 1 - beta0;
    best->weights[1] = triangle ? -(1 - beta0 - beta1) : beta0;
    best->weights[2] = triangle ? -beta0 : -(1 - beta1);
    best->weights[3] = -beta1;
    best->distance_sq = distance_sq;
    for (int axis = 0; axis < 3; ++axis)
        best->r[axis] = r[axis];
    return beta0 > CLOSEST_MARGIN && beta1 > CLOSEST_MARGIN && beta0 < limit - CLOSEST_MARGIN &&
           beta1 < 1 - CLOSEST_MARGIN && n_sq > CLOSEST_SINE_SQ * dot3(r0, r0) * r1_sq;
}

/// What tells where the closest points are is clear by this part of the squared lengths that it comes from: far beyond what rounding turns
/// round, and all other points are farther by more than rounding.
#define CLOSEST_CLEAR 1e-6

/// Sets `best`, and returns true, where it is clear that a vertex of the triangle or the inside of one of its edges is closest to x_0: what
/// closest_points would find by trying all of them.
static inline bool closest_on_rim(const double x[12], ClosestPoints *best)
{
    double ab[3], ac[3], a[3], b[3], c[3]; // edges, and x_0 seen from the triangle's vertices
    subtract3(x + 6, x + 3, ab);
    subtract3(x + 9, x + 3, ac);
    subtract3(x, x + 3, a);
    subtract3(x, x + 6, b);
    subtract3(x, x + 9, c);
    const double ab_a = dot3(ab, a), ab_b = dot3(ab, b), ab_c = dot3(ab, c), ac_a = dot3(ac, a),
                 ac_b = dot3(ac, b), ac_c = dot3(ac, c);
    const double clear = CLOSEST_CLEAR * (dot3(ab, ab) + dot3(ac, ac) + dot3(a, a));
    if ((ab_a < -clear && ac_a < -clear) || (ab_b > clear && ab_b - ac_b > clear)) {
        closest_on_segment(x, PAIR_POINT_TRIANGLE, 0, 1, 2, best);
        return true;
    }
    if (ac_c > clear && ac_c - ab_c > clear) {
        closest_on_segment(x, PAIR_POINT_TRIANGLE, 0, 2, 3, best);
        return true;
    }
    // x_0 projected on the plane has barycentric weights of the sign of these products; that of the vertex across is negative.
    const double area = clear * (fabs(ab_a) + fabs(ab_b) + fabs(ab_c) + fabs(ac_a) + fabs(ac_b) + fabs(ac_c));
    int end = 0; // of the edge
    if (ab_a > clear && ab_b < -clear && ab_a * ac_b - ab_b * ac_a < -area)
        end = 1;
    else if (ac_b - ab_b > clear && ab_c - ac_c > clear && ab_b * ac_c - ab_c * ac_b < -area)
        end = 2;
    else if (ac_a > clear && ac_c < -clear && ab_c * ac_a - ab_a * ac_c < -area)
        end = 3;
    if (end > 0)
        closest_on_segment(x, PAIR_POINT_TRIANGLE, 0, end, end % 3 + 1, best);
    return end > 0;
}

/// The same of two edges of which an end is clearly closest. Of x_0 + s u and x_2 + t v half the squared distance is convex in s and t; where
/// its derivatives lead out of the square of both at a point of its rim, or vanish along that, no other point is closer.
static inline bool closest_at_end(const double x[12], ClosestPoints *best)
{
    double u[3], v[3], y[3];
    subtract3(x + 3, x, u);
    subtract3(x + 9, x + 6, v);
    subtract3(x, x + 6, y);
    const double uu = dot3(u, u), uv = dot3(u, v), vv = dot3(v, v), uy = dot3(u, y), vy = dot3(v, y);
    const double clear = CLOSEST_CLEAR * (uu + vv + dot3(y, y));
    for (int end = 0; end < 2; ++end) {                                                   // x_2 or x_3
        const double by_s = uy - end * uv, by_t = end * vv - vy, out = end == 0 ? 1 : -1; // at s = 0
        int corner = -1;
        if (by_s > clear && out * by_t > clear)
            corner = 0;
        else if (by_s + uu < -clear && out * (by_t - uv) > clear)
            corner = 1;
        if (corner >= 0) {
            closest_on_segment(x, PAIR_EDGE_EDGE, corner, 2, 3, best);
            return true;
        }
        if (by_s < -clear && by_s + uu > clear && out * (by_t * uu + by_s * uv) > clear * uu) {
            closest_on_segment(x, PAIR_EDGE_EDGE, 2 + end, 0, 1, best);
            return true;
        }
    }
    for (int end = 0; end < 2; ++end) {                                                    // x_0 or x_1
        const double by_t = -vy - end * uv, by_s = uy + end * uu, out = end == 0 ? 1 : -1; // at t = 0
        if (by_t < -clear && by_t + vv > clear && out * (by_s * vv + by_t * uv) > clear * vv) {
            closest_on_segment(x, PAIR_EDGE_EDGE, end, 2, 3, best);
            return true;
        }
    }
    return false;
}

static inline int lowest_vertex(int vertices)
{
    return (vertices & 1) != 0 ? 0 : (vertices & 2) != 0 ? 1 : (vertices & 4) != 0 ? 2 : 3;
}

/// The closest points of features that are known to be the closest: two vertices, or a vertex and the inside of an edge.
static inline ClosestPoints closest_points_of(const double x[12], PairKind kind, int active)
{
    const int first = active & ((1 << (int)kind) - 1), second = active & ~first;
    const bool first_is_vertex = (first & (first - 1)) == 0;
    const int lone = lowest_vertex(first_is_vertex ? first : second), ends = first_is_vertex ? second : first,
              end = lowest_vertex(ends), rest = ends & (ends - 1);
    ClosestPoints closest = {.distance_sq = INFINITY};
    if (rest != 0) {
        closest_on_segment(x, kind, lone, end, lowest_vertex(rest), &closest);
        return closest;
    }
    closest.active = active;
    closest.weights[lone] = vertex_sign(kind, lone);
    closest.weights[end] = vertex_sign(kind, end);
    for (int axis = 0; axis < 3; ++axis)
        closest.r[axis] = vertex_sign(kind, lone) * (x[3 * lone + axis] - x[3 * end + axis]);
    closest.distance_sq = dot3(closest.r, closest.r);
    return closest;
}

/// The closest points of a pair: the best of all point-segment candidates and of the inner one. Each candidate is a true
/// point of its primitive, so none is too close by more than rounding, however degenerate the pair is. On ties the
/// earlier candidate wins, the inner one being the last. Coordinates that are not finite give distance_sq = infinity and no active vertex.
static inline ClosestPoints closest_points(const double x[12], PairKind kind)
{
    ClosestPoints best = {.distance_sq = INFINITY}, inner = best;
    if (kind == PAIR_POINT_TRIANGLE ? closest_on_rim(x, &best) : closest_at_end(x, &best))
        return best;
    if (closest_inside(x, kind, &inner))
        return inner;
    if (kind == PAIR_POINT_TRIANGLE) {
        closest_on_segment(x, kind, 0, 1, 2, &best);
        closest_on_segment(x, kind, 0, 2, 3, &best);
        closest_on_segment(x, kind, 0, 3, 1, &best);
    } else {
        closest_on_segment(x, kind, 0, 2, 3, &best);
        closest_on_segment(x, kind, 1, 2, 3, &best);
        closest_on_segment(x, kind, 2, 0, 1, &best);
        closest_on_segment(x, kind, 3, 0, 1, &best);
    }
    return inner.distance_sq < best.distance_sq ? inner : best;
}

#endif
