/// What this machine can do at best, measured: arithmetic in doubles at the full width of each instruction set, and memory
/// bandwidth by where the data lies. Benchmarks hold their kernels against these limits. Include in one program file.
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#define _DEFAULT_SOURCE
#include "base/context.h"

#include <omp.h>
#include <stdint.h>
#include <unistd.h>

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

typedef double MachineVector2 __attribute__((vector_size(16)));
typedef double MachineVector4 __attribute__((vector_size(32)));
typedef double MachineVector8 __attribute__((vector_size(64)));

enum { MACHINE_CHAINS = 12 };

// a = a b + c in independent chains: more than latency needs, and few enough for the registers of every instruction set.
// The product and the sum are rounded separately (the build forbids contraction), as in every kernel of vela.
#define MACHINE_ARITHMETIC_BODY(VECTOR)                                                                      \
    const VECTOR zero = {0}, factor = zero + (1 - 0x1p-30), summand = zero + 0x1p-30;                        \
    VECTOR a = zero + 13, b = zero + 2, c = zero + 3, d = zero + 4, e = zero + 5, f = zero + 6;              \
    VECTOR g = zero + 7, h = zero + 8, i = zero + 9, j = zero + 10, k = zero + 11, l = zero + 12;            \
    for (int64_t round = 0; round < rounds; ++round) {                                                       \
        a = a * factor + summand, b = b * factor + summand, c = c * factor + summand;                        \
        d = d * factor + summand, e = e * factor + summand, f = f * factor + summand;                        \
        g = g * factor + summand, h = h * factor + summand, i = i * factor + summand;                        \
        j = j * factor + summand, k = k * factor + summand, l = l * factor + summand;                        \
    }                                                                                                        \
    const VECTOR sum = a + b + c + d + e + f + g + h + i + j + k + l;                                        \
    return sum[0] + sum[1]

static __attribute__((noinline)) double machine_arithmetic_baseline(int64_t rounds)
{
    MACHINE_ARITHMETIC_BODY(MachineVector2);
}

#ifdef VELA_X86_64
static __attribute__((noinline, target("avx2,fma"))) double machine_arithmetic_avx2(int64_t rounds)
{
    MACHINE_ARITHMETIC_BODY(MachineVector4);
}

static __attribute__((noinline, target("avx512f,avx512dq,avx512vl"))) double
machine_arithmetic_avx512(int64_t rounds)
{
    MACHINE_ARITHMETIC_BODY(MachineVector8);
}
#endif

// `*width` becomes the number of doubles in a vector.
static inline double machine_arithmetic_rounds(MachineIsa isa, int64_t rounds, int *width)
{
#ifdef VELA_X86_64
    if (isa == MACHINE_AVX512) {
        *width = 8;
        return machine_arithmetic_avx512(rounds);
    }
    if (isa == MACHINE_AVX2) {
        *width = 4;
        return machine_arithmetic_avx2(rounds);
    }
#endif
    (void)isa;
    *width = 2;
    return machine_arithmetic_baseline(rounds);
}

/// Multiplications and additions a second, counted one each, of all `threads` together; the best of `repeats` tries,
/// which are short, so that some run undisturbed on a machine that has other things to do.
static inline double machine_arithmetic(MachineIsa isa, int threads, int repeats)
{
    enum { ROUNDS = 100000 };
    double best = 0;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        double check = 0, elapsed = 0;
        int width = 0;
#pragma omp parallel num_threads(threads) reduction(+ : check) reduction(max : width, elapsed)
        {
#pragma omp barrier
            const double start = omp_get_wtime();
            check += machine_arithmetic_rounds(isa, ROUNDS, &width);
            elapsed = omp_get_wtime() - start;
        }
        const double rate = 2.0 * width * MACHINE_CHAINS * ROUNDS * threads / elapsed;
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

#endif
