/// Closest features of as many pairs as a Pack has lanes, where they are clear: closest_points.h, which finds the same, with the same bits,
/// tells what is clear and why.
#ifndef GEOMETRY_CLOSEST_PACKS_H
#define GEOMETRY_CLOSEST_PACKS_H

#include "base/pack3.h"
#include "geometry/closest_points.h"

/// The vertices of a pair by what they are in its closest features. Of one primitive a vertex is the `lone` one, which is near the edge from
/// `near` to `far` of the other. The one that is left is `other`: a triangle's third vertex, or the lone one's on its edge.
enum { VERTEX_LONE, VERTEX_NEAR, VERTEX_FAR, VERTEX_OTHER };

/// How vertices are arranged so.
typedef struct Arrangement {
    PackMask turned
        [2]; ///< of a triangle: the edge from its second vertex, or from its third; of two edges: the lone vertex is the second
             ///< of its edge, and its edge is the second
    PackMask swapped; ///< the edge runs from its second vertex to its first
} Arrangement;

typedef struct ClosestPacks {
    PackMask is_known;   ///< else the rest says nothing
    PackMask is_inside;  ///< of the triangle or of both edges: the arrangement says nothing
    PackMask is_on_edge; ///< the lone vertex and the inside of the edge, else its near vertex
    Arrangement arrangement;
    Pack r[3];        ///< to the lone vertex; inside: to the first primitive, m
    Pack distance_sq; ///< m^2
    Pack along;       ///< of the edge: where its closest point is, 0: near, 1: far
    Pack inside[2];   ///< beta_0 and beta_1 of closest_inside
} ClosestPacks;

/// `x`: coordinates, 3 a vertex.
LANES_INLINE void packs_arrange(const Arrangement *arrangement, PairKind kind, const Pack x[12],
                                Pack arranged[4][3])
{
    const PackMask first = arrangement->turned[0], second = arrangement->turned[1],
                   swapped = arrangement->swapped;
    Pack from[3], to[3];
    for (int k = 0; k < 3; ++k) {
        const Pack a = x[k], b = x[3 + k], c = x[6 + k], d = x[9 + k];
        if (kind == PAIR_POINT_TRIANGLE) {
            arranged[VERTEX_LONE][k] = a;
            from[k] = pack_select(second, d, pack_select(first, c, b));
            to[k] = pack_select(second, b, pack_select(first, d, c));
            arranged[VERTEX_OTHER][k] = pack_select(second, c, pack_select(first, b, d));
        } else {
            const Pack own = pack_select(second, c, a), next = pack_select(second, d, b);
            arranged[VERTEX_LONE][k] = pack_select(first, next, own);
            arranged[VERTEX_OTHER][k] = pack_select(first, own, next);
            from[k] = pack_select(second, a, c);
            to[k] = pack_select(second, b, d);
        }
    }
    packs_select(swapped, to, from, arranged[VERTEX_NEAR]);
    packs_select(swapped, from, to, arranged[VERTEX_FAR]);
}

