/// Eight doubles that are computed together: the unit in which the CPU path stores and evaluates elements.
///
/// Lanes and Pack are GCC/clang vector types, so `a * b + 1.0` works as for double and compiles to SSE2, AVX2
/// or AVX-512, whichever the translation unit is built for (device/cpu builds its kernels once for each, see
/// CMakeLists.txt). Every operation is exactly rounded or built from such, so all instruction sets give the
/// same bits. Pass both by pointer or inline: the ABI of vector arguments depends on the instruction set.
///
/// Lanes are eight everywhere. A Pack is as many of them as one register holds, 2, 4 or 8; the formulas are
/// written in it, because GCC keeps vectors wider than a register in memory once they are compared, selected
/// or reinterpreted. Compare with lanes_less, pack_less and their kin, not with `<`: on Lanes GCC makes eight
/// scalar comparisons of it.
#ifndef BASE_LANES_H
#define BASE_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#if defined(__AVX__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h> // immintrin.h takes the compiler half a second, in every file
#endif

enum { LANE_COUNT = 8 };

typedef double Lanes __attribute__((vector_size(8 * sizeof(double))));
/// Result of a comparison: all bits set in a lane where it holds, else 0.
typedef int64_t LaneMask __attribute__((vector_size(8 * sizeof(int64_t))));

#define LANES_INLINE static inline __attribute__((always_inline))
/// What is long and seldom run: inlined wherever it is called, it would take the compiler minutes.
#define LANES_OUTLINE static __attribute__((noinline, unused))

// ---------------------------------------------------------------- packs: lanes in one register
#if defined(__AVX512F__)
#define PACK_BYTES 64
#elif defined(__AVX__)
#define PACK_BYTES 32
#else
#define PACK_BYTES 16
#endif
typedef double Pack __attribute__((vector_size(PACK_BYTES)));
typedef int64_t PackMask __attribute__((vector_size(PACK_BYTES)));
typedef uint64_t PackBits __attribute__((vector_size(PACK_BYTES)));
/// A pack inside Lanes.
typedef double PackOfLanes __attribute__((vector_size(PACK_BYTES), may_alias));

enum { PACK_COUNT = PACK_BYTES / 8, PACKS_PER_LANES = LANE_COUNT / PACK_COUNT };

/// So many floats as doubles, one by one: of __builtin_convertvector gcc 12 makes four instructions for AVX-512 and three for four floats where there is one.
#define WIDEN_2(f) (f)[0], (f)[1]
#define WIDEN_4(f) WIDEN_2(f), (f)[2], (f)[3]
#define WIDEN_8(f) WIDEN_4(f), (f)[4], (f)[5], (f)[6], (f)[7]
#if PACK_BYTES == 64
#define WIDEN_PACK(f) WIDEN_8(f)
#elif PACK_BYTES == 32
#define WIDEN_PACK(f) WIDEN_4(f)
#else
#define WIDEN_PACK(f) WIDEN_2(f)
#endif

#if PACK_BYTES == 64
#define LANES_MAP1(operation, a) operation(a)
#define LANES_MAP2(operation, a, b) operation(a, b)
#define LANES_MAP3(operation, a, b, c) operation(a, b, c)
#elif PACK_BYTES == 32
#define LANES_LOW(a) __builtin_shufflevector(a, a, 0, 1, 2, 3)
#define LANES_HIGH(a) __builtin_shufflevector(a, a, 4, 5, 6, 7)
#define LANES_JOIN(low, high) __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7)
#define LANES_MAP1(operation, a) LANES_JOIN(operation(LANES_LOW(a)), operation(LANES_HIGH(a)))
#define LANES_MAP2(operation, a, b)                                                                          \
    LANES_JOIN(operation(LANES_LOW(a), LANES_LOW(b)), operation(LANES_HIGH(a), LANES_HIGH(b)))
#define LANES_MAP3(operation, a, b, c)                                                                       \
    LANES_JOIN(operation(LANES_LOW(a), LANES_LOW(b), LANES_LOW(c)),                                          \
               operation(LANES_HIGH(a), LANES_HIGH(b), LANES_HIGH(c)))
