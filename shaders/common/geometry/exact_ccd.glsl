// ccd_pair once more with exact numbers (float-float or double), for the pairs that it leaves undecided: thin ones, and gaps of
// a few roundings of their size. In its own kernel: it is long.
//
// All directions that may separate best are tried, since the closest features are not known to the size of such gaps. They have any
// length |n|, so all that is compared is |n| times a length. In float-float, u = 2^-24, a sum is off by 3 u^2 of itself and a
// product by 7 u^2: y by 3 u^2 |y|, t q by 10 u^2 t |q|, their sum by 3 u^2 more, a dot product of three terms by 13 u^2 of the
// size. That is 26 u^2 (|y| + t |q|) a primitive, 52 u^2 both; |n| is good to 16 u^2, by which the separation may be off. So
//
//     gap = (L_n - separation |n|)/|n| - 64 u^2 (extent + t motion + separation),   64 u^2 = 2^-42,
//
// is a lower bound in single precision; rounding it to `real` costs a part of itself only. No coordinate counts. In double
// precision the rounding is that of ccd_pair.
#ifndef COMMON_GEOMETRY_EXACT_CCD_GLSL
#define COMMON_GEOMETRY_EXACT_CCD_GLSL

#include "common/geometry/ccd.glsl"

#ifdef VELA_F64
#define EXACT_CCD_ROUNDING CCD_ROUNDING
#else
#define EXACT_CCD_ROUNDING 2.2737367544323206e-13 ///< 2^-42
#endif

/// y_i = x_i - x_0, as exact numbers. y_0 is a constant: formed, it would take registers that are not there.
void exact_relative_vertices(Exact3 x[4], out Exact3 y[4])
{
    y[0] = exact3(real3(0.0));
    for (int vertex = 1; vertex < 4; ++vertex)
        y[vertex] = exact3_subtract(x[vertex], x[0]);
}

/// The root of a > 0: the rounded one and half a Newton step.
Exact exact_root(Exact a)
{
    const real root = sqrt(exact_value(a));
    const real left = exact_value(exact_add(a, exact_negative(exact_product(root, root))));
    return exact_add(exact(root), exact(left / (real(2.0) * root)));
}

/// n without its component along `edge`. The quotient is rounded, so each turn leaves u of it; n may be a small difference of what it
/// was, and along an edge it has to be smaller than the distance once more.
void exact_remove_component(Exact3 edge, inout Exact3 n)
{
    const real3 e = exact3_value(edge);
    const real length_sq = dot(e, e);
    for (int turn = 0; turn < 3 && length_sq > real(0.0); ++turn) {
        const real part = exact_value(exact_dot(n, edge)) / length_sq;
        n = exact3_subtract(n, exact3_scale(exact(part), edge));
    }
}

/// a where `first`, else b.
Exact3 exact_choose(bool first, Exact3 a, Exact3 b)
{
#ifdef VELA_F64
    return first ? a : b;
#else
    return FloatFloat3(first ? a.hi : b.hi, first ? a.lo : b.lo);
#endif
}

/// a x b
Exact3 exact_cross(Exact3 a, Exact3 b)
{
    Exact c[3];
    for (int i = 0; i < 3; ++i) {
        const int j = i < 2 ? i + 1 : 0, k = j < 2 ? j + 1 : 0;
        c[i] = exact_add(exact_multiply(exact3_component(a, j), exact3_component(b, k)),
                         exact_negative(exact_multiply(exact3_component(a, k), exact3_component(b, j))));
    }
#ifdef VELA_F64
    return dvec3(c[0], c[1], c[2]);
#else
    return float_float3(c[0], c[1], c[2]);
#endif
}

/// scale (a - b) for a power of two.
Exact3 exact_scaled_difference(Exact3 a, Exact3 b, real scale)
{
    const Exact3 difference = exact3_subtract(a, b);
#ifdef VELA_F64
    return scale * difference;
#else
    return FloatFloat3(scale * difference.hi, scale * difference.lo);
#endif
}

