/// Pairs of primitives whose closest features are known, and finite differences of functions of a pair.
#ifndef TESTS_KNOWN_PAIR_H
#define TESTS_KNOWN_PAIR_H

#include "geometry/closest_points.h"
#include "random_matrix.h"

#include <check.h>
#include <string.h>

enum { PAIR_TYPES = 16 };

/// How a pair with given closest features is degenerate.
typedef enum Shape { PLAIN, SLIVER, SHORT, FAR, NEAR, NEAR_SLIVER, SHAPE_COUNT } Shape;

/// The 7 types of a point and a triangle, the 9 types of two edges, by their active vertices.
static const struct {
    PairKind kind;
    int active;
} pair_types[PAIR_TYPES] = {
    {PAIR_POINT_TRIANGLE, 3},  {PAIR_POINT_TRIANGLE, 5},  {PAIR_POINT_TRIANGLE, 9},  {PAIR_POINT_TRIANGLE, 7},
    {PAIR_POINT_TRIANGLE, 11}, {PAIR_POINT_TRIANGLE, 13}, {PAIR_POINT_TRIANGLE, 15}, {PAIR_EDGE_EDGE, 5},
    {PAIR_EDGE_EDGE, 9},       {PAIR_EDGE_EDGE, 6},       {PAIR_EDGE_EDGE, 10},      {PAIR_EDGE_EDGE, 7},
    {PAIR_EDGE_EDGE, 11},      {PAIR_EDGE_EDGE, 13},      {PAIR_EDGE_EDGE, 14},      {PAIR_EDGE_EDGE, 15}};

/// A pair whose closest features, their distance and their weights are known.
typedef struct KnownPair {
    PairKind kind;
    int active;
    double x[12], weights[4], distance;
    double length; ///< in which the derivatives change, m
} KnownPair;

/// The vertices of either primitive that take part lie in a plane across r around the closest point, the others behind.
static inline KnownPair known_pair(RandomState *random, int type, Shape shape)
{
    KnownPair pair = {.kind = pair_types[type].kind, .active = pair_types[type].active};
    double R[9], center[3], sum[2] = {0, 0}, offset[2][3] = {{0}};
    random_rotation(random, R);
    for (int i = 0; i < 3; ++i)
        center[i] = shape == FAR ? random_between(random, -1e3, 1e3) : random_between(random, -1, 1);
    pair.distance = random_between(random, 0.2, 1) * (shape == NEAR || shape == NEAR_SLIVER ? 1e-2 : 1);
    const double thin = shape == SLIVER || shape == NEAR_SLIVER ? 1e-2 : 1, size = shape == SHORT ? 1e-2 : 1;
    // A width w turns by s/w when a vertex moves by s, and the closest point by d s/w^2.
    pair.length = fmin(pair.distance, fmin(1, thin * size / pair.distance) * thin * size);

    for (int vertex = 0; vertex < 4; ++vertex) {
        const int primitive = vertex < (int)pair.kind ? 0 : 1;
        const double away = primitive == 0 ? 1 : -1;
        double *x = pair.x + 3 * vertex;
        const bool active = (pair.active >> vertex & 1) != 0;
        pair.weights[vertex] = active ? random_between(random, 0.3, 1) : 0;
        sum[primitive] += pair.weights[vertex];
        const double angle = vertex * 2.0 + random_between(random, -0.4, 0.4);
        x[0] = size * cos(angle), x[1] = size * thin * sin(angle);
        x[2] = active ? 0 : away * size * random_between(random, 0.3, 1);
        for (int axis = 0; axis < 2; ++axis)
            offset[primitive][axis] += pair.weights[vertex] * x[axis];
    }
    for (int vertex = 0; vertex < 4; ++vertex) {
        const int primitive = vertex < (int)pair.kind ? 0 : 1;
        double *x = pair.x + 3 * vertex, local[3];
        pair.weights[vertex] *= vertex_sign(pair.kind, vertex) / sum[primitive];
        for (int axis = 0; axis < 2; ++axis)
            x[axis] -= offset[primitive][axis] / sum[primitive];
        x[2] += primitive == 0 ? pair.distance : 0;
        matrix3_apply(R, x, local);
        for (int axis = 0; axis < 3; ++axis)
            x[axis] = local[axis] + center[axis];
    }
    return pair;
}

/// Largest absolute entry.
static inline double largest(const double *values, int count)
{
    double result = 0;
    for (int i = 0; i < count; ++i)
        result = fmax(result, fabs(values[i]));
    return result;
}

static inline void assert_close(const char *what, const KnownPair *pair, Shape shape, const double *found,
                                const double *expected, int count, double tolerance)
{
    for (int i = 0; i < count; ++i)
        ck_assert_msg(fabs(found[i] - expected[i]) <= tolerance,
                      "%s, kind %d, active %d, shape %d, entry %d: found %.17g, expected %.17g within %g",
                      what, pair->kind, pair->active, shape, i, found[i], expected[i], tolerance);
}

typedef void (*PairFunction)(const double x[12], PairKind kind, double *values);

/// derivative[12 k + i] = d value_k/d x_i by central differences of sixth order.
static inline void differentiate(PairFunction function, int count, const double x[12], PairKind kind,
                                 double step, double *derivative)
{
    static const double factors[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
    memset(derivative, 0, 12 * (size_t)count * sizeof *derivative);
    for (int i = 0; i < 12; ++i)
        for (int k = 1; k <= 3; ++k) {
            double moved[12], ahead[12], behind[12];
            memcpy(moved, x, sizeof moved);
            moved[i] = x[i] + k * step;
            function(moved, kind, ahead);
            moved[i] = x[i] - k * step;
            function(moved, kind, behind);
            for (int j = 0; j < count; ++j)
                derivative[12 * j + i] += factors[k - 1] * (ahead[j] - behind[j]) / step;
        }
}

#endif
