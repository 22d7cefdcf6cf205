// Closest points of two primitives and their distance (theory.md section 8, "Distances"); twin of
// src/geometry/closest_points.h, which says what a pair is. Vertices are relative to one of them (relative_vertices), so that
// single precision rounds sizes and distances, not places. Its squares and fourth powers bound the sizes: edges of 1e-8 to 1e8 m,
// distances above 1e-18 m.
//
// Nothing is indexed by a number that is not known when the shader is compiled: such arrays would not live in registers.
#ifndef COMMON_GEOMETRY_CLOSEST_POINTS_GLSL
#define COMMON_GEOMETRY_CLOSEST_POINTS_GLSL

#include "common/real.glsl"
#include "common/real_math.glsl"

#define PAIR_POINT_TRIANGLE 1
#define PAIR_EDGE_EDGE 2
#define PAIR_ALL_VERTICES 15

struct ClosestPoints {
    int features; ///< bit i: vertex i takes part (`active` is reserved in GLSL)
    real weights[4];
    real3 r;
    real distance_sq;
};

struct FreeDirections {
    int count;
    real3 r[2];
    int gains[2], loses[2];
};

/// y_i = x_i - x_0, rounded once the leading parts have cancelled: in single precision within 2^-24 |y_i| + 2^-46 X, X the
/// largest coordinate.
void relative_vertices(Exact3 x[4], out real3 y[4])
{
    for (int vertex = 0; vertex < 4; ++vertex)
        y[vertex] = exact3_difference(x[vertex], x[0]);
}

real vertex_sign(int kind, int vertex)
{
    return vertex < kind ? real(1.0) : real(-1.0);
}

FreeDirections free_directions(real3 x[4], int kind, int features)
{
    FreeDirections directions;
    directions.count = 0;
    for (int j = 0; j < 2; ++j) {
        directions.r[j] = real3(0.0);
        directions.gains[j] = directions.loses[j] = -1;
    }
    int first[2] = int[2](-1, -1);
    real3 base[2] = real3[2](real3(0.0), real3(0.0));
    for (int vertex = 0; vertex < 4; ++vertex) {
        const bool second = vertex >= kind;
        if ((features >> vertex & 1) == 0)
            continue;
        if ((second ? first[1] : first[0]) < 0) {
            first[0] = second ? first[0] : vertex;
            first[1] = second ? vertex : first[1];
            base[0] = second ? base[0] : x[vertex];
            base[1] = second ? x[vertex] : base[1];
            continue;
        }
        const int loses = second ? first[1] : first[0];
        const real3 r = vertex_sign(kind, vertex) * (x[vertex] - (second ? base[1] : base[0]));
        if (directions.count == 0) {
            directions.r[0] = r;
            directions.gains[0] = vertex;
            directions.loses[0] = loses;
        } else {
            directions.r[1] = r;
            directions.gains[1] = vertex;
            directions.loses[1] = loses;
        }
        ++directions.count;
    }
    return directions;
}

/// Whether a candidate replaces the best one. Distances that differ by roundings say nothing: there the candidate with more vertices is
/// the one, whose weights would else be off by the root of a rounding.
bool closest_is_better(real distance_sq, int features, ClosestPoints best)
{
    const bool wider = bitCount(features) > bitCount(best.features);
    return distance_sq < best.distance_sq * (wider ? real(1.0) + real(8.0) * REAL_ROUNDOFF : real(1.0));
}

/// x[vertex], for a number that is not known when the shader is compiled.
real3 pair_place(real3 x[4], int vertex)
{
    return vertex < 2 ? (vertex == 0 ? x[0] : x[1]) : (vertex == 2 ? x[2] : x[3]);
}

