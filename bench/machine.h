/// What this machine can do at best, measured: arithmetic in doubles at the full width of each instruction set, and memory
/// bandwidth by where the data lies; and how long threads take to meet. Benchmarks hold their kernels against these limits. Include in one program file.
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif
#include "base/context.h"
#include "base/team.h"

#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <unistd.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

typedef enum MachineIsa { MACHINE_BASELINE, MACHINE_AVX2, MACHINE_AVX512, MACHINE_ISA_COUNT } MachineIsa;

static inline const char *machine_isa_name(MachineIsa isa)
{
    static const char *const names[] = {"baseline", "avx2", "avx512"};
    return names[isa];
}

static inline bool machine_isa_supported(MachineIsa isa)
{
#ifdef VELA_X86_64
    return isa == MACHINE_BASELINE || (isa == MACHINE_AVX2 && __builtin_cpu_supports("avx2")) ||
           (isa == MACHINE_AVX512 && __builtin_cpu_supports("avx512f") &&
            __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"));
#else
    return isa == MACHINE_BASELINE;
#endif
}

// ------------------------------------------------------------------------------------------------ arithmetic

/// What a processor does at rates of their own. Kernels divide single precision in vectors of as many lanes as double ones.
typedef enum MachineOperation {
    MACHINE_ARITHMETIC, ///< additions and multiplications, each rounded: the build forbids contraction
    MACHINE_DIVISION,
    MACHINE_FLOAT_DIVISION,
    MACHINE_ROOT,
    MACHINE_OPERATION_COUNT
} MachineOperation;

static inline const char *machine_operation_name(MachineOperation operation)
{
    static const char *const names[] = {"arithmetic", "division", "float division", "square root"};
    return names[operation];
}

enum { MACHINE_CHAINS = 12 };

// x = STEP(x) in independent chains: more than latency needs, and few enough for the registers of every instruction set.
#define MACHINE_CHAINS_RETURN(VECTOR, STEP)                                                                  \
    {                                                                                                        \
        const VECTOR zero = {0}, factor = zero + (1 - 0x1p-20f), summand = zero + 0x1p-20f;                  \
        VECTOR a = zero + 13, b = zero + 2, c = zero + 3, d = zero + 4, e = zero + 5, f = zero + 6;          \
        VECTOR g = zero + 7, h = zero + 8, i = zero + 9, j = zero + 10, k = zero + 11, l = zero + 12;        \
        for (int64_t round = 0; round < rounds; ++round) {                                                   \
            a = STEP(a), b = STEP(b), c = STEP(c), d = STEP(d), e = STEP(e), f = STEP(f);                    \
            g = STEP(g), h = STEP(h), i = STEP(i), j = STEP(j), k = STEP(k), l = STEP(l);                    \
        }                                                                                                    \
        const VECTOR sum = (a + b + c + d + e + f + g + h + i + j + k + l) * factor + summand;               \
        return (double)(sum[0] + sum[1]);                                                                    \
    }
#define MACHINE_STEP_ARITHMETIC(x) (x) * factor + summand
#define MACHINE_STEP_DIVISION(x) factor / (x)

// One function for each instruction set: ROOT(x) is its square root of a vector.
#define MACHINE_DEFINE(isa, attributes, VECTOR, FLOAT_VECTOR, ROOT)                                          \
    static __attribute__(attributes) double machine_run_##isa(MachineOperation operation, int64_t rounds)    \
    {                                                                                                        \
        switch (operation) {                                                                                 \
        case MACHINE_DIVISION:                                                                               \
            MACHINE_CHAINS_RETURN(VECTOR, MACHINE_STEP_DIVISION)                                             \
        case MACHINE_FLOAT_DIVISION:                                                                         \
            MACHINE_CHAINS_RETURN(FLOAT_VECTOR, MACHINE_STEP_DIVISION)                                       \
        case MACHINE_ROOT:                                                                                   \
            MACHINE_CHAINS_RETURN(VECTOR, ROOT)                                                              \
        default:                                                                                             \
            MACHINE_CHAINS_RETURN(VECTOR, MACHINE_STEP_ARITHMETIC)                                           \
        }                                                                                                    \
    }

typedef double MachineVector2 __attribute__((vector_size(16)));
typedef float MachineFloats2 __attribute__((vector_size(8)));
#if defined(__SSE2__)
#define MACHINE_ROOT_BASELINE(x) (MachineVector2) _mm_sqrt_pd((__m128d)(x + summand))
#else
#define MACHINE_ROOT_BASELINE(x)                                                                             \
    (MachineVector2)                                                                                         \
    {                                                                                                        \
        sqrt(x[0] + summand[0]), sqrt(x[1] + summand[1])                                                     \
    }
#endif
MACHINE_DEFINE(baseline, (noinline), MachineVector2, MachineFloats2, MACHINE_ROOT_BASELINE)

#ifdef VELA_X86_64
typedef double MachineVector4 __attribute__((vector_size(32)));
typedef float MachineFloats4 __attribute__((vector_size(16)));
#define MACHINE_ROOT_AVX2(x) (MachineVector4) _mm256_sqrt_pd((__m256d)(x + summand))
MACHINE_DEFINE(avx2, (noinline, target("avx2,fma")), MachineVector4, MachineFloats4, MACHINE_ROOT_AVX2)

typedef double MachineVector8 __attribute__((vector_size(64)));
typedef float MachineFloats8 __attribute__((vector_size(32)));
#define MACHINE_ROOT_AVX512(x) (MachineVector8) _mm512_sqrt_pd((__m512d)(x + summand))
MACHINE_DEFINE(avx512, (noinline, target("avx512f,avx512dq,avx512vl")), MachineVector8, MachineFloats8,
               MACHINE_ROOT_AVX512)
#endif

// `*width` becomes the number of lanes in a vector.
static inline double machine_run(MachineIsa isa, MachineOperation operation, int64_t rounds, int *width)
{
#ifdef VELA_X86_64
    if (isa == MACHINE_AVX512) {
        *width = 8;
        return machine_run_avx512(operation, rounds);
    }
    if (isa == MACHINE_AVX2) {
        *width = 4;
        return machine_run_avx2(operation, rounds);
    }
#endif
    (void)isa;
    *width = 2;
    return machine_run_baseline(operation, rounds);
}

/// Operations a second of all `threads` together, additions and multiplications counted one each; the best of `repeats`
/// tries, which are short, so that some run undisturbed on a machine that has other things to do.
static inline double machine_rate(MachineIsa isa, MachineOperation operation, int threads, int repeats)
{
    const int64_t rounds = operation == MACHINE_ARITHMETIC ? 100000 : 10000;
    const double operations = operation == MACHINE_ARITHMETIC ? 2 : 1;
    double best = 0;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        double check = 0, elapsed = 0;
        int width = 0;
#pragma omp parallel num_threads(threads) reduction(+ : check) reduction(max : width, elapsed)
        {
#pragma omp barrier
            const double start = omp_get_wtime();
            check += machine_run(isa, operation, rounds, &width);
            elapsed = omp_get_wtime() - start;
        }
        const double rate = operations * width * MACHINE_CHAINS * (double)(rounds * threads) / elapsed;
        // The check keeps the work from being optimised away; it is finite by construction.
        best = check > 0 && rate > best ? rate : best;
    }
    return best;
}

