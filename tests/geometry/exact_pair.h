/// A moving pair of primitives in exact arithmetic (GMP integers), for proofs about distances and collision detection.
///
/// Nothing here computes a distance. That two primitives are farther apart than a bound is proved by a direction that
/// separates them, that they are nearer by two points of them; both are only checked, exactly, so it does not matter
/// where they come from. A direction that separates at two times separates at all times between, since everything is
/// linear in t for a fixed direction.
#ifndef TESTS_EXACT_PAIR_H
#define TESTS_EXACT_PAIR_H

#include "geometry/ccd.h"

#include <gmp.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

/// Vertices relative to vertex 0 (which stays at the origin), as integers times a power of two.
typedef struct ExactPair {
    PairKind kind;
    double y[12], q[12];            ///< the same, rounded: where directions and points are looked for
    mpz_t position[12], motion[12]; ///< entries 0 to 2 are not used
    long position_exponent, motion_exponent;
    mpz_t at_t[12]; ///< position + t motion
    long exponent;
    mpz_t scratch[4];
} ExactPair;

static inline void exact_pair_start(ExactPair *pair)
{
    for (int i = 0; i < 12; ++i)
        mpz_inits(pair->position[i], pair->motion[i], pair->at_t[i], NULL);
    for (int i = 0; i < 4; ++i)
        mpz_init(pair->scratch[i]);
}

static inline void exact_pair_end(ExactPair *pair)
{
    for (int i = 0; i < 12; ++i)
        mpz_clears(pair->position[i], pair->motion[i], pair->at_t[i], NULL);
    for (int i = 0; i < 4; ++i)
        mpz_clear(pair->scratch[i]);
}

/// value = mantissa 2^exponent with a whole mantissa of at most 53 bits.
static inline long double_parts(double value, long *exponent)
{
    int shift;
    const double fraction = frexp(value, &shift);
    *exponent = shift - 53;
    return (long)ldexp(fraction, 53);
}

/// out_i = (values_i - values_(i mod 3)) 2^-exponent, with the largest exponent that keeps all of them whole.
static inline long exact_differences(const double values[12], mpz_t out[12])
{
    long mantissas[12], exponents[12], least = LONG_MAX;
    for (int i = 0; i < 12; ++i) {
        mantissas[i] = double_parts(values[i], &exponents[i]);
        if (mantissas[i] != 0 && exponents[i] < least)
            least = exponents[i];
    }
    for (int i = 0; i < 12; ++i) {
        mpz_set_si(out[i], mantissas[i]);
        if (mantissas[i] != 0)
            mpz_mul_2exp(out[i], out[i], (mp_bitcnt_t)(exponents[i] - least));
    }
    for (int i = 11; i >= 3; --i)
        mpz_sub(out[i], out[i], out[i % 3]);
    return least == LONG_MAX ? 0 : least;
}

static inline void exact_pair_set(ExactPair *pair, PairKind kind, const double x[12], const double p[12])
{
    pair->kind = kind;
    for (int i = 0; i < 12; ++i) {
        pair->y[i] = x[i] - x[i % 3];
        pair->q[i] = p[i] - p[i % 3];
    }
    pair->position_exponent = exact_differences(x, pair->position);
    pair->motion_exponent = exact_differences(p, pair->motion);
}

/// Moves the pair to time t.
static inline void exact_pair_move(ExactPair *pair, double t)
{
    long exponent;
    const long mantissa = double_parts(t, &exponent);
    exponent += pair->motion_exponent;
    const long least =
        mantissa == 0 || pair->position_exponent < exponent ? pair->position_exponent : exponent;
    for (int i = 3; i < 12; ++i) {
        mpz_mul_2exp(pair->at_t[i], pair->position[i], (mp_bitcnt_t)(pair->position_exponent - least));
        if (mantissa == 0)
            continue;
        mpz_mul_si(pair->scratch[0], pair->motion[i], mantissa);
        mpz_mul_2exp(pair->scratch[0], pair->scratch[0], (mp_bitcnt_t)(exponent - least));
        mpz_add(pair->at_t[i], pair->at_t[i], pair->scratch[0]);
    }
    pair->exponent = least;
}

/// out = value 2^-exponent, rounded up or down.
static inline void exact_scaled(mpz_t out, double value, long exponent, bool up)
{
    long value_exponent;
    mpz_set_si(out, double_parts(value, &value_exponent));
    const long shift = value_exponent - exponent;
    if (shift >= 0)
        mpz_mul_2exp(out, out, (mp_bitcnt_t)shift);
    else if (up)
        mpz_cdiv_q_2exp(out, out, (mp_bitcnt_t)-shift);
    else
        mpz_fdiv_q_2exp(out, out, (mp_bitcnt_t)-shift);
}

