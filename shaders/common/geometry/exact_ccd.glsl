// ccd_pair once more with exact numbers (float-float or double), for the pairs that it leaves undecided: thin ones, and gaps of
// a few roundings of their size. In its own kernel: it is long.
//
// Directions come from the closest features found in `real`; they are made perpendicular to edges in exact numbers, and have any
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

/// y_i = x_i - x_0, as exact numbers.
void exact_relative_vertices(Exact3 x[4], out Exact3 y[4])
{
    for (int vertex = 0; vertex < 4; ++vertex)
        y[vertex] = exact3_subtract(x[vertex], x[0]);
}

/// The root of a > 0: the rounded one and half a Newton step.
Exact exact_root(Exact a)
{
    const real root = sqrt(exact_value(a));
    const real left = exact_value(exact_add(a, exact_negative(exact_product(root, root))));
    return exact_add(exact(root), exact(left / (real(2.0) * root)));
}

/// n without its component along `edge`, twice, since the quotient is rounded.
void exact_remove_component(Exact3 edge, inout Exact3 n)
{
    const real3 e = exact3_value(edge);
    const real length_sq = dot(e, e);
    for (int turn = 0; turn < 2 && length_sq > real(0.0); ++turn) {
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

/// The directions of separating_directions for vertices of about size 1, with the closest features found in `real`.
void exact_directions(Exact3 z[4], int kind, out Exact3 n[2])
{
    real3 rounded[4];
    for (int vertex = 0; vertex < 4; ++vertex)
        rounded[vertex] = exact3_value(z[vertex]);
    const ClosestPoints closest = closest_points(rounded, kind);
    const FreeDirections free = free_directions(rounded, kind, closest.features);
    const Exact3 zero = exact3(real3(0.0));
    Exact3 base[2] = Exact3[2](z[0], exact_choose(kind == PAIR_POINT_TRIANGLE, z[1], z[2]));
    for (int vertex = 0; vertex < 4; ++vertex) {
        const bool takes_part = (closest.features >> vertex & 1) != 0;
        base[0] = exact_choose(takes_part && vertex < kind, z[vertex], base[0]);
        base[1] = exact_choose(takes_part && vertex >= kind, z[vertex], base[1]);
    }
    // r, exactly that of these weights: base_0 - base_1 + sum w_i (z_i - base)
    n[0] = exact3_subtract(base[0], base[1]);
    for (int vertex = 0; vertex < 4; ++vertex) {
        const Exact3 edge = exact3_subtract(z[vertex], exact_choose(vertex < kind, base[0], base[1]));
        n[0] = exact3_add(n[0], exact3_scale(exact(closest.weights[vertex]), edge));
    }
    for (int vertex = 0; vertex < 4; ++vertex) {
        const Exact3 edge = exact3_subtract(z[vertex], exact_choose(vertex < kind, base[0], base[1]));
        if ((closest.features >> vertex & 1) == 0 &&
            vertex_sign(kind, vertex) * exact_value(exact_dot(n[0], edge)) < real(0.0))
            exact_remove_component(edge, n[0]);
    }
    // Twice: edges of the closest features are not perpendicular to each other.
    for (int vertex = 0; vertex < 8; ++vertex) {
        const int of = vertex & 3;
        const bool takes_part = free.count > 0 && (of == free.gains[0] || (free.count > 1 && of == free.gains[1]));
        const Exact3 at = exact_choose(of == 0, z[0], exact_choose(of == 1, z[1], exact_choose(of == 2, z[2], z[3])));
        if (takes_part)
            exact_remove_component(exact3_subtract(at, exact_choose(of < kind, base[0], base[1])), n[0]);
    }
    const bool triangle = kind == PAIR_POINT_TRIANGLE;
    n[1] = exact_cross(exact3_subtract(z[triangle ? 2 : 1], z[triangle ? 1 : 0]),
                       exact3_subtract(z[3], triangle ? z[1] : z[2]));
}

/// A pair seen along n of any length |n|: its gap at this time (m), and how far t may go on until it comes down to `kept`.
struct ExactView {
    real gap, reach;
};

/// Along n or -n, whichever separates better. `lost`: rounding of the gap, m; `blur`: of the speed, m per unit of t.
ExactView exact_view(Exact3 z[4], Exact3 q[4], int kind, Exact3 n, real separation, real lost, real blur, real kept,
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
    real speeds[4];
    for (int vertex = 0; vertex < 4; ++vertex) {
        along[vertex] = exact_dot(unit, z[vertex]);
        speeds[vertex] = exact_value(exact_dot(unit, q[vertex]));
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
            const real speed = (flip ? speeds[a] - speeds[b] : speeds[b] - speeds[a]) / size + blur;
            if (a < kind && b >= kind && speed > real(0.0))
                view.reach = min(view.reach, room / speed);
        }
    return view;
}

/// ccd_pair in exact numbers: `y` and `q` relative to vertex 0. 0 only where the gap is within EXACT_CCD_ROUNDING of the size.
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
        Exact3 z[4], n[2];
        real3 rounded[4];
        for (int vertex = 0; vertex < 4; ++vertex) {
            z[vertex] = exact3_add(y[vertex], exact3_scale(exact(t), q[vertex]));
            rounded[vertex] = exact3_value(z[vertex]);
        }
        const real scale = ccd_scale(pair_extent(rounded));
        Exact3 scaled[4];
        for (int vertex = 0; vertex < 4; ++vertex)
            scaled[vertex] = exact3_scale(exact(scale), z[vertex]);
        exact_directions(scaled, kind, n);
        const real lost = EXACT_CCD_ROUNDING * (extent + t * motion + separation), blur = CCD_ROUNDING * motion;
        const bool keeps = t > real(0.0);
        // The first turn keeps a tenth of the larger gap: the other direction's reach is then too short at most.
        ExactView views[2];
        for (int k = 0; k < 2; ++k)
            views[k] = exact_view(z, q, kind, n[k], separation, lost, blur, kept, keeps);
        const real gap = max(views[0].gap, views[1].gap);
        ++turns;
        if (!keeps) {
            kept = CCD_SAFETY * gap;
            if (!(gap > real(0.0)))
                return real(0.0);
        } else if (!(gap >= real(1.5) * kept)) {
            return t;
        }
        real reach = views[0].gap > views[1].gap ? views[0].reach : views[1].reach;
        if (keeps)
            reach = max(views[0].reach, views[1].reach);
        real next = t + reach;
        if (next >= real(1.0))
            return real(1.0);
        // Never beyond t + reach: a rounding of t may be a longer way than the gap.
        const real taken = next - t;
        if (taken > reach)
            next -= real(2.0) * REAL_ROUNDOFF * next;
        if (!(next > t))
            return t;
        t = next;
    }
    return t;
}

#endif