// ------------------------------------------------------------------------------------------------ bandwidth

typedef enum MachineLevel { MACHINE_L2, MACHINE_L3, MACHINE_DRAM, MACHINE_LEVEL_COUNT } MachineLevel;

static inline const char *machine_level_name(MachineLevel level)
{
    static const char *const names[] = {"L2", "L3", "DRAM"};
    return names[level];
}

/// Bytes that all `threads` together work on so that the data lies in that level: half of the L2 of each; four times all
/// L2, or an eighth of L3 where that is more; four times L3.
static inline size_t machine_level_bytes(MachineLevel level, int threads)
{
    long l2 = -1, l3 = -1;
#ifdef _SC_LEVEL2_CACHE_SIZE
    l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
    l3 = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
    const size_t second = l2 > 0 ? (size_t)l2 : (size_t)1 << 20,
                 third = l3 > 0 ? (size_t)l3 : (size_t)32 << 20;
    const size_t four_second = 4 * second * (size_t)threads, eighth_third = third / 8;
    return level == MACHINE_L2   ? second * (size_t)threads / 2
           : level == MACHINE_L3 ? (four_second > eighth_third ? four_second : eighth_third)
                                 : 4 * third;
}

static __attribute__((noinline)) void machine_triad_pass(double *a, const double *b, const double *c,
                                                         int64_t count)
{
    const double scale = 3;
#pragma omp simd simdlen(8)
    for (int64_t i = 0; i < count; ++i)
        a[i] = b[i] + scale * c[i];
}

