/// A pair of primitives that trees have found near each other, and what makes a candidate of it in one motion. Each knows how much
/// closer it has to come before it is worth a look.
#ifndef DEVICE_CPU_CONTACT_POOL_PAIR_H
#define DEVICE_CPU_CONTACT_POOL_PAIR_H

#include "device/cpu/contact/candidate.h"
#include "device/cpu/contact/reach.h"
#include "device/cpu/kernels.h"

/// A pair that may touch on a motion that the reach allows.
typedef struct PoolPair {
    int32_t vertices[4], owners[2];
    double area;  ///< of the contact, m^2
    float slack;  ///< it is no candidate before the primitives have come this much closer, m
    uint8_t kind; ///< CandidateKind
} PoolPair;

/// A motion from x to x + p of all vertices (3 a vertex, m; p NULL: none), which the reach has measured last and holds.
typedef struct PoolView {
    const Reach *reach;
    const Kernels *kernels;
    const double *rest;  ///< the vertices in the rest shape
    const double *x, *p; ///< x NULL: all that the reach allows
} PoolView;

enum { POOL_PAIRS_MOST = 240 };

/// Whether any of the vertices of a new pair is free to move: else none makes a candidate of it.
bool pool_pair_is_free(const PoolView *view, const int32_t vertices[4]);
/// Of at most POOL_PAIRS_MOST new pairs keeps those that a motion which is allowed makes candidates (room for all), with their slack and in
/// their order; returns how many.
int pool_pairs_begin(const PoolView *view, const PoolPair *pairs, int count, PoolPair *kept);
/// Whether the motion may bring the pair of a pool together.
bool pool_pair_is_near(const PoolView *view, const PoolPair *pair);
/// Which of at most POOL_PAIRS_MOST pairs may come within their range in the motion, or CCD has to look at them: they become `candidates`
/// (room for all), in their order; returns how many. That depends on the motion alone: not on the reach, nor on the other pairs. Pairs that are
/// in no pool have boxes around the motions of their primitives that meet, as reach_swept has them.
int pool_pairs_consider(const PoolView *view, const PoolPair *pairs, int count, Candidate *candidates);

#endif
