/// The pairs of a frame (reach.h) that serve all motions within its reach: runs of them, each of two owners or of one with itself, sorted by the
/// first and then by the second owner, and within two owners in an order that their trees alone decide. Where few owners have left their reach
/// only their runs are put anew.
#ifndef DEVICE_CPU_CONTACT_PAIR_POOL_H
#define DEVICE_CPU_CONTACT_PAIR_POOL_H

#include "device/cpu/contact/pool_pair.h"

/// Pairs that lie one after the other. Two owners may have several, which follow each other.
typedef struct PairRun {
    int32_t owners[2]; ///< ascending
    size_t first;      ///< in PairPool.pairs
    size_t count;
    size_t place; ///< of its first pair in the order of all
} PairRun;

/// Where motions are so large that it would serve one sweep, there are no pairs: what the trees find of the one motion is looked at once,
/// without being kept.
typedef struct PairPool {
    Reach reach; ///< without pairs: of a pool that could have been made in the last sweep
    PoolPair *pairs;
    PairRun *runs;
    PairRun *found, *merged; ///< room
    size_t run_count;
    size_t count; ///< of pairs in runs
    size_t used;  ///< of `pairs`: those, and those of runs that are no more
    size_t capacity, run_capacity, found_capacity, merged_capacity;
    double
        vain_part; ///< of the pairs that were asked: looked at in vain in the first sweep; negative: there was none yet
    double vain;    ///< pairs looked at in vain since then, beyond that part
    int32_t served; ///< sweeps that it has served, 2 for all numbers from there on; 0: there are no pairs
    int32_t wasted; ///< pools in a row, up to the one before, that have served one sweep
} PairPool;

/// What the trees have found at once, pairs sorted as the pool is.
typedef struct FoundPairs {
    const PoolPair *pairs;
    size_t count;
    size_t first, first_run; ///< where pair_pool_put puts them
} FoundPairs;

/// Says how many of the pairs of which a vertex may move were looked at in a sweep without becoming candidates.
void pair_pool_note_vain(PairPool *pool, size_t asked, size_t vain);
/// Whether all should be put anew: so many were, or were looked at in vain.
bool pair_pool_is_worn(const PairPool *pool);
/// Puts in the pairs of owners of which one is in the reach anew (OwnerReach.is_new) instead of those that were there; where there were none
/// (served 0), all. `found`: `count` of them, one after the other sorted as the pool is. If it fails nothing of the pool is good.
VelaResult pair_pool_put(PairPool *pool, Arena *growing, FoundPairs *found, size_t count, int threads);
/// The run that the pair at a place is in.
size_t pair_pool_run_at(const PairPool *pool, size_t place);

#endif