/// z_i = y_i + t q_i for an i that is not known when the shader is compiled. Formed wherever it is needed: kept, the four would take
/// registers that are not there.
Exact3 exact_vertex(Exact3 y[4], Exact3 q[4], real t, int i)
{
    const Exact3 position = exact_choose(i < 2, exact_choose(i == 0, y[0], y[1]), exact_choose(i == 2, y[2], y[3]));
    const Exact3 motion = exact_choose(i < 2, exact_choose(i == 0, q[0], q[1]), exact_choose(i == 2, q[2], q[3]));
    return exact3_add(position, exact3_scale(exact(t), motion));
}

/// Direction 0: the normal of the face or of both edges; the others: from the nearest point of a segment, the candidates of
/// closest_points in the same order, to its vertex. One of them separates best. The normal of a sliver may lean along it, so it is made
/// perpendicular to the longer edge. 0 where there is none. `scale` brings the pair
/// to about size 1.
Exact3 exact_direction(Exact3 y[4], Exact3 q[4], real t, real scale, int kind, int which)
{
    const bool triangle = kind == PAIR_POINT_TRIANGLE;
    if (which == 0) {
        const Exact3 a = exact_scaled_difference(exact_vertex(y, q, t, triangle ? 2 : 1),
                                                 exact_vertex(y, q, t, triangle ? 1 : 0), scale);
        const Exact3 b = exact_scaled_difference(exact_vertex(y, q, t, 3), exact_vertex(y, q, t, triangle ? 1 : 2), scale);
        const real3 a_rounded = exact3_value(a), b_rounded = exact3_value(b);
        Exact3 n = exact_cross(a, b);
        exact_remove_component(exact_choose(dot(a_rounded, a_rounded) > dot(b_rounded, b_rounded), a, b), n);
        return n;
    }
    const int point = triangle ? 0 : which - 1;
    const int end0 = triangle ? which : which < 3 ? 2 : 0, end1 = triangle ? (which < 3 ? which + 1 : 1) : which < 3 ? 3 : 1;
    const Exact3 y0 = exact_scaled_difference(exact_vertex(y, q, t, point), exact_vertex(y, q, t, end0), scale);
    const Exact3 y1 = exact_scaled_difference(exact_vertex(y, q, t, point), exact_vertex(y, q, t, end1), scale);
    const Exact3 edge = exact3_subtract(y0, y1);
    const bool before = !(exact_value(exact_dot(y0, edge)) > real(0.0)), behind = !(exact_value(exact_dot(y1, edge)) < real(0.0));
    // From the nearer end, so that what is taken away is of the size of the distance to it.
    const real3 from0 = exact3_value(y0), from1 = exact3_value(y1);
    Exact3 r = exact_choose(before || (!behind && dot(from0, from0) < dot(from1, from1)), y0, y1);
    if (!before && !behind)
        exact_remove_component(edge, r);
    return r;
}

/// A pair seen along n of any length |n|: its gap at this time (m), and how far t may go on until it comes down to `kept`.
struct ExactView {
    real gap, reach;
};