#else
#define LANES_PAIR(a, i) __builtin_shufflevector(a, a, 2 * (i), 2 * (i) + 1)
#define LANES_JOIN(p0, p1, p2, p3)                                                                           \
    __builtin_shufflevector(__builtin_shufflevector(p0, p1, 0, 1, 2, 3),                                     \
                            __builtin_shufflevector(p2, p3, 0, 1, 2, 3), 0, 1, 2, 3, 4, 5, 6, 7)
#define LANES_MAP1(operation, a)                                                                             \
    LANES_JOIN(operation(LANES_PAIR(a, 0)), operation(LANES_PAIR(a, 1)), operation(LANES_PAIR(a, 2)),        \
               operation(LANES_PAIR(a, 3)))
#define LANES_MAP2(operation, a, b)                                                                          \
    LANES_JOIN(operation(LANES_PAIR(a, 0), LANES_PAIR(b, 0)), operation(LANES_PAIR(a, 1), LANES_PAIR(b, 1)), \
               operation(LANES_PAIR(a, 2), LANES_PAIR(b, 2)), operation(LANES_PAIR(a, 3), LANES_PAIR(b, 3)))
#define LANES_MAP3(operation, a, b, c)                                                                       \
    LANES_JOIN(operation(LANES_PAIR(a, 0), LANES_PAIR(b, 0), LANES_PAIR(c, 0)),                              \
               operation(LANES_PAIR(a, 1), LANES_PAIR(b, 1), LANES_PAIR(c, 1)),                              \
               operation(LANES_PAIR(a, 2), LANES_PAIR(b, 2), LANES_PAIR(c, 2)),                              \
               operation(LANES_PAIR(a, 3), LANES_PAIR(b, 3), LANES_PAIR(c, 3)))
#endif

/// Copies part `part` (0 to PACKS_PER_LANES - 1) of `count` lanes into as many packs.
LANES_INLINE void packs_load(const Lanes *lanes, int part, int count, Pack *packs)
{
    for (int i = 0; i < count; ++i)
        packs[i] = ((const PackOfLanes *)(lanes + i))[part];
}

/// The way back of packs_load.
LANES_INLINE void packs_store(const Pack *packs, int part, int count, Lanes *lanes)
{
    for (int i = 0; i < count; ++i)
        ((PackOfLanes *)(lanes + i))[part] = packs[i];
}

LANES_INLINE Pack pack_set(double value)
{
    return value - (Pack){0};
}

LANES_INLINE PackMask pack_less(Pack a, Pack b)
{
    return (PackMask)(a < b);
}

LANES_INLINE PackMask pack_less_equal(Pack a, Pack b)
{
    return (PackMask)(a <= b);
}

LANES_INLINE PackMask pack_equal(Pack a, Pack b)
{
    return (PackMask)(a == b);
}

LANES_INLINE Pack pack_select(PackMask mask, Pack a, Pack b)
{
    return (Pack)(((PackMask)a & mask) | ((PackMask)b & ~mask));
}

LANES_INLINE Pack pack_max(Pack a, Pack b)
{
    return pack_select(pack_less(b, a), a, b);
}

LANES_INLINE Pack pack_min(Pack a, Pack b)
{
    return pack_select(pack_less(a, b), a, b);
}

LANES_INLINE Pack pack_abs(Pack a)
{
    return (Pack)((PackMask)a & INT64_MAX);
}

/// `a`, negated where `sign` is negative.
LANES_INLINE Pack pack_flip_sign(Pack a, Pack sign)
{
    return (Pack)((PackMask)a ^ ((PackMask)sign & INT64_MIN));
}

LANES_INLINE Pack pack_copysign(Pack a, Pack sign)
{
    return (Pack)(((PackMask)a & INT64_MAX) | ((PackMask)sign & INT64_MIN));
}