/// closest_on_rim without what comes of it; and a triangle that is a segment of a cable.
LANES_INLINE PackMask packs_closest_on_rim(const Pack x[12], Arrangement *arrangement)
{
    Pack ab[3], ac[3], a[3], b[3], c[3];
    packs_subtract(x + 6, x + 3, ab);
    packs_subtract(x + 9, x + 3, ac);
    packs_subtract(x, x + 3, a);
    packs_subtract(x, x + 6, b);
    packs_subtract(x, x + 9, c);
    const Pack ab_a = packs_dot(ab, a), ab_b = packs_dot(ab, b), ab_c = packs_dot(ab, c),
               ac_a = packs_dot(ac, a), ac_b = packs_dot(ac, b), ac_c = packs_dot(ac, c);
    const Pack clear = CLOSEST_CLEAR * (packs_dot(ab, ab) + packs_dot(ac, ac) + packs_dot(a, a));
    const Pack area = clear * (pack_abs(ab_a) + pack_abs(ab_b) + pack_abs(ab_c) + pack_abs(ac_a) +
                               pack_abs(ac_b) + pack_abs(ac_c));
    const PackMask first = (pack_less(ab_a, -clear) & pack_less(ac_a, -clear)) |
                           (pack_less(clear, ab_b) & pack_less(clear, ab_b - ac_b)) |
                           packs_equal(x + 6, x + 9),
                   second = pack_less(clear, ac_c) & pack_less(clear, ac_c - ab_c),
                   along_ab = pack_less(clear, ab_a) & pack_less(ab_b, -clear) &
                              pack_less(ab_a * ac_b - ab_b * ac_a, -area),
                   along_bc = pack_less(clear, ac_b - ab_b) & pack_less(clear, ab_c - ac_c) &
                              pack_less(ab_b * ac_c - ab_c * ac_b, -area),
                   along_ca = pack_less(clear, ac_a) & pack_less(ac_c, -clear) &
                              pack_less(ab_c * ac_a - ab_a * ac_c, -area);
    const PackMask vertex = first | second;
    arrangement->turned[0] = ~first & (second | (~along_ab & along_bc));
    arrangement->turned[1] = ~vertex & ~along_ab & ~along_bc & along_ca;
    return vertex | along_ab | along_bc | along_ca;
}

/// closest_at_end without what comes of it.
LANES_INLINE PackMask packs_closest_at_end(const Pack x[12], Arrangement *arrangement)
{
    Pack u[3], v[3], y[3];
    packs_subtract(x + 3, x, u);
    packs_subtract(x + 9, x + 6, v);
    packs_subtract(x, x + 6, y);
    const Pack uu = packs_dot(u, u), uv = packs_dot(u, v), vv = packs_dot(v, v), uy = packs_dot(u, y),
               vy = packs_dot(v, y);
    const Pack clear = CLOSEST_CLEAR * (uu + vv + packs_dot(y, y));
    PackMask found = {0}, is_second = {0}, is_turned = {0};
    for (int end = 0; end < 2; ++end) { // x_2 or x_3
        const double out = end == 0 ? 1 : -1;
        const Pack by_s = end == 0 ? uy : uy - uv, by_t = end == 0 ? -vy : vv - vy;
        const PackMask corner_0 = pack_less(clear, by_s) & pack_less(clear, out * by_t),
                       corner_1 =
                           pack_less(by_s + uu, -clear) & pack_less(clear, out * (by_t - uv)) & ~corner_0,
                       inside = pack_less(by_s, -clear) & pack_less(clear, by_s + uu) &
                                pack_less(clear * uu, out * (by_t * uu + by_s * uv)) & ~corner_0 & ~corner_1;
        is_second |= ~found & (end == 0 ? corner_1 : corner_1 | inside);
        is_turned |= ~found & inside;
        found |= corner_0 | corner_1 | inside;
    }
    for (int end = 0; end < 2; ++end) { // x_0 or x_1
        const double out = end == 0 ? 1 : -1;
        const Pack by_t = end == 0 ? -vy : -vy - uv, by_s = end == 0 ? uy : uy + uu;
        const PackMask inside = pack_less(by_t, -clear) & pack_less(clear, by_t + vv) &
                                pack_less(clear * vv, out * (by_s * vv + by_t * uv));
        if (end == 1)
            is_second |= ~found & inside;
        found |= inside;
    }
    arrangement->turned[0] = is_second;
    arrangement->turned[1] = is_turned;
    return found;
}

/// Between points of a triangle or of two edges: r = y + beta_0 r0 + beta_1 r1 (free_directions).
LANES_INLINE void packs_free_directions(const Pack x[12], PairKind kind, Pack y[3], Pack r0[3], Pack r1[3])
{
    if (kind == PAIR_POINT_TRIANGLE) {
        packs_subtract(x + 3, x + 6, r0);
        packs_subtract(x + 3, x + 9, r1);
    } else {
        packs_subtract(x + 3, x, r0);
        packs_subtract(x + 6, x + 9, r1);
    }
    packs_subtract(x, x + 3 * (int)kind, y);
}

