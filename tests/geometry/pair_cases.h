/// Moving pairs of primitives for tests of distances and collision detection: random ones and every degeneracy there is.
#ifndef TESTS_PAIR_CASES_H
#define TESTS_PAIR_CASES_H

#include "geometry/closest_points.h"
#include "random_matrix.h"

#include <string.h>

enum { PAIR_CASE_COUNT = 24 };
static const char *const pair_case_names[PAIR_CASE_COUNT] = {
    "any",         "any, fast",       "through each other",
    "motion 1e6",  "motion 1e12",     "motion 1e-9",
    "no motion",   "gap 1e-9 at 1e3", "the same, fast",
    "parallel",    "in one plane",    "on an axis",
    "on one line", "points",          "zero length, flat",
    "sliver 1e-8", "small integers",  "aimed at a feature",
    "spinning",    "large common",    "sizes 1e-6 and 1e3",
    "size 1e-12",  "touching",        "nearly parallel"};

static inline void random_vector(RandomState *random, double size, double out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] = random_between(random, -size, size);
}

/// Weights from 0 to 1 of sum 1 on the first primitive and of sum 1 on the second; each vertex takes part or does not.
static inline void random_weights(RandomState *random, PairKind kind, double weights[4])
{
    double sum[2] = {0, 0};
    for (int vertex = 0; vertex < 4; ++vertex) {
        const int primitive = vertex < (int)kind ? 0 : 1;
        const bool last = vertex == (int)kind - 1 || vertex == 3, takes_part = random_bits(random) >> 62 != 0;
        weights[vertex] = takes_part || (last && sum[primitive] == 0) ? random_between(random, 0.1, 1) : 0;
        sum[primitive] += weights[vertex];
    }
    for (int vertex = 0; vertex < 4; ++vertex)
        weights[vertex] /= sum[vertex < (int)kind ? 0 : 1];
}

/// sum of w_i v_i over the vertices of one primitive (0 or 1), weights positive.
static inline void weighted_point(const double v[12], PairKind kind, const double weights[4], int primitive,
                                  double out[3])
{
    out[0] = out[1] = out[2] = 0;
    for (int vertex = 0; vertex < 4; ++vertex)
        if ((vertex < (int)kind ? 0 : 1) == primitive)
            add_scaled3(out, weights[vertex], v + 3 * vertex, out);
}

/// Shifts the first primitive of `v` by `shift`.
static inline void shift_first(double v[12], PairKind kind, const double shift[3])
{
    for (int i = 0; i < 3 * (int)kind; ++i)
        v[i] += shift[i % 3];
}

/// Places the first primitive so that two random points of the pair, its closest ones for faces that look at each other,
/// are `gap` apart along the normal of the face or of both edges.
static inline void bring_near(RandomState *random, PairKind kind, double gap, double x[12])
{
    double weights[4], points[2][3], shift[3], n[3];
    random_weights(random, kind, weights);
    weighted_point(x, kind, weights, 0, points[0]);
    weighted_point(x, kind, weights, 1, points[1]);
    const FreeDirections all = free_directions(x, kind, PAIR_ALL_VERTICES);
    cross3(all.r[0], all.r[1], n);
    normalize3(n);
    subtract3(points[1], points[0], shift);
    add_scaled3(shift, gap, n, shift);
    shift_first(x, kind, shift);
}

/// Lets two random points of the pair meet at t = 1/2 (up to rounding).
static inline void aim(RandomState *random, PairKind kind, const double x[12], double p[12])
{
    double weights[4], points[2][3], motions[2][3], shift[3];
    random_weights(random, kind, weights);
    for (int primitive = 0; primitive < 2; ++primitive) {
        weighted_point(x, kind, weights, primitive, points[primitive]);
        weighted_point(p, kind, weights, primitive, motions[primitive]);
    }
    for (int i = 0; i < 3; ++i)
        shift[i] = 2 * (points[1][i] - points[0][i]) + motions[1][i] - motions[0][i];
    shift_first(p, kind, shift);
}

static inline void scale_all(double v[12], double factor)
{
    for (int i = 0; i < 12; ++i)
        v[i] *= factor;
}

/// Displaces one primitive by the chord of a rotation about its first vertex.
static inline void spin(RandomState *random, PairKind kind, int primitive, const double x[12], double p[12])
{
    const int first = primitive == 0 ? 0 : (int)kind, end = primitive == 0 ? (int)kind : 4;
    double R[9], arm[3], turned[3];
    random_rotation(random, R);
    for (int vertex = first + 1; vertex < end; ++vertex) {
        subtract3(x + 3 * vertex, x + 3 * first, arm);
        matrix3_apply(R, arm, turned);
        for (int i = 0; i < 3; ++i)
            p[3 * vertex + i] = p[3 * first + i] + turned[i] - arm[i];
    }
}

/// Makes the two free directions of the face or of both edges parallel up to `difference`.
static inline void make_parallel(RandomState *random, PairKind kind, double difference, double x[12])
{
    const int from = kind == PAIR_POINT_TRIANGLE ? 1 : 2, reference = kind == PAIR_POINT_TRIANGLE ? 1 : 0;
    const double factor = random_between(random, -2, 2);
    double noise[3];
    random_vector(random, difference, noise);
    for (int i = 0; i < 3; ++i)
        x[9 + i] = x[3 * from + i] + factor * (x[3 * reference + 3 + i] - x[3 * reference + i]) + noise[i];
}

