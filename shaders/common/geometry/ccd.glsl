// Continuous collision detection of one pair by conservative steps; twin of src/geometry/ccd.h, which says why it is safe.
//
// Positions y and displacements q are relative to vertex 0, formed from the exact ones and rounded once. In single precision the
// rounding of L is as there, with u = 2^-24 and 2^-45 X more for a largest coordinate X: a vertex is off by (2 |y| + 3 t |q|) u,
// its projection by 3 u of the size more, twice; a square root and a division within Vulkan's bounds leave the length of n within
// 15 u, the difference of the projections is rounded once: below 32 u. Where that leaves no gap, or the closest points say that
// a bad direction has stopped it, the pair is `undecided`: exact_ccd.glsl decides it.
#ifndef COMMON_GEOMETRY_CCD_GLSL
#define COMMON_GEOMETRY_CCD_GLSL

#include "common/geometry/closest_points.glsl"

#define CCD_MAX_TURNS 1000
#define CCD_SAFETY (real(1.0) / real(10.0)) ///< the gap that is kept, as a fraction of the gap at t = 0
#define CCD_ROUNDING (real(32.0) * REAL_ROUNDOFF)
#ifdef VELA_F64
#define CCD_LARGEST 1e300lf
#define CCD_SMALLEST_NORMAL_SQ 1e-290lf
#define CCD_PLACE_ROUNDING 0.0lf ///< of relative coordinates, as a multiple of the largest coordinate
#else
#define CCD_LARGEST 3e38
#define CCD_SMALLEST_NORMAL_SQ 1e-30
#define CCD_PLACE_ROUNDING 2.842170943040401e-14 ///< 2^-45
#endif

/// A pair seen along a unit vector n: positions n.z_i (m) and displacements n.q_i (m per unit of t) of its vertices.
struct Projection {
    real z[4], q[4];
    real distance; ///< L(n), m; -CCD_LARGEST if there is no such direction
};

/// Along n or -n, whichever separates better; n of any length. `z` and `q` are relative to vertex 0.
Projection pair_projection(real3 z[4], real3 q[4], int kind, real3 n)
{
    Projection projection;
    projection.distance = -CCD_LARGEST;
    for (int vertex = 0; vertex < 4; ++vertex)
        projection.z[vertex] = projection.q[vertex] = real(0.0);
    const real length_sq = dot(n, n);
    if (!(length_sq > CCD_SMALLEST_NORMAL_SQ && length_sq < CCD_LARGEST))
        return projection;
    const real3 unit = n / sqrt(length_sq);
    real low[2] = real[2](CCD_LARGEST, CCD_LARGEST), high[2] = real[2](-CCD_LARGEST, -CCD_LARGEST);
    for (int vertex = 0; vertex < 4; ++vertex) {
        const real along = dot(unit, z[vertex]);
        projection.z[vertex] = along;
        projection.q[vertex] = dot(unit, q[vertex]);
        const bool second = vertex >= kind;
        low[0] = second ? low[0] : min(low[0], along);
        high[0] = second ? high[0] : max(high[0], along);
        low[1] = second ? min(low[1], along) : low[1];
        high[1] = second ? max(high[1], along) : high[1];
    }
    const real above = low[0] - high[1], below = low[1] - high[0];
    projection.distance = max(above, below);
    const real sign = below > above ? real(-1.0) : real(1.0);
    for (int vertex = 0; vertex < 4; ++vertex) {
        projection.z[vertex] *= sign;
        projection.q[vertex] *= sign;
    }
    return projection;
}

/// How far t may go on until two vertices come closer than `floor` along the direction; `blur` is added to their speed.
real projection_reach(Projection projection, int kind, real floor, real blur)
{
    real reach = CCD_LARGEST;
    if (!(projection.distance > floor))
        return real(0.0);
    for (int a = 0; a < 2; ++a)
        for (int b = 1; b < 4; ++b) {
            const real room = projection.z[a] - projection.z[b] - floor;
            const real speed = projection.q[b] - projection.q[a] + blur;
            if (a < kind && b >= kind && speed > real(0.0))
                reach = min(reach, room / speed);
        }
    return reach;
}

/// Makes n perpendicular to `edge`, up to the rounding of n.
void remove_component(real3 edge, inout real3 n)
{
    const real length_sq = dot(edge, edge);
    if (length_sq > real(0.0))
        n -= dot(n, edge) / length_sq * edge;
}

