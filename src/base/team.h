/// The threads of one parallel region, which wait for each other without asking the operating system: OpenMP's own barriers ask it to wake threads
/// each time, which takes several times as long as two cores take to see each other's writes (bench/README.md, "Threads that wait for each other").
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/// What different threads write at different times has cache lines of its own.
enum { TEAM_LINE = 64 };

/// Begins as {0}, and is so again, but for `turn`, where a region ends.
typedef struct Team {
    char before[TEAM_LINE];
    atomic_int come; ///< threads that wait
    char between[TEAM_LINE];
    atomic_uint turn; ///< one more each time all have come
    char behind[TEAM_LINE];
} Team;

/// A thread that waits longer than this lets others have its core: there may be fewer cores than threads.
enum { TEAM_SPINS = 10000 };

/// So few iterations that do little, some nanoseconds each, take less time than threads take to meet.
enum { TEAM_LIGHT_LEAST = 4096 };

/// Between two looks at what a thread waits for; so many were in vain.
static inline void team_pause(int spins)
{
    if (spins >= TEAM_SPINS) {
        sched_yield();
        return;
    }
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/// By all threads of a region: none goes on before all have come, and each sees what the others have written.
static inline void team_wait(Team *team)
{
    const int count = omp_get_num_threads();
    if (count == 1)
        return;
    const unsigned turn = atomic_load_explicit(&team->turn, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&team->come, 1, memory_order_acq_rel) == count - 1) {
        atomic_store_explicit(&team->come, 0, memory_order_relaxed);
        atomic_store_explicit(&team->turn, turn + 1, memory_order_release);
        return;
    }
    for (int spins = 0; atomic_load_explicit(&team->turn, memory_order_acquire) == turn; ++spins)
        team_pause(spins);
}

/// What one thread tells others: how often it has come to a point. Begins as {0}.
typedef struct TeamSignal {
    char before[TEAM_LINE];
    atomic_uint count;
    char behind[TEAM_LINE - sizeof(atomic_uint)];
} TeamSignal;

/// By one thread, always the same; what it wrote before is seen by those that await it.
static inline void team_signal(TeamSignal *signal)
{
    const unsigned count = atomic_load_explicit(&signal->count, memory_order_relaxed);
    atomic_store_explicit(&signal->count, count + 1, memory_order_release);
}

static inline unsigned team_signals(const TeamSignal *signal)
{
    return atomic_load_explicit(&signal->count, memory_order_acquire);
}

/// Until there were so many signals, of which no more than those can come before this thread goes on.
static inline void team_await(const TeamSignal *signal, unsigned count)
{
    for (int spins = 0; team_signals(signal) != count; ++spins)
        team_pause(spins);
}

// ---------------------------------------------------------------- loops

/// What a loop does in its iterations first to end - 1.
typedef void TeamRange(void *data, int32_t first, int32_t end);

/// A loop whose iterations may be done in any order: by all threads, each a share; without them where there are no more than `few`, and without a
/// parallel region, which costs libgomp a system call with one thread too.
static inline void team_ranges(int threads, int32_t count, int32_t few, TeamRange *range, void *data)
{
    if (threads == 1 || count <= few) {
        range(data, 0, count);
        return;
    }
#pragma omp parallel num_threads(threads)
    {
        const int64_t own = omp_get_thread_num(), all = omp_get_num_threads();
        range(data, (int32_t)(count * own / all), (int32_t)(count * (own + 1) / all));
    }
}

/// Iterations first to end - 1 of a loop, those that a thread takes first: the same in every such loop, so what they work with is in its caches.
typedef struct TeamShare {
    atomic_int next;
    int32_t end;
    char behind[TEAM_LINE - sizeof(atomic_int) - sizeof(int32_t)];
} TeamShare;

/// More threads than this share shares.
enum { TEAM_SHARES_MOST = 64 };

/// A loop whose iterations threads take `each` at a time, ascending: first those of their own share, then what others have left of theirs.
typedef struct TeamLoop {
    int share_count;
    int32_t each;
    TeamShare shares[TEAM_SHARES_MOST];
} TeamLoop;

static inline void team_loop_set(TeamLoop *loop, int32_t count, int32_t each, int threads)
{
    const int64_t pieces = (count + (int64_t)each - 1) / each;
    loop->share_count = threads < TEAM_SHARES_MOST ? threads : TEAM_SHARES_MOST;
    loop->each = each;
    for (int64_t s = 0; s < loop->share_count; ++s) {
        const int64_t end = pieces * (s + 1) / loop->share_count * each;
        atomic_init(&loop->shares[s].next, (int32_t)(pieces * s / loop->share_count * each));
        loop->shares[s].end = end < count ? (int32_t)end : count;
    }
}

/// A thread's way through a loop: iterations first to end - 1 are its next ones. Begins as {0}.
typedef struct TeamWalk {
    int done; ///< shares of which nothing is left
    int32_t first, end;
} TeamWalk;

/// False where no iteration is left.
static inline bool team_loop_next(TeamLoop *loop, TeamWalk *walk)
{
    for (; walk->done < loop->share_count; ++walk->done) {
        TeamShare *share = &loop->shares[(omp_get_thread_num() + walk->done) % loop->share_count];
        walk->first = atomic_fetch_add_explicit(&share->next, loop->each, memory_order_relaxed);
        walk->end = walk->first + loop->each < share->end ? walk->first + loop->each : share->end;
        if (walk->first < walk->end)
            return true;
    }
    return false;
}

#endif