/// Pair number `index`: positions x, displacements p over the time 1. Its kind of case is index % PAIR_CASE_COUNT.
static inline void pair_case(RandomState *random, PairKind kind, int index, double x[12], double p[12])
{
    double shift[3];
    for (int i = 0; i < 12; ++i) {
        x[i] = random_between(random, -1, 1);
        p[i] = random_between(random, -1, 1);
    }
    switch (index % PAIR_CASE_COUNT) {
    case 1:
        scale_all(p, 5);
        break;
    case 2: // the first primitive passes through the other one
        bring_near(random, kind, 0.5, x);
        scale_all(p, 0.1);
        aim(random, kind, x, p);
        break;
    case 3:
        scale_all(p, 1e6);
        break;
    case 4:
        scale_all(p, 1e12);
        break;
    case 5:
        scale_all(p, 1e-9);
        bring_near(random, kind, 1e-9, x);
        break;
    case 6: // none, or the same for all
        for (int i = 0; i < 12; ++i)
            p[i] = index / PAIR_CASE_COUNT % 2 == 0 ? 0 : p[i % 3];
        break;
    case 7:
    case 8:
        bring_near(random, kind, 1e-9, x);
        scale_all(p, index % PAIR_CASE_COUNT == 7 ? 1e-8 : 1);
        random_vector(random, 1e3, shift);
        for (int i = 0; i < 12; ++i)
            x[i] += shift[i % 3];
        break;
    case 9:
        make_parallel(random, kind, 0, x);
        if (index / PAIR_CASE_COUNT % 2 == 0) // and they stay so
            for (int i = 0; i < 12; ++i)
                p[i] = p[i < 3 * (int)kind ? i % 3 : 9 + i % 3];
        break;
    case 10: // coplanar at all times
        for (int vertex = 0; vertex < 4; ++vertex) {
            x[3 * vertex + 2] = 0.25;
            p[3 * vertex + 2] = 0.5;
        }
        scale_all(p, 3);
        break;
    case 11: // collinear at all times
        for (int i = 0; i < 12; ++i)
            if (i % 3 != 1)
                x[i] = p[i] = 0;
        scale_all(p, 3);
        break;
    case 12: // collinear up to rounding
        random_vector(random, 1, shift);
        for (int vertex = 0; vertex < 4; ++vertex) {
            const double at = x[3 * vertex], speed = 3 * p[3 * vertex];
            for (int i = 0; i < 3; ++i) {
                x[3 * vertex + i] = at * shift[i];
                p[3 * vertex + i] = speed * shift[i];
            }
        }
        break;
    case 13: // each primitive is a point
        for (int i = 0; i < 12; ++i) {
            x[i] = x[i < 3 * (int)kind ? i % 3 : 9 + i % 3];
            p[i] = p[i < 3 * (int)kind ? i % 3 : 9 + i % 3];
        }
        aim(random, kind, x, p);
        break;
    case 14: // an edge of zero length; a triangle with two equal vertices or one in the middle of an edge
        for (int i = 0; i < 3; ++i) {
            const bool middle = kind == PAIR_POINT_TRIANGLE && index / PAIR_CASE_COUNT % 2 == 0;
            x[9 + i] = middle ? 0.5 * (x[3 + i] + x[6 + i]) : x[6 + i];
            p[9 + i] = middle ? 0.5 * (p[3 + i] + p[6 + i]) : p[6 + i];
        }
        aim(random, kind, x, p);
        break;
    case 15:
        make_parallel(random, kind, 1e-8, x);
        aim(random, kind, x, p);
        break;
    case 16:
        for (int i = 0; i < 12; ++i) {
            x[i] = floor(2.5 * x[i] + 0.5);
            p[i] = floor(4.5 * p[i] + 0.5);
        }
        break;
    case 17:
        aim(random, kind, x, p);
        break;
    case 18:
        for (int primitive = 0; primitive < 2; ++primitive)
            spin(random, kind, primitive, x, p);
        break;
    case 19:
        random_vector(random, 1e5, shift);
        for (int i = 0; i < 12; ++i)
            p[i] += shift[i % 3];
        break;
    case 20:
        for (int i = 3 * (int)kind; i < 12; ++i)
            x[i] *= 1e3;
        for (int i = 0; i < 3 * (int)kind; ++i)
            x[i] *= 1e-6;
        bring_near(random, kind, 1e-6, x);
        scale_all(p, 1e-4);
        aim(random, kind, x, p);
        break;
    case 21:
        scale_all(x, 1e-12);
        scale_all(p, 1e-12);
        break;
    case 22: // a common vertex, or a common point up to rounding
        if (index / PAIR_CASE_COUNT % 2 == 0)
            memcpy(x, x + 9, 3 * sizeof *x);
        else
            bring_near(random, kind, 0, x);
        break;
    case 23:
        make_parallel(random, kind, pow(10, random_between(random, -16, -1)), x);
        bring_near(random, kind, pow(10, random_between(random, -9, 0)), x);
        break;
    }
}

#endif