/// Whether at the time of exact_pair_move the direction n proves that the distance is more than `bound` >= 0.
static inline bool exact_separates(ExactPair *pair, const double n[3], double bound)
{
    const double largest = fmax(fabs(n[0]), fmax(fabs(n[1]), fabs(n[2])));
    if (!(largest > 0 && largest < INFINITY))
        return false;
    // A direction of whole numbers below 2^52; its length is bounded from above.
    const double scale = ldexp(1, 52 - ilogb(largest) - 1);
    long whole[3];
    double length_sq = 0;
    for (int i = 0; i < 3; ++i) {
        whole[i] = (long)(n[i] * scale);
        length_sq += (double)whole[i] * (double)whole[i];
    }
    mpz_t *const lowest = &pair->scratch[0], *const highest = &pair->scratch[1],
                 *const term = &pair->scratch[2], *const along = &pair->scratch[3];
    mpz_set_ui(*lowest, 0); // vertex 0
    for (int vertex = 1; vertex < 4; ++vertex) {
        mpz_mul_si(*along, pair->at_t[3 * vertex], whole[0]);
        for (int axis = 1; axis < 3; ++axis) {
            mpz_mul_si(*term, pair->at_t[3 * vertex + axis], whole[axis]);
            mpz_add(*along, *along, *term);
        }
        if (vertex < (int)pair->kind) {
            if (mpz_cmp(*along, *lowest) < 0)
                mpz_set(*lowest, *along);
        } else if (vertex == (int)pair->kind || mpz_cmp(*along, *highest) > 0) {
            mpz_set(*highest, *along);
        }
    }
    mpz_sub(*lowest, *lowest, *highest);
    if (bound == 0)
        return mpz_sgn(*lowest) > 0;
    exact_scaled(*term, bound * sqrt(length_sq) * (1 + 0x1p-50), pair->exponent, true);
    return mpz_cmp(*lowest, *term) > 0;
}

/// Whether at the time of exact_pair_move the points with these weights prove that the distance is at most `bound`.
static inline bool exact_within(ExactPair *pair, const double weights[4], double bound)
{
    // Whole weights of sum 2^52 on either primitive, none negative.
    const long one = 1L << 52;
    long whole[4] = {0};
    for (int primitive = 0; primitive < 2; ++primitive) {
        const int first = primitive == 0 ? 0 : (int)pair->kind, end = primitive == 0 ? (int)pair->kind : 4;
        long rest = one;
        int largest = first;
        for (int vertex = first; vertex < end; ++vertex) {
            whole[vertex] = (long)(fmin(fabs(weights[vertex]), 1) * 0x1p52);
            rest -= whole[vertex];
            if (whole[vertex] > whole[largest])
                largest = vertex;
        }
        whole[largest] += rest;
        if (whole[largest] < 0)
            return false;
    }
    mpz_t *const sum = &pair->scratch[0], *const r = &pair->scratch[1], *const term = &pair->scratch[2];
    mpz_set_ui(*sum, 0);
    for (int axis = 0; axis < 3; ++axis) {
        mpz_set_ui(*r, 0);
        for (int vertex = 1; vertex < 4; ++vertex) {
            mpz_mul_si(*term, pair->at_t[3 * vertex + axis],
                       vertex < (int)pair->kind ? whole[vertex] : -whole[vertex]);
            mpz_add(*r, *r, *term);
        }
        mpz_addmul(*sum, *r, *r);
    }
    exact_scaled(*term, bound, pair->exponent - 52, false);
    mpz_mul(*term, *term, *term);
    return mpz_cmp(*sum, *term) <= 0;
}

/// Vertices at time t, rounded.
static inline void rounded_pair_at(const ExactPair *pair, double t, double z[12])
{
    for (int i = 0; i < 12; ++i)
        z[i] = pair->y[i] + t * pair->q[i];
}

/// Directions that may separate the pair at time t, found in double precision, towards the first primitive.
static inline void likely_directions(const ExactPair *pair, double t, double n[2][3])
{
    double z[12];
    rounded_pair_at(pair, t, z);
    separating_directions(z, pair->kind, n);
    if (dot3(n[1], n[0]) < 0)
        for (int i = 0; i < 3; ++i)
            n[1][i] = -n[1][i];
}

/// Whether it is worth trying to prove that n separates at time t.
static inline bool may_separate(const ExactPair *pair, double t, const double n[3], double bound)
{
    double z[12], lowest = 0, highest = -INFINITY, size = 0; // lowest: vertex 0
    rounded_pair_at(pair, t, z);
    for (int vertex = 1; vertex < 4; ++vertex) {
        const double along = dot3(n, z + 3 * vertex);
        size += fabs(along);
        if (vertex < (int)pair->kind)
            lowest = fmin(lowest, along);
        else
            highest = fmax(highest, along);
    }
    return lowest - highest > bound * norm3(n) - 0x1p-40 * size;
}

/// Proves that the distance is more than `bound` at time t.
static inline bool exact_apart(ExactPair *pair, double t, double bound)
{
    double n[2][3];
    likely_directions(pair, t, n);
    exact_pair_move(pair, t);
    return exact_separates(pair, n[0], bound) || exact_separates(pair, n[1], bound);
}

/// The same on all of [start, end], with one direction that is likely at `time`.
static inline bool exact_apart_by(ExactPair *pair, double time, double start, double end, double bound)
{
    double n[2][3];
    likely_directions(pair, time, n);
    for (int i = 0; i < 2; ++i)
        if (may_separate(pair, start, n[i], bound) && may_separate(pair, end, n[i], bound)) {
            exact_pair_move(pair, start);
            const bool at_start = exact_separates(pair, n[i], bound);
            exact_pair_move(pair, end);
            if (at_start && exact_separates(pair, n[i], bound))
                return true;
        }
    return false;
}

/// The same, by halving the interval where no direction of its middle or its ends does; false if that takes more than
/// `halvings`.
static inline bool exact_apart_between(ExactPair *pair, double start, double end, double bound, int halvings)
{
    const double middle = start + 0.5 * (end - start);
    return exact_apart_by(pair, middle, start, end, bound) ||
           exact_apart_by(pair, start, start, end, bound) || exact_apart_by(pair, end, start, end, bound) ||
           (halvings > 0 && middle > start && middle < end &&
            exact_apart_between(pair, start, middle, bound, halvings - 1) &&
            exact_apart_between(pair, middle, end, bound, halvings - 1));
}

#endif