void closest_on_segment(real3 x[4], int kind, int point, int end0, int end1, inout ClosestPoints best)
{
    const real3 place = pair_place(x, point), place0 = pair_place(x, end0), place1 = pair_place(x, end1);
    const real3 y0 = place - place0, y1 = place - place1;
    const bool swap = dot(y1, y1) < dot(y0, y0);
    const int near = swap ? end1 : end0, far = swap ? end0 : end1;
    const real3 y = swap ? y1 : y0;
    const real3 edge = swap ? place0 - place1 : place1 - place0;
    const real along = dot(y, edge);
    const bool inside = along > real(0.0);
    real t = inside ? min(along / dot(edge, edge), real(1.0)) : real(0.0);
    real3 r = y - t * edge;
    // Once more from there: what is left of r along the edge is rounding, and single precision has more of it than small distances
    // bear.
    const real fix = inside && t < real(1.0) ? dot(r, edge) / dot(edge, edge) : real(0.0);
    t += fix;
    r -= fix * edge;

    const real distance_sq = dot(r, r), sign = vertex_sign(kind, point);
    const int features = 1 << point | 1 << near | (inside ? 1 << far : 0);
    if (!closest_is_better(distance_sq, features, best))
        return;
    best.features = features;
    best.distance_sq = distance_sq;
    for (int vertex = 0; vertex < 4; ++vertex)
        best.weights[vertex] = vertex == point  ? sign
                               : vertex == near ? -sign * (real(1.0) - t)
                               : vertex == far  ? -sign * t
                                                : real(0.0);
    best.r = sign * r;
}

void closest_inside(real3 x[4], int kind, inout ClosestPoints best)
{
    const FreeDirections directions = free_directions(x, kind, PAIR_ALL_VERTICES);
    const real3 r0 = directions.r[0], r1 = directions.r[1], n = cross(r0, r1);
    const real n_sq = dot(n, n);
    // Parallel within rounding: a fused multiplication leaves something of r_0 x r_0, as a cable's segment has it.
    if (!(n_sq > real(64.0) * REAL_ROUNDOFF * REAL_ROUNDOFF * dot(r0, r0) * dot(r1, r1)))
        return;

    const bool triangle = kind == PAIR_POINT_TRIANGLE;
    const real3 y = x[0] - (triangle ? x[1] : x[2]);
    real beta0 = dot(cross(r1, y), n) / n_sq;
    real3 r = y + beta0 * r0;
    real beta1 = -dot(r, r1) / dot(r1, r1);
    r += beta1 * r1;
    // Once more from there, as above.
    const real3 aside = r0 - dot(r0, r1) / dot(r1, r1) * r1;
    const real aside_sq = dot(aside, aside), fix0 = aside_sq > real(0.0) ? -dot(r, aside) / aside_sq : real(0.0);
    r += fix0 * r0;
    const real fix1 = -dot(r, r1) / dot(r1, r1);
    r += fix1 * r1;
    beta0 += fix0;
    beta1 += fix1;
    const real limit = triangle ? real(1.0) - beta1 : real(1.0);
    if (!(beta0 > real(0.0) && beta1 > real(0.0) && beta0 < limit && beta1 < real(1.0)))
        return;
    const real distance_sq = dot(r, r);
    if (!closest_is_better(distance_sq, PAIR_ALL_VERTICES, best))
        return;
    best.features = PAIR_ALL_VERTICES;
    best.weights[0] = triangle ? real(1.0) : real(1.0) - beta0;
    best.weights[1] = triangle ? -(real(1.0) - beta0 - beta1) : beta0;
    best.weights[2] = triangle ? -beta0 : -(real(1.0) - beta1);
    best.weights[3] = -beta1;
    best.distance_sq = distance_sq;
    best.r = r;
}

/// Coordinates that are not finite give distance_sq = infinity and no active vertex.
ClosestPoints closest_points(real3 x[4], int kind)
{
    ClosestPoints best;
    best.features = 0;
    best.weights = real[4](real(0.0), real(0.0), real(0.0), real(0.0));
    best.r = real3(0.0);
    best.distance_sq = real_infinity();
    // A vertex of the one and an edge of the other. One place in the code: seven of them in a caller's loop take some compilers
    // minutes.
    const bool triangle = kind == PAIR_POINT_TRIANGLE;
    for (int i = 0; i < (triangle ? 3 : 4); ++i) {
        const int end0 = triangle ? i + 1 : i < 2 ? 2 : 0, end1 = triangle ? (i < 2 ? i + 2 : 1) : end0 + 1;
        closest_on_segment(x, kind, triangle ? 0 : i, end0, end1, best);
    }
    closest_inside(x, kind, best);
    return best;
}

#endif
