/// What the element kernels share: deformation gradients in, corner forces out, for a block of eight elements.
#ifndef DEVICE_CPU_TERMS_GATHER_H
#define DEVICE_CPU_TERMS_GATHER_H

#include "device/cpu/terms/elements.h"

/// Four doubles in memory, wherever they stand.
typedef double UnalignedQuad __attribute__((vector_size(4 * sizeof(double)), aligned(8), may_alias));

// F_ij = sum_a (x_a - x_0)_i G_aj of the eight elements of a block, x: nodes x 3.
LANES_INLINE void gather_gradient(const ElementBlocks *blocks, int32_t b, const double *x, Lanes f[9])
{
    Lanes corners[4][3];
    for (int c = 0; c < 4; ++c)
        for (int l = 0; l < LANE_COUNT; ++l) {
            const double *node = x + 3 * (size_t)blocks->nodes[b][c][l];
            for (int k = 0; k < 3; ++k)
                corners[c][k][l] = node[k];
        }
    const Lanes *g = blocks->gradients[b];
    for (int i = 0; i < 3; ++i) {
        const Lanes d1 = corners[1][i] - corners[0][i];
        const Lanes d2 = corners[2][i] - corners[0][i];
        const Lanes d3 = corners[3][i] - corners[0][i];
        for (int j = 0; j < 3; ++j)
            f[3 * i + j] = d1 * g[j] + d2 * g[3 + j] + d3 * g[6 + j];
    }
}

// Corner forces T G_a to their slots.
LANES_INLINE void scatter_corners(ElementBlocks *blocks, int32_t b, const Lanes t[9])
{
    const Lanes *g = blocks->gradients[b];
    Lanes force[4][3];
    for (int i = 0; i < 3; ++i) {
        for (int a = 1; a < 4; ++a) {
            const Lanes *row = g + 3 * (a - 1);
            force[a][i] = t[3 * i] * row[0] + t[3 * i + 1] * row[1] + t[3 * i + 2] * row[2];
        }
        force[0][i] = -(force[1][i] + force[2][i] + force[3][i]);
    }
    for (int c = 0; c < 4; ++c)
        for (int l = 0; l < LANE_COUNT; ++l) {
            double *slot = blocks->corner_forces + 3 * (size_t)blocks->slots[b][c][l];
            for (int k = 0; k < 3; ++k)
                slot[k] = force[c][k][l];
        }
}

// U diag(s) V^T
LANES_INLINE void compose(const Lanes u[9], const Lanes s[3], const Lanes v[9], Lanes m[9])
{
    for (int i = 0; i < 3; ++i) {
        const Lanes a = u[3 * i] * s[0], b = u[3 * i + 1] * s[1], c = u[3 * i + 2] * s[2];
        for (int j = 0; j < 3; ++j)
            m[3 * i + j] = a * v[3 * j] + b * v[3 * j + 1] + c * v[3 * j + 2];
    }
}

static inline double sum_of(Lanes a)
{
    return ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]));
}

#endif
