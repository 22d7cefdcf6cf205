/// Hessians of nearly parallel edges under the barrier (pair_barrier.h), eight pairs at a time:
/// hess (e B) = e (B'' g g^T + B' hess d) + B hess e + B' (g h^T + h g^T) with g = grad d, h = grad e, true or the nearest positive
/// semidefinite ones.
///
/// A common displacement of all vertices changes nothing, so they are there in the three displacements that are left: of the edges' middles
/// against each other, and of each edge's ends, y_0 = (x_0 + x_1 - x_2 - x_3)/2, y_1 = (x_1 - x_0)/sqrt 2, y_2 = (x_3 - x_2)/sqrt 2, which are
/// orthonormal. Of a symmetric 9x9 matrix the blocks 00, 10, 11, 20, 21, 22 are kept, each row-major, N/m.
#ifndef PHYSICS_CONTACT_PARALLEL_PAIR_H
#define PHYSICS_CONTACT_PARALLEL_PAIR_H

#include "base/pack3.h"
#include "base/symmetric_project.h"
#include "physics/contact/pair_barrier.h"

#include <math.h>

enum { PARALLEL_SIZE = 9, PARALLEL_BLOCKS = 6 };
#define PARALLEL_ROOT 0.70710678118654752 ///< of a half

/// What multiplies g g^T, d hess d + g g^T, hess c/4, grad c grad c^T/8, and grad c/(2 sqrt 2) coupled with g, N/m; c = |u x v|^2.
enum { PARALLEL_ALONG, PARALLEL_TURNING, PARALLEL_CROSS, PARALLEL_CROSS_SQ, PARALLEL_BOTH, PARALLEL_FACTORS };

/// What eight Hessians are made of, lane by lane. Threads may set lanes side by side, so these are numbers of their own and not Lanes.
typedef struct ParallelPairs {
    _Alignas(sizeof(Lanes)) double weights[3][LANE_COUNT]; ///< of y in r
    double normal[3][LANE_COUNT];                          ///< r/d
    double bends[2 * PARALLEL_SIZE][LANE_COUNT];           ///< c_k of geometry/distance.h, m
    double u[3][LANE_COUNT], v[3][LANE_COUNT]; ///< edges, such that the mollifier's threshold is c = 1
    double factors[PARALLEL_FACTORS][LANE_COUNT];
} ParallelPairs;

/// y_`of` of a vector over the four vertices, one axis of it.
static inline double parallel_relative(const double values[12], int of, int axis)
{
    const double *x = values + axis;
    return of == 0   ? 0.5 * ((x[0] + x[3]) - (x[6] + x[9]))
           : of == 1 ? PARALLEL_ROOT * (x[3] - x[0])
                     : PARALLEL_ROOT * (x[9] - x[6]);
}

/// Makes a pair the one of a lane. `state`: that of the pair at x, nearly parallel.
static inline void parallel_pairs_set(const PairBarrier *pair, const double x[12],
                                      const PairBarrierState *state, int lane, ParallelPairs *pairs)
{
    const double m = edges_cross_sq(x) / pair->parallel_threshold, e = m * (2 - m), slope = 2 * (1 - m),
                 curvature = -2, length = sqrt(sqrt(pair->parallel_threshold)),
                 turning = e * state->slope / state->distance;
    const double *w = state->closest.weights;
    double bends[2][12];
    distance_sq_bends(x, PAIR_EDGE_EDGE, &state->closest, bends);
    pairs->weights[0][lane] = 0.5 * ((w[0] + w[1]) - (w[2] + w[3]));
    pairs->weights[1][lane] = PARALLEL_ROOT * (w[1] - w[0]);
    pairs->weights[2][lane] = PARALLEL_ROOT * (w[3] - w[2]);
    for (int axis = 0; axis < 3; ++axis) {
        pairs->normal[axis][lane] = state->closest.r[axis] / state->distance;
        pairs->u[axis][lane] = (x[3 + axis] - x[axis]) / length;
        pairs->v[axis][lane] = (x[9 + axis] - x[6 + axis]) / length;
        for (int i = axis; i < PARALLEL_SIZE; i += 3)
            for (int k = 0; k < 2; ++k)
                pairs->bends[PARALLEL_SIZE * k + i][lane] = parallel_relative(bends[k], i / 3, axis);
    }
    pairs->factors[PARALLEL_ALONG][lane] = e * state->curvature - turning;
    pairs->factors[PARALLEL_TURNING][lane] = turning;
    pairs->factors[PARALLEL_CROSS][lane] = 4 * slope * (state->energy / length / length);
    pairs->factors[PARALLEL_CROSS_SQ][lane] = 8 * curvature * (state->energy / length / length);
    pairs->factors[PARALLEL_BOTH][lane] = 4 * PARALLEL_ROOT * slope * (state->slope / length);
}

/// The pair of a lane has a Hessian of 0.
static inline void parallel_pairs_clear(int lane, ParallelPairs *pairs)
{
    for (int i = 0; i < 3; ++i)
        pairs->weights[i][lane] = pairs->normal[i][lane] = pairs->u[i][lane] = pairs->v[i][lane] = 0;
    for (int i = 0; i < 2 * PARALLEL_SIZE; ++i)
        pairs->bends[i][lane] = 0;
    for (int i = 0; i < PARALLEL_FACTORS; ++i)
        pairs->factors[i][lane] = 0;
}