/// The two directions that separate best, of any length and sign: see the twin. Returns the closest points.
ClosestPoints separating_directions(real3 z[4], int kind, out real3 n[2])
{
    const ClosestPoints closest = closest_points(z, kind);
    const FreeDirections free = free_directions(z, kind, closest.features),
                         all = free_directions(z, kind, PAIR_ALL_VERTICES);
    real3 base[2] = real3[2](z[0], kind == PAIR_POINT_TRIANGLE ? z[1] : z[2]); // an active vertex of each primitive
    for (int vertex = 0; vertex < 4; ++vertex) {
        const bool takes_part = (closest.features >> vertex & 1) != 0;
        base[0] = takes_part && vertex < kind ? z[vertex] : base[0];
        base[1] = takes_part && vertex >= kind ? z[vertex] : base[1];
    }
    n[0] = closest.r;
    for (int vertex = 0; vertex < 4; ++vertex) {
        const real3 edge = z[vertex] - (vertex < kind ? base[0] : base[1]);
        if ((closest.features >> vertex & 1) == 0 && vertex_sign(kind, vertex) * dot(n[0], edge) < real(0.0))
            remove_component(edge, n[0]);
    }
    for (int j = 0; j < 2; ++j)
        if (j < free.count)
            remove_component(free.r[j], n[0]);
    n[1] = cross(all.r[0], all.r[1]);
    remove_component(dot(all.r[0], all.r[0]) > dot(all.r[1], all.r[1]) ? all.r[0] : all.r[1], n[1]);
    return closest;
}

/// A power of two near 1/size, so that what is multiplied by it has about size 1; 1 for 0.
real ccd_scale(real size)
{
    return size > real(0.0) ? real_power_of_two(clamp(-real_exponent(size), -120, 120)) : real(1.0);
}

/// Largest distance of a vertex from vertex 0, given positions or displacements relative to it. Scaled, so that no square
/// underflows.
real pair_extent(real3 y[4])
{
    real3 largest = max(abs(y[1]), max(abs(y[2]), abs(y[3])));
    const real scale = ccd_scale(max(largest.x, max(largest.y, largest.z)));
    const real3 a = scale * y[1], b = scale * y[2], c = scale * y[3];
    return sqrt(max(dot(a, a), max(dot(b, b), dot(c, c)))) / scale;
}

/// Whether no coordinate is infinite or not a number.
bool pair_is_finite(real3 y[4], real3 q[4])
{
    real3 sum = real3(0.0);
    for (int vertex = 0; vertex < 4; ++vertex)
        sum += abs(y[vertex]) + abs(q[vertex]);
    return sum.x + sum.y + sum.z < CCD_LARGEST;
}

/// Largest safe t in [0, 1]: on all of [0, t] the distance is at least `separation` + CCD_SAFETY times the gap at t = 0, up to
/// roundings of the latter. `y`, `q` relative to vertex 0, in m, separation >= 0 in m, `largest`: an upper bound of all
/// coordinates, m. `turns`: evaluations of the distance. `undecided`: more precision may allow a larger t; t is safe all the same.
real ccd_pair(real3 y[4], real3 q[4], int kind, real separation, real largest, out int turns, out bool undecided)
{
    const real extent = pair_extent(y), motion = pair_extent(q), place = CCD_PLACE_ROUNDING * largest;
    turns = 0;
    undecided = false;
    if (!pair_is_finite(y, q))
        return real(0.0);
    if (motion == real(0.0))
        return real(1.0);
    real t = real(0.0), kept = real(0.0);
    while (turns < CCD_MAX_TURNS) {
        real3 z[4], scaled[4], n[2];
        for (int vertex = 0; vertex < 4; ++vertex)
            z[vertex] = y[vertex] + t * q[vertex];
        const real scale = ccd_scale(pair_extent(z));
        for (int vertex = 0; vertex < 4; ++vertex)
            scaled[vertex] = scale * z[vertex];
        const ClosestPoints closest = separating_directions(scaled, kind, n);
        const Projection along_r = pair_projection(z, q, kind, n[0]), along_normal = pair_projection(z, q, kind, n[1]);
        const real lost = separation + (CCD_ROUNDING * (extent + t * motion) + place);
        const real gap = max(along_r.distance, along_normal.distance) - lost;
        ++turns;
        if (t == real(0.0)) {
            kept = CCD_SAFETY * gap;
            undecided = !(gap > real(0.0));
            if (undecided)
                return real(0.0);
        }
        // Whether the closest points stop it too.
        undecided = !(sqrt(closest.distance_sq) / scale - separation <= real(2.0) * kept);
        if (t > real(0.0) && !(gap >= real(1.5) * kept))
            return t;

        const real blur = CCD_ROUNDING * motion;
        const real next = t + max(projection_reach(along_r, kind, lost + kept, blur),
                                  projection_reach(along_normal, kind, lost + kept, blur));
        if (next >= real(1.0)) {
            undecided = false;
            return real(1.0);
        }
        if (!(next > t))
            return t;
        t = next;
    }
    return t;
}

/// The same for a vertex before the half-space normal.x >= offset: nine tenths of the way to it. `height`: normal.x - offset, m,
/// and `approach`: -normal.p, m, both good to CCD_ROUNDING of the size that they are given with.
real ccd_plane(real height, real height_size, real approach, real approach_size, real separation)
{
    const real gap = height - separation - CCD_ROUNDING * height_size;
    const real speed = approach + CCD_ROUNDING * approach_size;
    if (speed <= real(0.0))
        return real(1.0);
    if (!(gap > real(0.0) && speed < CCD_LARGEST))
        return real(0.0);
    return min(real(1.0), (real(1.0) - CCD_SAFETY) * gap / speed);
}

#endif