LANES_INLINE bool pack_any(PackMask mask)
{
#if PACK_BYTES == 64
    return _mm512_test_epi64_mask((__m512i)mask, (__m512i)mask) != 0;
#elif PACK_BYTES == 32
    return _mm256_movemask_pd((__m256d)mask) != 0;
#elif defined(__SSE2__)
    return _mm_movemask_pd((__m128d)mask) != 0;
#else
    return (mask[0] | mask[1]) != 0;
#endif
}

LANES_INLINE Pack pack_sqrt(Pack a)
{
#if PACK_BYTES == 64
    return (Pack)_mm512_sqrt_pd((__m512d)a);
#elif PACK_BYTES == 32
    return (Pack)_mm256_sqrt_pd((__m256d)a);
#elif defined(__SSE2__)
    return (Pack)_mm_sqrt_pd((__m128d)a);
#else
    return (Pack){__builtin_sqrt(a[0]), __builtin_sqrt(a[1])};
#endif
}

/// The sum over eight lanes in three steps, each of which adds lanes that are half as far apart: those for lanes in different packs.
LANES_INLINE Pack packs_fold(const Pack packs[PACKS_PER_LANES])
{
#if PACK_BYTES == 64
    return packs[0];
#elif PACK_BYTES == 32
    return packs[0] + packs[1];
#else
    return (packs[0] + packs[2]) + (packs[1] + packs[3]);
#endif
}

#if PACK_BYTES == 64
LANES_INLINE Pack packs_join_fours(Pack a, Pack b)
{
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11) +
           __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
}

LANES_INLINE Pack packs_join_twos(Pack a, Pack b)
{
    return __builtin_shufflevector(a, b, 0, 1, 4, 5, 8, 9, 12, 13) +
           __builtin_shufflevector(a, b, 2, 3, 6, 7, 10, 11, 14, 15);
}

LANES_INLINE Pack packs_join_ones(Pack a, Pack b)
{
    return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14) +
           __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
}
#elif PACK_BYTES == 32
LANES_INLINE Pack packs_join_twos(Pack a, Pack b)
{
    return __builtin_shufflevector(a, b, 0, 1, 4, 5) + __builtin_shufflevector(a, b, 2, 3, 6, 7);
}

LANES_INLINE Pack packs_join_ones(Pack a, Pack b)
{
    return __builtin_shufflevector(a, b, 0, 2, 4, 6) + __builtin_shufflevector(a, b, 1, 3, 5, 7);
}
#else
LANES_INLINE Pack packs_join_ones(Pack a, Pack b)
{
    return __builtin_shufflevector(a, b, 0, 2) + __builtin_shufflevector(a, b, 1, 3);
}
#endif

/// Lane l: the sum over the lanes of packs[l], each of which packs_fold has made of eight.
LANES_INLINE Pack packs_sum_lanes(const Pack packs[PACK_COUNT])
{
#if PACK_BYTES == 64
    return packs_join_ones(
        packs_join_twos(packs_join_fours(packs[0], packs[1]), packs_join_fours(packs[2], packs[3])),
        packs_join_twos(packs_join_fours(packs[4], packs[5]), packs_join_fours(packs[6], packs[7])));
#elif PACK_BYTES == 32
    return packs_join_ones(packs_join_twos(packs[0], packs[1]), packs_join_twos(packs[2], packs[3]));
#else
    return packs_join_ones(packs[0], packs[1]);
#endif
}