/// Along n or -n, whichever separates better. `lost`: rounding of the gap, m; `blur`: of the speed, m per unit of t.
ExactView exact_view(Exact3 y[4], Exact3 q[4], real t, int kind, Exact3 n, real separation, real lost, real blur, real kept,
                     bool keeps)
{
    ExactView view = ExactView(-CCD_LARGEST, real(0.0));
    real3 rounded = exact3_value(n);
    const real largest = max(abs(rounded.x), max(abs(rounded.y), abs(rounded.z)));
    if (!(largest > real(0.0) && largest < CCD_LARGEST))
        return view;
    const Exact3 unit = exact3_scale(exact(ccd_scale(largest)), n);
    const Exact length_exact = exact_root(exact_dot(unit, unit));
    const real size = exact_value(length_exact);
    Exact along[4];
    Exact speeds[4];
    for (int vertex = 0; vertex < 4; ++vertex) {
        along[vertex] = exact_dot(unit, exact_vertex(y, q, t, vertex));
        speeds[vertex] = exact_dot(unit, q[vertex]);
    }
    // The least separated vertices, with n and with -n.
    real least[2] = real[2](CCD_LARGEST, CCD_LARGEST);
    const Exact held = exact_multiply(exact(separation), length_exact);
    for (int side = 0; side < 2; ++side)
        for (int a = 0; a < 2; ++a)
            for (int b = 1; b < 4; ++b) {
                const Exact apart = exact_add(side == 0 ? along[a] : along[b],
                                              exact_negative(side == 0 ? along[b] : along[a]));
                if (a < kind && b >= kind)
                    least[side] = min(least[side], exact_value(exact_add(apart, exact_negative(held))));
            }
    const bool flip = least[1] > least[0];
    view.gap = (flip ? least[1] : least[0]) / size - lost;
    const real floor = keeps ? kept : CCD_SAFETY * view.gap;
    if (!(view.gap > floor))
        return view;
    view.reach = CCD_LARGEST;
    for (int a = 0; a < 2; ++a)
        for (int b = 1; b < 4; ++b) {
            const Exact apart = exact_add(flip ? along[b] : along[a], exact_negative(flip ? along[a] : along[b]));
            const real room = exact_value(exact_add(apart, exact_negative(held))) / size - lost - floor;
            const real faster = exact_value(exact_add(flip ? speeds[a] : speeds[b],
                                                      exact_negative(flip ? speeds[b] : speeds[a]))) / size;
            const real speed = faster + (CCD_ROUNDING * abs(faster) + blur);
            if (a < kind && b >= kind && speed > real(0.0))
                view.reach = min(view.reach, room / speed);
        }
    return view;
}

/// a + b or a little less: a rounding of t may be a longer way than the gap. a, b >= 0.
real sum_from_below(real a, real b)
{
    precise real sum = a + b;
    precise real added = sum - a;
    return added > b ? sum - real(2.0) * REAL_ROUNDOFF * sum : sum;
}

/// ccd_pair in exact numbers: `y` and `q` relative to vertex 0. 0 only where the gap is within EXACT_CCD_ROUNDING of the size, and
/// otherwise it goes on until the gap has come down to 1.5 times what is kept, or to the motion in two roundings of t.
real exact_ccd_pair(Exact3 y[4], Exact3 q[4], int kind, real separation, out int turns)
{
    real3 y_rounded[4], q_rounded[4];
    for (int vertex = 0; vertex < 4; ++vertex) {
        y_rounded[vertex] = exact3_value(y[vertex]);
        q_rounded[vertex] = exact3_value(q[vertex]);
    }
    const real extent = pair_extent(y_rounded), motion = pair_extent(q_rounded);
    turns = 0;
    if (!pair_is_finite(y_rounded, q_rounded))
        return real(0.0);
    if (motion == real(0.0))
        return real(1.0);
    real t = real(0.0), kept = real(0.0);
    while (turns < CCD_MAX_TURNS) {
        real3 rounded[4];
        for (int vertex = 0; vertex < 4; ++vertex)
            rounded[vertex] = exact3_value(y[vertex]) + t * exact3_value(q[vertex]);
        const real scale = ccd_scale(pair_extent(rounded));
        const real lost = EXACT_CCD_ROUNDING * (extent + t * motion + separation);
        const bool keeps = t > real(0.0);
        real gap = -CCD_LARGEST, reach = real(0.0);
        // A bound that is not known when the shader is compiled: unrolled, this takes all registers.
        const int directions = kind == PAIR_POINT_TRIANGLE ? 4 : 5;
        for (int which = 0; which < directions; ++which) {
            const ExactView view = exact_view(y, q, t, kind, exact_direction(y, q, t, scale, kind, which), separation, lost,
                                              EXACT_CCD_ROUNDING * motion, kept, keeps);
            // What is to be kept is not known in the first turn: a tenth of the largest gap.
            reach = keeps ? max(reach, view.reach) : view.gap > gap ? view.reach : reach;
            gap = max(gap, view.gap);
        }
        ++turns;
        if (!keeps) {
            kept = CCD_SAFETY * gap;
            if (!(gap > real(0.0)))
                return real(0.0);
        } else if (!(gap >= real(1.5) * kept)) {
            return t;
        }
        const real next = sum_from_below(t, reach);
        if (next >= real(1.0))
            return real(1.0);
        if (!(next > t))
            return t;
        t = next;
    }
    return t;
}

#endif
