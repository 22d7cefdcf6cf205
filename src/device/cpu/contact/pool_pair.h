/// A pair of primitives that trees have found near each other, and what makes a candidate of it in one motion. Each knows how much
/// closer it has to come before it is worth a look.
#ifndef DEVICE_CPU_CONTACT_POOL_PAIR_H
#define DEVICE_CPU_CONTACT_POOL_PAIR_H

#include "device/cpu/contact/candidate.h"
#include "device/cpu/contact/reach.h"

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
    const double *rest; ///< the vertices in the rest shape
    const double *x, *p;
} PoolView;

/// Sets the slack of a new pair; `rest`: the vertices in the rest shape. False: no motion that is allowed makes a candidate of it.
bool pool_pair_begin(const Reach *reach, const double *rest, PoolPair *pair);
/// Whether the pair may come within its range in the motion, or CCD has to look at it: then *candidate is what it is. That depends on
/// the motion alone, not on the reach.
bool pool_pair_candidate(const PoolView *view, const PoolPair *pair, Candidate *candidate);
/// The same of a pair that is in no pool: boxes around the motions of its primitives meet, as reach_swept has them.
bool pool_pair_met(const PoolView *view, const PoolPair *pair, Candidate *candidate);

#endif
