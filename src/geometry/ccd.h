/// Continuous collision detection of one pair by conservative steps (theory.md section 8, "CCD, additive"; Li et al.
/// 2021). Vertices move on straight lines, x(t) = x + t p for t in [0, 1].
///
/// For any unit vector n, L(n) = min n.a - max n.b over the vertices a of the first and b of the second primitive is at
/// most their distance, and every n.(a - b) is linear in t. So the gap (distance - separation) is at least g until the
/// first n.(a - b) - separation comes down to g. No direction has to be accurate: a bad one gives a smaller L.
#ifndef GEOMETRY_CCD_H
#define GEOMETRY_CCD_H

#include "geometry/closest_points.h"

#include <float.h>

enum { CCD_MAX_TURNS = 1000 };
#define CCD_SAFETY 0.1 ///< the gap that is kept, as a fraction of the gap at t = 0
/// Rounding of L, as a multiple of the size of the relative coordinates |y| + t |q|. With u = 2^-53, a vertex is off by at
/// most (2 |y| + 3 t |q|) u, its projection by 3 u of the size more, the length of n by 4 u: below 16 u a primitive.
#define CCD_ROUNDING (16 * DBL_EPSILON)
#define CCD_SMALLEST_NORMAL_SQ 1e-290 ///< below this the length of a direction loses digits to underflow

/// A pair seen along a unit vector n: positions n.z_i (m) and displacements n.q_i (m per unit of t) of its vertices.
typedef struct Projection {
    double z[4], q[4];
    double distance; ///< L(n), m; -INFINITY if there is no such direction
} Projection;

/// Along n or -n, whichever separates better; n of any length. `z` and `q` are relative to vertex 0.
static inline Projection pair_projection(const double z[12], const double q[12], PairKind kind,
                                         const double n[3])
{
    Projection projection = {.distance = -INFINITY};
    const double length_sq = dot3(n, n);
    if (!(length_sq > CCD_SMALLEST_NORMAL_SQ && length_sq < INFINITY))
        return projection;
    double unit[3], low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int axis = 0; axis < 3; ++axis)
        unit[axis] = n[axis] / sqrt(length_sq);
    for (int vertex = 0; vertex < 4; ++vertex) {
        const int primitive = vertex < (int)kind ? 0 : 1;
        projection.z[vertex] = dot3(unit, z + 3 * vertex);
        projection.q[vertex] = dot3(unit, q + 3 * vertex);
        low[primitive] = fmin(low[primitive], projection.z[vertex]);
        high[primitive] = fmax(high[primitive], projection.z[vertex]);
    }
    const double above = low[0] - high[1], below = low[1] - high[0];
    projection.distance = fmax(above, below);
    if (below > above)
        for (int vertex = 0; vertex < 4; ++vertex) {
            projection.z[vertex] = -projection.z[vertex];
            projection.q[vertex] = -projection.q[vertex];
        }
    return projection;
}

/// How far t may go on until two vertices come closer than `floor` along the direction; `blur` is added to their speed.
static inline double projection_reach(const Projection *projection, PairKind kind, double floor, double blur)
{
    double reach = INFINITY;
    if (!(projection->distance > floor))
        return 0;
    for (int a = 0; a < (int)kind; ++a)
        for (int b = (int)kind; b < 4; ++b) {
            const double room = projection->z[a] - projection->z[b] - floor;
            const double speed = projection->q[b] - projection->q[a] + blur;
            if (speed > 0)
                reach = fmin(reach, room / speed);
        }
    return reach;
}

/// Makes n perpendicular to `edge`, up to the rounding of n.
static inline void remove_component(const double edge[3], double n[3])
{
    const double length_sq = dot3(edge, edge);
    if (length_sq > 0)
        add_scaled3(n, -dot3(n, edge) / length_sq, edge, n);
}