#ifdef VELA_X86_64
static __attribute__((noinline, target("avx512f"))) void
machine_triad_pass_avx512(double *a, const double *b, const double *c, int64_t count)
{
    const double scale = 3;
#pragma omp simd simdlen(8)
    for (int64_t i = 0; i < count; ++i)
        a[i] = b[i] + scale * c[i];
}
#endif

static inline void machine_triad_any(double *a, const double *b, const double *c, int64_t count)
{
#ifdef VELA_X86_64
    if (machine_isa_supported(MACHINE_AVX512)) {
        machine_triad_pass_avx512(a, b, c, count);
        return;
    }
#endif
    machine_triad_pass(a, b, c, count);
}

/// Stream triad a = b + s c over `bytes` in all, split among `threads`: bytes a second, 24 for each element (what the
/// write reads before it, where it does, is not counted). The best of `repeats` tries; 0 where memory is missing.
static inline double machine_triad(VelaContext *context, size_t bytes, int threads, int repeats)
{
    const int64_t count = (int64_t)(bytes / (3 * sizeof(double)) / (size_t)threads / 8 * 8),
                  all = count * threads;
    double *a = context_allocate(context, (size_t)all * sizeof *a);
    double *b = context_allocate(context, (size_t)all * sizeof *b);
    double *c = context_allocate(context, (size_t)all * sizeof *c);
    double best = 0;
    // Short passes are repeated within a try, until about 40 MB have moved.
    const int64_t passes = 1 + (int64_t)40000000 / (all * 24);
    for (int repeat = 0; a && b && c && repeat <= repeats; ++repeat) {
        double elapsed = 0;
#pragma omp parallel num_threads(threads) reduction(max : elapsed)
        {
            const int64_t first = count * omp_get_thread_num();
#pragma omp barrier
            const double start = omp_get_wtime();
            for (int64_t pass = 0; pass < passes; ++pass)
                machine_triad_any(a + first, b + first, c + first, count);
            elapsed = omp_get_wtime() - start;
        }
        // The first try brings the pages in.
        const double rate = 24.0 * (double)all * (double)passes / elapsed;
        best = repeat > 0 && rate > best ? rate : best;
    }
    context_free(context, a);
    context_free(context, b);
    context_free(context, c);
    return best;
}

/// How threads meet: at the begin and end of a parallel region, at OpenMP's barrier, at a team's.
typedef enum MachineMeeting {
    MACHINE_REGION,
    MACHINE_BARRIER,
    MACHINE_TEAM,
    MACHINE_MEETING_COUNT
} MachineMeeting;

static inline const char *machine_meeting_name(MachineMeeting meeting)
{
    static const char *const names[MACHINE_MEETING_COUNT] = {"region", "barrier", "team"};
    return names[meeting];
}

static inline void machine_meet(MachineMeeting meeting, int threads, int times)
{
    Team team = {0};
    for (int i = 0; meeting == MACHINE_REGION && i < times; ++i) {
#pragma omp parallel num_threads(threads)
        __asm__ volatile("" ::: "memory");
    }
    if (meeting == MACHINE_REGION)
        return;
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < times; ++i) {
        if (meeting == MACHINE_TEAM)
            team_wait(&team);
        else {
#pragma omp barrier
        }
    }
}

/// Seconds that one takes, of the best of `repeats` tries.
static inline double machine_meeting(MachineMeeting meeting, int threads, int repeats)
{
    enum { TIMES = 2000 };
    double best = INFINITY;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        const double start = omp_get_wtime();
        machine_meet(meeting, threads, TIMES);
        best = fmin(best, (omp_get_wtime() - start) / TIMES);
    }
    return best;
}

#endif
