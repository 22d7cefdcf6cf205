/// Strain rate damping of an element whose D x is a deformation gradient F (3 x n, n + 1 corners): the matrix C of
/// R = w (shear |E'|^2 + bulk/2 tr^2 E'), E' = sym(F^T F') (theory.md section 7). Blind to rigid motions: E' = 0.
#ifndef PHYSICS_DISSIPATION_STRAIN_RATE_H
#define PHYSICS_DISSIPATION_STRAIN_RATE_H

#include "base/lanes.h"

/// Blocks of the pairs of corners as element_pair has them: d2R/dF'_ij dF'_kl = shear (B_ik 1_jl + F_il F_kj) + bulk F_ij F_kl with
/// B = F F^T, so with p_a = F G_a the block of corners a and b is shear (G_a.G_b B + p_b p_a^T) + bulk p_a p_b^T.
LANES_INLINE void strain_rate_blocks(int columns, const Pack *F, const Pack *G, Pack shear, Pack bulk,
                                     Pack (*K)[9])
{
    const int corners = columns + 1;
    Pack B[9], g[4][3], p[4][3];
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            B[3 * i + k] = F[columns * i] * F[columns * k];
            for (int j = 1; j < columns; ++j)
                B[3 * i + k] += F[columns * i + j] * F[columns * k + j];
        }
    for (int j = 0; j < columns; ++j) { // G_0 = -(G_1 + ...)
        g[0][j] = -G[j];
        g[1][j] = G[j];
        for (int a = 2; a < corners; ++a) {
            g[a][j] = G[columns * (a - 1) + j];
            g[0][j] -= g[a][j];
        }
    }
    for (int a = 0; a < corners; ++a)
        for (int i = 0; i < 3; ++i) {
            p[a][i] = F[columns * i] * g[a][0];
            for (int j = 1; j < columns; ++j)
                p[a][i] += F[columns * i + j] * g[a][j];
        }
    int mixed = corners;
    for (int a = 0; a < corners; ++a)
        for (int b = a; b < corners; ++b) {
            Pack *out = K[a == b ? a : mixed++];
            Pack product = g[a][0] * g[b][0];
            for (int j = 1; j < columns; ++j)
                product += g[a][j] * g[b][j];
            for (int i = 0; i < 3; ++i)
                for (int k = 0; k < 3; ++k)
                    out[3 * i + k] =
                        shear * (product * B[3 * i + k] + p[b][i] * p[a][k]) + bulk * (p[a][i] * p[b][k]);
        }
}

#endif
