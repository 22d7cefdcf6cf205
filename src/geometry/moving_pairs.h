/// Pairs of primitives of which all vertices move along straight lines, eight at a time: whether they may come near each other, their closest
/// points where the motion starts, and whether the features that these are on stay the closest.
#ifndef GEOMETRY_MOVING_PAIRS_H
#define GEOMETRY_MOVING_PAIRS_H

#include "geometry/lasting_features.h"

/// Of lane l. Threads may set lanes side by side, so these are numbers of their own and not Lanes.
typedef struct MovingPairs {
    _Alignas(sizeof(Lanes)) double x[12][LANE_COUNT], p[12][LANE_COUNT]; ///< from x to x + p, 3 a vertex, m
    double reach[LANE_COUNT];                                            ///< m
} MovingPairs;

/// What is told of them. Of those that do not meet nothing else.
typedef struct MovingPairsTold {
    _Alignas(sizeof(Lanes)) int64_t meet[LANE_COUNT]; ///< not 0: they may come within `reach` of each other
    double closer_sq
        [LANE_COUNT]; ///< of the largest relative motion of a vertex of one and a vertex of the other, m^2
    int64_t active[LANE_COUNT];     ///< ClosestPoints.active; 0: not clear, closest_points has to find it
    double distance_sq[LANE_COUNT]; ///< m^2, where `active` is there
    double apart
        [LANE_COUNT]; ///< and how far along r (ClosestPoints) they are from each other where the motion ends, times the length of r, m^2; as `last`
    int64_t last[LANE_COUNT]; ///< not 0: the features stay the closest, which are not the insides of both
    double least_cross_sq[LANE_COUNT]; ///< of two edges: of lasting features packs_least_cross_sq, m^4
} MovingPairsTold;

/// Number `vertex` of a lane's pair moves from x to x + p.
static inline void moving_pairs_set(const double x[3], const double p[3], int vertex, int lane,
                                    MovingPairs *pairs)
{
    for (int k = 0; k < 3; ++k) {
        pairs->x[3 * vertex + k][lane] = x[k];
        pairs->p[3 * vertex + k][lane] = p[k];
    }
}

/// False where at both ends of the motion one is above the other by more than `reach` on the same axis.
LANES_INLINE PackMask packs_ways_meet(const Pack x[12], const Pack p[12], PairKind kind, Pack reach)
{
    PackMask apart = {0};
    for (int k = 0; k < 3; ++k) {
        PackMask above[2]; // of the first primitive, and of the second
        for (int end = 0; end < 2; ++end) {
            Pack at[4];
            for (int c = 0; c < 4; ++c)
                at[c] = end == 0 ? x[3 * c + k] : x[3 * c + k] + p[3 * c + k];
            const Pack last_low = pack_min(at[2], at[3]), last_high = pack_max(at[2], at[3]);
            const bool edges = kind == PAIR_EDGE_EDGE;
            const Pack low[2] = {edges ? pack_min(at[0], at[1]) : at[0],
                                 edges ? last_low : pack_min(at[1], last_low)},
                       high[2] = {edges ? pack_max(at[0], at[1]) : at[0],
                                  edges ? last_high : pack_max(at[1], last_high)};
            for (int side = 0; side < 2; ++side) {
                const PackMask is_above = pack_less(reach, low[side] - high[1 - side]);
                above[side] = end == 0 ? is_above : above[side] & is_above;
            }
        }
        apart |= above[0] | above[1];
    }
    return ~apart;
}

LANES_INLINE Pack packs_closer_sq(const Pack p[12], PairKind kind)
{
    Pack largest = pack_set(0);
    for (int a = 0; a < (int)kind; ++a)
        for (int b = (int)kind; b < 4; ++b) {
            Pack relative[3];
            packs_subtract(p + 3 * a, p + 3 * b, relative);
            largest = pack_max(packs_dot(relative, relative), largest);
        }
    return largest;
}

/// How far the first primitive is above the second along n at the end of the motion, times the length of n. If n is the r of closest points, it
/// is its length at the start, and between these what lies between.
LANES_INLINE Pack packs_apart(const Pack x[12], const Pack p[12], PairKind kind, const Pack n[3])
{
    Pack at[4]; // from vertex 0
    at[0] = pack_set(0);
    for (int c = 1; c < 4; ++c) {
        Pack from[3], way[3];
        packs_subtract(x + 3 * c, x, from);
        packs_subtract(p + 3 * c, p, way);
        for (int k = 0; k < 3; ++k)
            from[k] += way[k];
        at[c] = packs_dot(n, from);
    }
    const Pack last = pack_max(at[2], at[3]);
    return kind == PAIR_EDGE_EDGE ? pack_min(at[0], at[1]) - last : at[0] - pack_max(at[1], last);
}

typedef int64_t MaskOfLanes __attribute__((vector_size(PACK_BYTES), may_alias));

LANES_INLINE void packs_tell(const MovingPairs *pairs, PairKind kind, bool lasting, int part,
                             MovingPairsTold *told)
{
    Pack x[12], p[12], reach;
    packs_load_numbers(pairs->x, part, 12, x);
    packs_load_numbers(pairs->p, part, 12, p);
    packs_load_numbers(&pairs->reach, part, 1, &reach);
    const PackMask meet = packs_ways_meet(x, p, kind, reach);
    ((MaskOfLanes *)told->meet)[part] = meet;
    if (!pack_any(meet))
        return;
    ClosestPacks closest;
    packs_closest(x, kind, &closest);
    ((PackOfLanes *)told->closer_sq)[part] = packs_closer_sq(p, kind);
    ((MaskOfLanes *)told->active)[part] = closest.is_known & packs_active(&closest, kind);
    ((PackOfLanes *)told->distance_sq)[part] = closest.distance_sq;
    if (lasting) {
        const PackMask is_turned = ~closest.is_inside & closest.arrangement.turned[1];
        for (int k = 0; k < 3 && kind == PAIR_EDGE_EDGE; ++k)
            closest.r[k] = pack_select(is_turned, -closest.r[k], closest.r[k]);
        ((PackOfLanes *)told->apart)[part] = packs_apart(x, p, kind, closest.r);
    }
    const PackMask last = lasting ? packs_features_last(x, p, kind, &closest) : (PackMask){0};
    ((MaskOfLanes *)told->last)[part] = last;
    if (kind == PAIR_EDGE_EDGE && pack_any(last))
        ((PackOfLanes *)told->least_cross_sq)[part] = packs_least_cross_sq(x, p);
}

/// Tells of all lanes, which are all of a kind. `lasting`: whether features last is asked, and how far apart the ways are; if not, none do.
static inline void moving_pairs_tell(const MovingPairs *pairs, PairKind kind, bool lasting,
                                     MovingPairsTold *told)
{
    if (kind == PAIR_POINT_TRIANGLE)
        for (int part = 0; part < PACKS_PER_LANES; ++part)
            packs_tell(pairs, PAIR_POINT_TRIANGLE, lasting, part, told);
    else
        for (int part = 0; part < PACKS_PER_LANES; ++part)
            packs_tell(pairs, PAIR_EDGE_EDGE, lasting, part, told);
}

#endif