/// closest_inside where it returns true.
LANES_INLINE PackMask packs_closest_inside(const Pack x[12], PairKind kind, Pack inside[2], Pack r[3],
                                           Pack *distance_sq)
{
    Pack r0[3], r1[3], y[3], n[3], cross[3];
    packs_free_directions(x, kind, y, r0, r1);
    packs_cross(r0, r1, n);
    packs_cross(r1, y, cross);
    const Pack n_sq = packs_dot(n, n), beta0 = packs_dot(cross, n) / n_sq;
    packs_add_scaled(y, beta0, r0, r);
    const Pack r1_sq = packs_dot(r1, r1), beta1 = -packs_dot(r, r1) / r1_sq,
               limit = kind == PAIR_POINT_TRIANGLE ? 1 - beta1 : pack_set(1),
               least = pack_set(CLOSEST_MARGIN);
    packs_add_scaled(r, beta1, r1, r);
    inside[0] = beta0, inside[1] = beta1;
    *distance_sq = packs_dot(r, r);
    return pack_less(pack_set(0), n_sq) & pack_less(least, beta0) & pack_less(least, beta1) &
           pack_less(beta0, limit - CLOSEST_MARGIN) & pack_less(beta1, pack_set(1 - CLOSEST_MARGIN)) &
           pack_less(CLOSEST_SINE_SQ * packs_dot(r0, r0) * r1_sq, n_sq) &
           pack_less(*distance_sq, pack_set(INFINITY));
}

/// closest_on_segment of arranged vertices, of which near and far may be the other way round; says whether they are.
LANES_INLINE PackMask packs_closest_on_segment(Pack vertices[4][3], ClosestPacks *closest)
{
    Pack y0[3], y1[3], y[3], edge[3];
    packs_subtract(vertices[VERTEX_LONE], vertices[VERTEX_NEAR], y0);
    packs_subtract(vertices[VERTEX_LONE], vertices[VERTEX_FAR], y1);
    const PackMask swap = pack_less(packs_dot(y1, y1), packs_dot(y0, y0));
    packs_select(swap, y1, y0, y);
    packs_subtract(vertices[VERTEX_FAR], vertices[VERTEX_NEAR], edge);
    for (int k = 0; k < 3; ++k)
        edge[k] = pack_select(swap, -edge[k], edge[k]);
    const Pack along = packs_dot(y, edge);
    closest->is_on_edge = pack_less(pack_set(0), along);
    const Pack t =
        pack_select(closest->is_on_edge, pack_min(along / packs_dot(edge, edge), pack_set(1)), pack_set(0));
    closest->along = t;
    packs_add_scaled(y, -t, edge, closest->r);
    closest->distance_sq = packs_dot(closest->r, closest->r);
    return swap;
}

/// x: coordinates of the pairs, 3 a vertex, m.
LANES_INLINE void packs_closest(const Pack x[12], PairKind kind, ClosestPacks *closest)
{
    Pack vertices[4][3], inside[3], inside_sq;
    closest->arrangement.swapped = (PackMask){0};
    const PackMask on_rim = kind == PAIR_POINT_TRIANGLE ? packs_closest_on_rim(x, &closest->arrangement)
                                                        : packs_closest_at_end(x, &closest->arrangement);
    packs_arrange(&closest->arrangement, kind, x, vertices);
    closest->arrangement.swapped = packs_closest_on_segment(vertices, closest);
    closest->is_known = on_rim & pack_less(closest->distance_sq, pack_set(INFINITY));
    closest->is_inside = (PackMask){0};
    closest->inside[0] = closest->inside[1] = pack_set(0);
    if (!pack_any(~on_rim))
        return;
    closest->is_inside = packs_closest_inside(x, kind, closest->inside, inside, &inside_sq) & ~on_rim;
    packs_select(closest->is_inside, inside, closest->r, closest->r);
    closest->distance_sq = pack_select(closest->is_inside, inside_sq, closest->distance_sq);
    closest->is_known |= closest->is_inside;
}

