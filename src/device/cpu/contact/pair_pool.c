#include "device/cpu/contact/pair_pool.h"

void pair_pool_note_vain(PairPool *pool, size_t asked, size_t vain)
{
    if (pool->vain_part < 0)
        pool->vain_part = (double)vain / (double)asked;
    pool->vain += fmax(0, (double)vain - pool->vain_part * (double)asked);
}

// Looking at a pair takes about as long as finding it.
bool pair_pool_is_worn(const PairPool *pool)
{
    return pool->used > 2 * pool->count || pool->vain > (double)pool->count;
}

// ---------------------------------------------------------------- putting

// Drops the runs of owners that are in the reach anew.
static void drop_runs(PairPool *pool)
{
    size_t kept = 0;
    for (size_t r = 0; r < pool->run_count; ++r)
        if (!pool->reach.owners[pool->runs[r].owners[0]].is_new &&
            !pool->reach.owners[pool->runs[r].owners[1]].is_new)
            pool->runs[kept++] = pool->runs[r];
    pool->run_count = kept;
}

static PairRun run_from(const PoolPair *pair, size_t first)
{
    const int32_t a = pair->owners[0], b = pair->owners[1];
    return (PairRun){.owners = {a < b ? a : b, a < b ? b : a}, .first = first};
}

static bool is_of(const PairRun *run, const PoolPair *pair)
{
    const int32_t a = pair->owners[0], b = pair->owners[1];
    return (a == run->owners[0] && b == run->owners[1]) || (b == run->owners[0] && a == run->owners[1]);
}

// Splits what was found into runs, whose pairs are to lie from found->first on; returns their number. `runs` NULL: does not write them.
static size_t split_runs(const FoundPairs *found, PairRun *runs)
{
    PairRun run;
    size_t count = 0;
    for (size_t i = 0; i < found->count; ++i) {
        if (i == 0 || !is_of(&run, &found->pairs[i])) {
            run = run_from(&found->pairs[i], found->first + i);
            ++count;
            if (runs)
                runs[count - 1] = run;
        }
        if (runs)
            ++runs[count - 1].count;
    }
    return count;
}

static bool is_before(const PairRun *a, const PairRun *b)
{
    return a->owners[0] < b->owners[0] || (a->owners[0] == b->owners[0] && a->owners[1] < b->owners[1]);
}

// Runs that have stayed and those that were found, which have no owners in common, by their owners.
static void merge_runs(PairPool *pool, size_t found_count)
{
    PairRun *merged = pool->merged;
    const PairRun *old = pool->runs, *old_end = old + pool->run_count, *found = pool->found,
                  *end = found + found_count;
    const size_t capacity = pool->run_capacity;
    pool->run_count = pool->count = 0;
    while (old < old_end || found < end) {
        PairRun *run = &merged[pool->run_count++];
        *run = found == end || (old < old_end && is_before(old, found)) ? *old++ : *found++;
        run->place = pool->count;
        pool->count += run->count;
    }
    pool->merged = pool->runs;
    pool->runs = merged;
    pool->run_capacity = pool->merged_capacity;
    pool->merged_capacity = capacity;
}

VelaResult pair_pool_put(PairPool *pool, Arena *growing, FoundPairs *found, size_t count, int threads)
{
    if (pool->served == 0) {
        pool->used = pool->run_count = 0;
        pool->vain = 0;
        pool->vain_part = -1;
    }
    drop_runs(pool);
#pragma omp parallel for schedule(static) num_threads(threads) if (count > 1)
    for (size_t f = 0; f < count; ++f)
        found[f].first_run = split_runs(&found[f], NULL);
    size_t runs = 0;
    for (size_t f = 0; f < count; ++f) {
        const size_t own = found[f].first_run;
        found[f].first = pool->used;
        found[f].first_run = runs;
        pool->used += found[f].count;
        runs += own;
    }
    TRY(ARENA_GROW_FILLED(growing, pool->pairs, &pool->capacity, pool->used));
    TRY(ARENA_GROW(growing, pool->found, &pool->found_capacity, runs));
    TRY(ARENA_GROW(growing, pool->merged, &pool->merged_capacity, pool->run_count + runs));
#pragma omp parallel for schedule(static) num_threads(threads) if (count > 1)
    for (size_t f = 0; f < count; ++f)
        if (found[f].count > 0) {
            memcpy(pool->pairs + found[f].first, found[f].pairs, found[f].count * sizeof *pool->pairs);
            split_runs(&found[f], pool->found + found[f].first_run);
        }
    merge_runs(pool, runs);
    return VELA_OK;
}

// ---------------------------------------------------------------- looking

size_t pair_pool_run_at(const PairPool *pool, size_t place)
{
    size_t low = 0, high = pool->run_count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (pool->runs[middle].place <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}
