/// The pairs of a frame (reach.h) that serve all motions within its reach: owner by owner, those that it forms with itself or with owners
/// behind it, by the second owner, and within two owners in an order that their trees alone decide. Where few owners have left their reach
/// only their pairs are put anew.
#ifndef DEVICE_CPU_CONTACT_PAIR_POOL_H
#define DEVICE_CPU_CONTACT_PAIR_POOL_H

#include "device/cpu/contact/pool_pair.h"

/// Pairs of an owner: they lie one after the other.
typedef struct PairRun {
    size_t first; ///< in PairPool.pairs
    size_t place; ///< in the order of all
} PairRun;

/// Where motions are so large that it would serve one sweep, there are no pairs: what the trees find of the one motion is looked at once,
/// without being kept.
typedef struct PairPool {
    Reach reach; ///< without pairs: of a pool that could have been made in the last sweep
    PoolPair *pairs;
    PairRun *runs; ///< of every owner, and behind the last one its `place`: their number
    PairRun *next; ///< room
    size_t used;   ///< of `pairs`: runs, and what was left where runs were put anew
    size_t capacity;
    double
        vain_part; ///< of the pairs that were asked: looked at in vain in the first sweep; negative: there was none yet
    double vain;    ///< pairs looked at in vain since then, beyond that part
    int32_t served; ///< sweeps that it has served, 2 for all numbers from there on; 0: there are no pairs
    int32_t wasted; ///< pools in a row, up to the one before, that have served one sweep
} PairPool;

/// What the trees have found, some pairs of one owner.
typedef struct FoundPairs {
    const PoolPair *pairs;
    size_t count;
} FoundPairs;

VelaResult pair_pool_create(Arena *arena, const Model *model, Frame frame, PairPool *pool);
size_t pair_pool_memory(const Model *model, Frame frame);
/// Number of pairs.
size_t pair_pool_count(const PairPool *pool);
/// Says how many of the pairs of which a vertex may move were looked at in a sweep without becoming candidates.
void pair_pool_note_vain(PairPool *pool, size_t asked, size_t vain);
/// Whether all should be put anew: so many were, or were looked at in vain.
bool pair_pool_is_worn(const PairPool *pool);
/// Puts in the pairs of owners of which one is in the reach anew (OwnerReach.is_new) instead of those that were there; where there were none
/// (served 0), all. `found` has them in the pool's order, those of owner o from first_found[o] (owner_count + 1) on.
VelaResult pair_pool_put(PairPool *pool, Arena *growing, const FoundPairs *found, const size_t *first_found,
                         int threads);
/// The pairs from number `first` on, before number `end`, that lie one after the other; *count of them, at least one.
const PoolPair *pair_pool_piece(const PairPool *pool, size_t first, size_t end, size_t *count);

#endif