/// closest_points_of: features that are known to be the closest.
LANES_INLINE void packs_closest_of(const Pack x[12], PairKind kind, PackMask active, ClosestPacks *closest)
{
    const PackMask first = active & (kind == PAIR_EDGE_EDGE ? 3 : 1), second = active & ~first, none = {0};
    PackMask on_edge, is_far = none;
    if (kind == PAIR_POINT_TRIANGLE) {
        on_edge = (PackMask)((second & (second - 1)) != none);
        closest->arrangement.turned[0] = (PackMask)(second == 4) | (PackMask)(second == 12);
        closest->arrangement.turned[1] = (PackMask)(second == 8) | (PackMask)(second == 10);
    } else {
        const PackMask turned = (PackMask)(first == 3);
        on_edge = turned | (PackMask)(second == 12);
        is_far = ~on_edge & (PackMask)(second == 8);
        closest->arrangement.turned[0] =
            (~turned & (PackMask)(first == 2)) | (turned & (PackMask)(second == 8));
        closest->arrangement.turned[1] = turned;
    }
    Pack vertices[4][3], near[3], r[3];
    closest->arrangement.swapped = none;
    packs_arrange(&closest->arrangement, kind, x, vertices);
    const PackMask swap = packs_closest_on_segment(vertices, closest);
    packs_select(is_far, vertices[VERTEX_FAR], vertices[VERTEX_NEAR], near);
    packs_subtract(vertices[VERTEX_LONE], near, r);
    packs_select(on_edge, closest->r, r, closest->r);
    closest->distance_sq = packs_dot(closest->r, closest->r);
    closest->along = pack_select(on_edge, closest->along, pack_set(0));
    closest->arrangement.swapped = (on_edge & swap) | is_far;
    closest->is_on_edge &= on_edge;
    closest->is_inside = none;
    closest->inside[0] = closest->inside[1] = pack_set(0);
    closest->is_known = pack_less(closest->distance_sq, pack_set(INFINITY));
}

/// How r changes while the vertices move by d, its direction aside: r.dr is that of r.r halved, as the closest points are where they are.
LANES_INLINE void packs_closest_change(const Pack d[12], PairKind kind, const ClosestPacks *closest,
                                       Pack change[3])
{
    Pack vertices[4][3], along[3];
    packs_arrange(&closest->arrangement, kind, d, vertices);
    packs_subtract(vertices[VERTEX_LONE], vertices[VERTEX_NEAR], change);
    packs_subtract(vertices[VERTEX_FAR], vertices[VERTEX_NEAR], along);
    packs_add_scaled(change, -closest->along, along, change);
    if (!pack_any(closest->is_inside))
        return;
    Pack y[3], r0[3], r1[3];
    packs_free_directions(d, kind, y, r0, r1);
    packs_add_scaled(y, closest->inside[0], r0, y);
    packs_add_scaled(y, closest->inside[1], r1, y);
    packs_select(closest->is_inside, y, change, change);
}

/// ClosestPoints.active where it is known.
LANES_INLINE PackMask packs_active(const ClosestPacks *closest, PairKind kind)
{
    const Arrangement *arrangement = &closest->arrangement;
    const PackMask first = arrangement->turned[0], second = arrangement->turned[1];
    PackMask lone, from, to;
    if (kind == PAIR_POINT_TRIANGLE) {
        lone = (PackMask){0} + 1;
        from = 2 + (first & 2) + (second & 6);
        to = 4 + (first & 4) - (second & 2);
    } else {
        lone = (~second & (1 + (first & 1))) | (second & (4 + (first & 4)));
        from = 4 - (second & 3);
        to = 8 - (second & 6);
    }
    const PackMask near = (arrangement->swapped & to) | (~arrangement->swapped & from);
    const PackMask active = lone | near | (closest->is_on_edge & (from | to));
    return (closest->is_inside & PAIR_ALL_VERTICES) | (~closest->is_inside & active);
}

#endif