// hess c/4 at row i and column j of y_1 and y_2, i >= j.
LANES_INLINE Pack packs_crossing(int i, int j, const Pack u[3], const Pack v[3])
{
    const int a = i % 3, b = j % 3;
    if (i < 3)
        return (a == b ? v[0] * v[0] + v[1] * v[1] + v[2] * v[2] : pack_set(0)) - v[a] * v[b];
    if (j >= 3)
        return (a == b ? u[0] * u[0] + u[1] * u[1] + u[2] * u[2] : pack_set(0)) - u[a] * u[b];
    return 2 * (u[b] * v[a]) - v[b] * u[a] - (a == b ? u[0] * v[0] + u[1] * v[1] + u[2] * v[2] : pack_set(0));
}

// What is on and below the diagonal.
LANES_INLINE void packs_parallel_hessian(const ParallelPairs *pairs, int part, Pack *hessian)
{
    Pack w[3], n[3], bends[2 * PARALLEL_SIZE], u[3], v[3], factors[PARALLEL_FACTORS], cross[3];
    Pack g[PARALLEL_SIZE], h[PARALLEL_SIZE]; // h: grad c/(2 sqrt 2)
    packs_load_numbers(pairs->weights, part, 3, w);
    packs_load_numbers(pairs->normal, part, 3, n);
    packs_load_numbers(pairs->bends, part, 2 * PARALLEL_SIZE, bends);
    packs_load_numbers(pairs->u, part, 3, u);
    packs_load_numbers(pairs->v, part, 3, v);
    packs_load_numbers(pairs->factors, part, PARALLEL_FACTORS, factors);
    packs_cross(u, v, cross);
    packs_cross(v, cross, h + 3);
    packs_cross(cross, u, h + 6);
    for (int i = 0; i < PARALLEL_SIZE; ++i)
        g[i] = w[i / 3] * n[i % 3];
    for (int i = 0; i < PARALLEL_SIZE; ++i)
        for (int j = 0; j <= i; ++j) {
            const Pack *first = bends, *second = bends + PARALLEL_SIZE;
            const Pack stretch = i % 3 == j % 3 ? w[i / 3] * w[j / 3] : pack_set(0);
            Pack sum = factors[PARALLEL_ALONG] * (g[i] * g[j]) +
                       factors[PARALLEL_TURNING] * (stretch - first[i] * first[j] - second[i] * second[j]);
            if (j >= 3)
                sum += factors[PARALLEL_CROSS] * packs_crossing(i - 3, j - 3, u, v) +
                       factors[PARALLEL_CROSS_SQ] * (h[i] * h[j]) +
                       factors[PARALLEL_BOTH] * (g[i] * h[j] + h[i] * g[j]);
            else if (i >= 3)
                sum += factors[PARALLEL_BOTH] * (h[i] * g[j]);
            hessian[PARALLEL_SIZE * i + j] = sum;
        }
}

/// Of lane l to hessians[l]; the nearest positive semidefinite ones if `project`.
static inline void parallel_hessians(const ParallelPairs *pairs, bool project,
                                     double (*hessians[LANE_COUNT])[PARALLEL_BLOCKS][9])
{
    Pack hessian[PARALLEL_SIZE * PARALLEL_SIZE];
    for (int part = 0; part < PACKS_PER_LANES; ++part) {
        packs_parallel_hessian(pairs, part, hessian);
        if (project)
            packs_project(PARALLEL_SIZE, hessian);
        for (int lane = 0; lane < PACK_COUNT; ++lane) {
            double(*blocks)[9] = *hessians[part * PACK_COUNT + lane];
            for (int i = 0; i < PARALLEL_SIZE; ++i)
                for (int j = 0; j <= i; ++j) {
                    const int row = i / 3, column = j / 3, block = row * (row + 1) / 2 + column;
                    const double value = hessian[PARALLEL_SIZE * i + j][lane];
                    blocks[block][3 * (i % 3) + j % 3] = value;
                    if (row == column)
                        blocks[block][3 * (j % 3) + i % 3] = value;
                }
        }
    }
}

// Entry (a, b) of the block of y_row and y_column.
static inline double parallel_entry(const double blocks[PARALLEL_BLOCKS][9], int row, int column, int a,
                                    int b)
{
    return row >= column ? blocks[row * (row + 1) / 2 + column][3 * a + b]
                         : blocks[column * (column + 1) / 2 + row][3 * b + a];
}

/// Adds `weight` times the blocks of a vertex with y_0, y_1 and y_2 to `row`, column by column.
static inline void parallel_row_add(const double blocks[PARALLEL_BLOCKS][9], int vertex, double weight,
                                    double row[3][9])
{
    const int of_vertex = vertex < 2 ? 1 : 2;
    const double middle = weight * (vertex < 2 ? 0.5 : -0.5),
                 end = weight * (vertex % 2 == 0 ? -PARALLEL_ROOT : PARALLEL_ROOT);
    for (int y = 0; y < 3; ++y)
        for (int b = 0; b < 3; ++b)
            for (int a = 0; a < 3; ++a)
                row[y][3 * b + a] += middle * parallel_entry(blocks, 0, y, a, b) +
                                     end * parallel_entry(blocks, of_vertex, y, a, b);
}

/// Adds `weight` times the block of such a row and of a vertex to a block, column by column.
static inline void parallel_block_add(const double row[3][9], int vertex, double weight, double block[9])
{
    const double *of_vertex = row[vertex < 2 ? 1 : 2];
    const double middle = weight * (vertex < 2 ? 0.5 : -0.5),
                 end = weight * (vertex % 2 == 0 ? -PARALLEL_ROOT : PARALLEL_ROOT);
    for (int i = 0; i < 9; ++i)
        block[i] += middle * row[0][i] + end * of_vertex[i];
}

#endif