/// x = 2^k m, m in [sqrt(1/2), sqrt(2)); with f = m - 1, t = f/(2+f): log m = 2 atanh t = f - f^2/2 + t
/// (f^2/2 + R(t^2)), R the minimax polynomial of 2 (atanh(t) - t)/t, its error below 2e-18 of log m.
LANES_INLINE Pack pack_log(Pack x)
{
    const uint64_t sqrt_half = 0x3fe6a09e667f3bcdULL, one = 0x3ff0000000000000ULL,
                   mantissa = 0x000fffffffffffffULL;
    const PackMask subnormal = pack_less(x, pack_set(0x1p-1022));
    const PackBits bits = (PackBits)pack_select(subnormal, x * 0x1p54, x) + (one - sqrt_half);
    const Pack m = (Pack)((bits & mantissa) + sqrt_half);
    // The exponent becomes a double by placing it in the low bits of 2^52.
    const Pack bias = pack_select(subnormal, pack_set(0x1p52 + 1023 + 54), pack_set(0x1p52 + 1023));
    const Pack k = (Pack)((bits >> 52) | 0x4330000000000000ULL) - bias;

    const Pack f = m - 1.0, t = f / (2.0 + f), z = t * t, z2 = z * z;
    const Pack even = 0x1.5555555555593p-1 +
                      z2 * (0x1.2492494204432p-2 + z2 * (0x1.7466428857142p-3 + z2 * 0x1.2f0978de8d5a8p-3));
    const Pack odd = 0x1.999999997fc78p-2 + z2 * (0x1.c71c51f8bb628p-3 + z2 * 0x1.39a157f88fb5ap-3);
    const Pack r = z * (even + z * odd), half_square = 0.5 * f * f;
    const Pack low = k * 0x1.a39ef35793c76p-33, high = k * 0x1.62e42feep-1;
    Pack result = high - ((half_square - (t * (half_square + r) + low)) - f);

    result = pack_select(pack_equal(x, pack_set(0.0)), pack_set(-INFINITY), result);
    // Infinity and NaN stay as they are.
    result = pack_select(pack_less_equal(x, pack_set(0x1.fffffffffffffp1023)), result, x);
    return pack_select(pack_less(x, pack_set(0.0)), pack_set(NAN), result);
}

/// log(1 + x) to a few ulp, also for small x (Kahan): the logarithm of 1 + x as it is rounded, times x over what that is away
/// from 1.
LANES_INLINE Pack pack_log1p(Pack x)
{
    const Pack rounded = 1.0 + x, away = rounded - 1.0;
    const PackMask none = pack_equal(away, pack_set(0.0));
    return pack_select(none, x, pack_log(rounded) * (x / pack_select(none, pack_set(1.0), away)));
}

/// The angle of (x, y), from -pi to pi, to a few ulp; 0 for (0, 0). Halved twice it is at most pi/8, where atan t = t P(t^2), P the
/// minimax polynomial, its error below 1.3e-18.
LANES_INLINE Pack pack_atan2(Pack y, Pack x)
{
    static const double coefficients[12] = {
        1.0,
        -0.33333333333333121163,
        0.19999999999940891462,
        -0.14285714279250244942,
        0.11111110744919658237,
        -0.090908968090640270761,
        0.076920453309022249521,
        -0.066629518136291900881,
        0.058468782973308725201,
        -0.050351024566015518428,
        0.037965257453865936236,
        -0.017805397205419445228,
    };
    const Pack zero = pack_set(0.0), size = pack_sqrt(x * x + y * y), sum = size + pack_abs(x);
    const Pack half = pack_select(pack_less(zero, sum), pack_abs(y) / sum, zero);
    const Pack t = half / (1.0 + pack_sqrt(1.0 + half * half)), z = t * t;
    Pack p = pack_set(coefficients[11]);
    for (int k = 10; k >= 0; --k)
        p = p * z + coefficients[k];
    const Pack angle = 4.0 * (t * p);
    const Pack result = pack_select(pack_less(x, zero), 3.14159265358979323846 - angle, angle);
    return pack_copysign(result, y);
}