/// The two directions that separate best, of any length and sign: r of the closest points, and the normal of the face or
/// of both edges. Both are corrected to first order for the rounding by which they lean to a vertex, without which L is
/// too small for slivers, nearly parallel edges and tiny distances: r is made perpendicular to edges that it would cross,
/// then to those of the closest features, the normal to the longer of its two edges.
static inline void separating_directions(const double z[12], PairKind kind, double n[2][3])
{
    const ClosestPoints closest = closest_points(z, kind);
    const FreeDirections free = free_directions(z, kind, closest.active),
                         all = free_directions(z, kind, PAIR_ALL_VERTICES);
    int base[2] = {0, (int)kind}; // an active vertex of each primitive
    for (int vertex = 0; vertex < 4; ++vertex)
        if ((closest.active >> vertex & 1) != 0)
            base[vertex < (int)kind ? 0 : 1] = vertex;
    for (int axis = 0; axis < 3; ++axis)
        n[0][axis] = closest.r[axis];
    for (int vertex = 0; vertex < 4; ++vertex) {
        double edge[3];
        subtract3(z + 3 * vertex, z + 3 * base[vertex < (int)kind ? 0 : 1], edge);
        if ((closest.active >> vertex & 1) == 0 && vertex_sign(kind, vertex) * dot3(n[0], edge) < 0)
            remove_component(edge, n[0]);
    }
    for (int j = 0; j < free.count; ++j)
        remove_component(free.r[j], n[0]);
    cross3(all.r[0], all.r[1], n[1]);
    remove_component(dot3(all.r[0], all.r[0]) > dot3(all.r[1], all.r[1]) ? all.r[0] : all.r[1], n[1]);
}

/// Largest distance of a vertex from vertex 0, given positions or displacements relative to it.
static inline double pair_extent(const double y[12])
{
    return sqrt(fmax(dot3(y + 3, y + 3), fmax(dot3(y + 6, y + 6), dot3(y + 9, y + 9))));
}

/// Whether no coordinate is infinite or not a number.
static inline bool pair_is_finite(const double y[12], const double q[12])
{
    double sum = 0;
    for (int i = 0; i < 12; ++i)
        sum += fabs(y[i]) + fabs(q[i]);
    return sum < INFINITY;
}

/// Largest safe t in [0, 1]: on all of [0, t] the distance is at least `separation` + CCD_SAFETY times the gap at t = 0.
/// 0 if there is no gap at the start beyond rounding (or a coordinate is not finite), 1 if nothing is in the way. A near
/// miss below that gap stops it too. `x` and `p` in m, separation >= 0 in m. `turns`: evaluations of the distance.
static inline double ccd_pair(const double x[12], const double p[12], PairKind kind, double separation,
                              int *turns)
{
    double y[12], q[12], z[12];
    for (int i = 0; i < 12; ++i) {
        y[i] = x[i] - x[i % 3];
        q[i] = p[i] - p[i % 3];
    }
    const double extent = pair_extent(y), motion = pair_extent(q);
    *turns = 0;
    if (!pair_is_finite(y, q))
        return 0;
    if (motion == 0)
        return 1;
    double t = 0, kept = 0;
    while (*turns < CCD_MAX_TURNS) {
        for (int i = 0; i < 12; ++i)
            z[i] = y[i] + t * q[i];
        double n[2][3];
        separating_directions(z, kind, n);
        const Projection along_r = pair_projection(z, q, kind, n[0]),
                         along_normal = pair_projection(z, q, kind, n[1]);
        const double lost = separation + CCD_ROUNDING * (extent + t * motion);
        const double gap = fmax(along_r.distance, along_normal.distance) - lost;
        ++*turns;
        if (t == 0 && !(gap > 0))
            return 0;
        if (t == 0)
            kept = CCD_SAFETY * gap;
        else if (!(gap >= 1.5 * kept))
            return t;

        const double blur = CCD_ROUNDING * motion;
        const double next = t + fmax(projection_reach(&along_r, kind, lost + kept, blur),
                                     projection_reach(&along_normal, kind, lost + kept, blur));
        if (next >= 1)
            return 1;
        if (!(next > t))
            return t;
        t = next;
    }
    return t;
}

/// The same for a vertex x + t p against the half-space normal.x >= offset (|normal| = 1): nine tenths of the way to it.
static inline double ccd_plane(const double x[3], const double p[3], const double normal[3], double offset,
                               double separation)
{
    const double rounding = CCD_ROUNDING * (norm3(x) + fabs(offset));
    const double gap = dot3(normal, x) - offset - separation - rounding;
    const double speed = CCD_ROUNDING * norm3(p) - dot3(normal, p);
    if (speed <= 0)
        return 1;
    if (!(gap > 0 && speed < INFINITY))
        return 0;
    return fmin(1, (1 - CCD_SAFETY) * gap / speed);
}

#endif
