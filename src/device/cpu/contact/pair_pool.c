#include "device/cpu/contact/pair_pool.h"

enum { PAIRS_PUT_ALONE = 1024 };

VelaResult pair_pool_create(Arena *arena, const Model *model, Frame frame, PairPool *pool)
{
    *pool = (PairPool){0};
    TRY(reach_create(arena, model, frame, &pool->reach));
    if (!pool->reach.x)
        return VELA_OK;
    TRY(ARENA_ARRAY(arena, pool->runs, (size_t)model->contact.owner_count + 1));
    return ARENA_ARRAY(arena, pool->next, (size_t)model->contact.owner_count + 1);
}

size_t pair_pool_memory(const Model *model, Frame frame)
{
    const size_t reach = reach_memory(model, frame);
    return reach > 0 ? reach + 2 * sizeof(PairRun) * ((size_t)model->contact.owner_count + 1) : 0;
}

static int32_t owner_count(const PairPool *pool)
{
    return pool->reach.model->contact.owner_count;
}

size_t pair_pool_count(const PairPool *pool)
{
    return pool->served > 0 ? pool->runs[owner_count(pool)].place : 0;
}

void pair_pool_note_vain(PairPool *pool, size_t asked, size_t vain)
{
    if (pool->vain_part < 0)
        pool->vain_part = (double)vain / (double)asked;
    pool->vain += fmax(0, (double)vain - pool->vain_part * (double)asked);
}

// Looking at a pair takes about as long as finding it.
bool pair_pool_is_worn(const PairPool *pool)
{
    const size_t count = pair_pool_count(pool);
    return pool->used > 2 * count || pool->vain > (double)count;
}

// ---------------------------------------------------------------- putting

static int32_t second_owner(const PoolPair *pair)
{
    return pair->owners[0] > pair->owners[1] ? pair->owners[0] : pair->owners[1];
}

static size_t run_count(const PairPool *pool, int32_t o)
{
    return pool->served > 0 ? pool->runs[o + 1].place - pool->runs[o].place : 0;
}

// Whether a pair of an owner that is not in the reach anew stays.
static bool stays(const PairPool *pool, const PoolPair *pair)
{
    return !pool->reach.owners[second_owner(pair)].is_new;
}

static size_t count_staying(const PairPool *pool, int32_t o)
{
    const PoolPair *pairs = pool->pairs + (pool->served > 0 ? pool->runs[o].first : 0);
    const size_t count = pool->reach.owners[o].is_new ? 0 : run_count(pool, o);
    size_t staying = 0;
    for (size_t i = 0; i < count; ++i)
        staying += stays(pool, &pairs[i]);
    return staying;
}

// What stays of an owner's run and what was found of it, by the second owner: one that both have is in neither anew and found.
static void merge_run(const PairPool *pool, int32_t o, const FoundPairs *found, const FoundPairs *end,
                      PoolPair *to)
{
    const bool is_new = pool->reach.owners[o].is_new;
    const PoolPair *old = is_new ? NULL : pool->pairs + pool->runs[o].first,
                   *old_end = is_new ? NULL : old + run_count(pool, o);
    size_t taken = 0;
    for (;;) {
        while (old < old_end && !stays(pool, old))
            ++old;
        for (; found < end && taken == found->count; ++found)
            taken = 0;
        if (found == end && old == old_end)
            return;
        const bool from_found =
            old == old_end || (found < end && second_owner(&found->pairs[taken]) < second_owner(old));
        *to++ = from_found ? found->pairs[taken++] : *old++;
    }
}

VelaResult pair_pool_put(PairPool *pool, Arena *growing, const FoundPairs *found, const size_t *first_found,
                         int threads)
{
    const int32_t owners = owner_count(pool);
    PairRun *next = pool->next;
    size_t place = 0;
    if (pool->served == 0) {
        pool->used = 0;
        pool->vain = 0;
        pool->vain_part = -1;
    }
#pragma omp parallel for schedule(static) num_threads(threads) if (pool->used > PAIRS_PUT_ALONE)
    for (int32_t o = 0; o < owners; ++o)
        next[o].place = count_staying(pool, o);
    for (int32_t o = 0; o < owners; ++o) {
        size_t count = next[o].place;
        const bool is_same =
            pool->served > 0 && first_found[o] == first_found[o + 1] && count == run_count(pool, o);
        for (size_t f = first_found[o]; f < first_found[o + 1]; ++f)
            count += found[f].count;
        next[o] = (PairRun){is_same ? pool->runs[o].first : pool->used, place};
        place += count;
        pool->used += is_same ? 0 : count;
    }
    next[owners] = (PairRun){pool->used, place};
    TRY(pool->served > 0
            ? ARENA_GROW(growing, pool->pairs, &pool->capacity, pool->used)
            : ARENA_RENEW(growing, pool->pairs, &pool->capacity, 2 * pool->used)); // until it is worn
#pragma omp parallel for schedule(static) num_threads(threads) if (place > PAIRS_PUT_ALONE)
    for (int32_t o = 0; o < owners; ++o)
        if (run_count(pool, o) == 0 || next[o].first != pool->runs[o].first)
            merge_run(pool, o, found + first_found[o], found + first_found[o + 1],
                      pool->pairs + next[o].first);
    pool->next = pool->runs;
    pool->runs = next;
    return VELA_OK;
}

// ---------------------------------------------------------------- looking

const PoolPair *pair_pool_piece(const PairPool *pool, size_t first, size_t end, size_t *count)
{
    int32_t low = 0, high = owner_count(pool);
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (pool->runs[middle].place <= first)
            low = middle;
        else
            high = middle;
    }
    const size_t run_end = pool->runs[low + 1].place;
    *count = (end < run_end ? end : run_end) - first;
    return pool->pairs + pool->runs[low].first + (first - pool->runs[low].place);
}