/// x = k log 2 + r, |r| <= log(2)/2, e^r = 1 + r + r^2 Q(r) with Q a minimax polynomial; its error below
/// 4e-18.
LANES_INLINE Pack pack_exp(Pack x)
{
    const double round = 0x1.8p52; // adding and taking away 1.5 * 2^52 rounds to an integer
    const Pack bounded = pack_min(pack_max(x, pack_set(-760.0)), pack_set(720.0));
    const Pack k = (bounded * 0x1.71547652b82fep0 + round) - round;
    const Pack high = bounded - k * 0x1.62e42feep-1, low = k * 0x1.a39ef35793c76p-33, r = high - low;

    const Pack r2 = r * r;
    const Pack even =
        0x1.000000000000ap-1 +
        r2 * (0x1.555555555083fp-5 +
              r2 * (0x1.6c16c184388eap-10 + r2 * (0x1.a01999e2b7996p-16 + r2 * 0x1.28ad9b3ef270ap-22)));
    const Pack odd =
        0x1.55555555554f9p-3 +
        r2 * (0x1.1111111127d10p-7 +
              r2 * (0x1.a01a012a0e024p-13 + r2 * (0x1.71df25b66c100p-19 + r2 * 0x1.ad7f393e8862fp-26)));
    const Pack value = 1.0 + (high - (low - r2 * (even + r * odd)));

    // 2^k in two factors, since 2^k alone may be out of range while the result, or its subnormal rounding, is
    // not.
    const Pack k0 = (k * 0.5 + round) - round, k1 = k - k0;
    const Pack factor0 = (Pack)((PackBits)(k0 + (0x1p52 + 1023)) << 52);
    const Pack factor1 = (Pack)((PackBits)(k1 + (0x1p52 + 1023)) << 52);
    return pack_select(pack_equal(x, x), value * factor0 * factor1, x);
}

// ---------------------------------------------------------------- making, comparing, choosing
LANES_INLINE Lanes lanes_set(double value)
{
    return value - (Lanes){0};
}

LANES_INLINE LaneMask lanes_less(Lanes a, Lanes b)
{
    return LANES_MAP2(pack_less, a, b);
}

LANES_INLINE LaneMask lanes_less_equal(Lanes a, Lanes b)
{
    return LANES_MAP2(pack_less_equal, a, b);
}

LANES_INLINE LaneMask lanes_greater(Lanes a, Lanes b)
{
    return lanes_less(b, a);
}

LANES_INLINE LaneMask lanes_greater_equal(Lanes a, Lanes b)
{
    return lanes_less_equal(b, a);
}

LANES_INLINE LaneMask lanes_equal(Lanes a, Lanes b)
{
    return LANES_MAP2(pack_equal, a, b);
}

/// mask ? a : b, lane by lane.
LANES_INLINE Lanes lanes_select(LaneMask mask, Lanes a, Lanes b)
{
    return LANES_MAP3(pack_select, mask, a, b);
}

LANES_INLINE bool lanes_any(LaneMask mask)
{
#if PACK_BYTES == 64
    return pack_any(mask);
#elif PACK_BYTES == 32
    return pack_any(LANES_LOW(mask) | LANES_HIGH(mask));
#else
    return pack_any((LANES_PAIR(mask, 0) | LANES_PAIR(mask, 1)) |
                    (LANES_PAIR(mask, 2) | LANES_PAIR(mask, 3)));
#endif
}

/// The larger one; b where either is NaN.
LANES_INLINE Lanes lanes_max(Lanes a, Lanes b)
{
    return LANES_MAP2(pack_max, a, b);
}

/// The smaller one; b where either is NaN.
LANES_INLINE Lanes lanes_min(Lanes a, Lanes b)
{
    return LANES_MAP2(pack_min, a, b);
}

LANES_INLINE Lanes lanes_abs(Lanes a)
{
    return LANES_MAP1(pack_abs, a);
}

/// |a| with the sign of `sign`.
LANES_INLINE Lanes lanes_copysign(Lanes a, Lanes sign)
{
    return LANES_MAP2(pack_copysign, a, sign);
}

LANES_INLINE Lanes lanes_sqrt(Lanes a)
{
    return LANES_MAP1(pack_sqrt, a);
}

/// Natural logarithm, within 1 ulp. log(0) = -inf, log(inf) = inf, NaN for negative numbers and NaN.
LANES_INLINE Lanes lanes_log(Lanes a)
{
    return LANES_MAP1(pack_log, a);
}

/// e^a, within 1 ulp; overflows to inf, underflows through the subnormal numbers to 0.
LANES_INLINE Lanes lanes_exp(Lanes a)
{
    return LANES_MAP1(pack_exp, a);
}

LANES_INLINE Lanes lanes_atan2(Lanes y, Lanes x)
{
    return LANES_MAP2(pack_atan2, y, x);
}

/// Sum of the eight lanes.
static inline double lanes_sum(Lanes a)
{
    return ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]));
}

#endif
