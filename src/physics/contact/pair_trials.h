/// Energies of pairs under the barrier (pair_barrier.h) along straight motions, eight at a time, as a line search asks for them: those of
/// pair_barrier_energy, and their derivatives along the motion.
#ifndef PHYSICS_CONTACT_PAIR_TRIALS_H
#define PHYSICS_CONTACT_PAIR_TRIALS_H

#include "geometry/closest_packs.h"

/// Of lane l. Threads may set lanes side by side, so these are numbers of their own and not Lanes.
typedef struct PairTrials {
    _Alignas(sizeof(Lanes)) double x[12][LANE_COUNT], d[12][LANE_COUNT]; ///< at x + s d, 3 a vertex, m
    double stiffness[LANE_COUNT], range[LANE_COUNT], separation[LANE_COUNT],
        parallel_threshold[LANE_COUNT]; ///< PairBarrier
    double gap[LANE_COUNT];             ///< at x, m
    int64_t active
        [LANE_COUNT]; ///< ClosestPoints.active all along the motion: two vertices, or one and an edge. Where they
                      ///< are not known, of no lane
} PairTrials;

typedef struct PairTrialsTold {
    _Alignas(sizeof(Lanes))
        int64_t is_known[LANE_COUNT]; ///< 0: the closest points are not clear, and the rest says nothing
    double before[LANE_COUNT];        ///< at x, J
    double after[LANE_COUNT],
        slope[LANE_COUNT]; ///< at x + s d, J; +infinity where the gap is gone, with a slope of 0
} PairTrialsTold;

typedef struct BarrierPacks {
    Pack value, slope; ///< b, and its derivative times the range; 0 beyond the range
} BarrierPacks;

/// barrier.h, at a gap above 0.
LANES_INLINE BarrierPacks packs_barrier(Pack gap, Pack range)
{
    const Pack y = (gap - range) / range, s = gap / range, rounded = 1.0 + y, away = rounded - 1.0,
               one = pack_set(1), none = pack_set(0);
    const PackMask is_half = pack_less(range, 2 * gap), is_within = pack_less(gap, range),
                   is_exact = pack_equal(away, none);
    // log s, near 1 as pack_log1p has it.
    const Pack logarithm = pack_log(pack_select(is_half, rounded, s)),
               near = pack_select(is_exact, y, logarithm * (y / pack_select(is_exact, one, away))),
               log = pack_select(is_half, near, logarithm);
    return (BarrierPacks){pack_select(is_within, -y * y * log, none),
                          pack_select(is_within, -(2 * y * log + y * y / s), none)};
}

/// mollifier.h: e at y, and its derivative along d. 1 and 0 of edges that are not nearly parallel.
LANES_INLINE Pack packs_mollifier(const Pack y[12], const Pack d[12], Pack threshold, Pack *slope)
{
    Pack u[3], v[3], n[3], du[3], dv[3], a[3], b[3];
    packs_subtract(y + 3, y, u);
    packs_subtract(y + 9, y + 6, v);
    packs_subtract(d + 3, d, du);
    packs_subtract(d + 9, d + 6, dv);
    packs_cross(u, v, n);
    packs_cross(du, v, a);
    packs_cross(u, dv, b);
    const Pack m = packs_dot(n, n) / threshold, change = 2 * (packs_dot(n, a) + packs_dot(n, b));
    const PackMask parallel = pack_less(m, pack_set(1));
    *slope = pack_select(parallel, 2 * (1 - m) / threshold * change, pack_set(0));
    return pack_select(parallel, m * (2 - m), pack_set(1));
}

typedef int64_t MaskOfTrials __attribute__((vector_size(PACK_BYTES), may_alias));

LANES_INLINE void packs_try(const PairTrials *pairs, PairKind kind, bool lasting, double s, int part,
                            PairTrialsTold *told)
{
    Pack x[12], d[12], y[12], stiffness, range, separation, threshold, gap, change[3], unused;
    packs_load_numbers(pairs->x, part, 12, x);
    packs_load_numbers(pairs->d, part, 12, d);
    packs_load_numbers(&pairs->stiffness, part, 1, &stiffness);
    packs_load_numbers(&pairs->range, part, 1, &range);
    packs_load_numbers(&pairs->separation, part, 1, &separation);
    packs_load_numbers(&pairs->parallel_threshold, part, 1, &threshold);
    packs_load_numbers(&pairs->gap, part, 1, &gap);
    for (int i = 0; i < 12; ++i)
        y[i] = x[i] + s * d[i];
    ClosestPacks closest;
    if (lasting)
        packs_closest_of(y, kind, ((const MaskOfTrials *)pairs->active)[part], &closest);
    else
        packs_closest(y, kind, &closest);
    packs_closest_change(d, kind, &closest, change);
    const Pack distance = pack_sqrt(closest.distance_sq), left = distance - separation, none = pack_set(0);
    const PackMask is_gone = pack_less_equal(left, none);
    const BarrierPacks from = packs_barrier(gap, range), to = packs_barrier(left, range);
    Pack before = stiffness * from.value, after = stiffness * to.value,
         slope = stiffness * to.slope / range * (packs_dot(closest.r, change) / distance);
    if (kind == PAIR_EDGE_EDGE) {
        Pack by_mollifier;
        before *= packs_mollifier(x, d, threshold, &unused);
        const Pack e = packs_mollifier(y, d, threshold, &by_mollifier);
        slope = e * slope + by_mollifier * after;
        after *= e;
    }
    ((MaskOfTrials *)told->is_known)[part] = closest.is_known;
    ((PackOfLanes *)told->before)[part] = pack_select(pack_less_equal(gap, none), pack_set(INFINITY), before);
    ((PackOfLanes *)told->after)[part] = pack_select(is_gone, pack_set(INFINITY), after);
    ((PackOfLanes *)told->slope)[part] = pack_select(is_gone, none, slope);
}

/// Tells of all lanes, which are all of a kind; `lasting`: all have features that last.
static inline void pair_trials_tell(const PairTrials *pairs, PairKind kind, bool lasting, double s,
                                    PairTrialsTold *told)
{
    for (int part = 0; part < PACKS_PER_LANES; ++part)
        if (kind == PAIR_POINT_TRIANGLE)
            packs_try(pairs, PAIR_POINT_TRIANGLE, lasting, s, part, told);
        else
            packs_try(pairs, PAIR_EDGE_EDGE, lasting, s, part, told);
}

#endif
