/// The correction that makes any damping of a solid blind to rotations (theory.md section 7, [DIS]): instead of F' the potential sees
/// (F' + F^-T F'^T F)/2, which is 0 for F' = W F, W skew.
#ifndef PHYSICS_DISSIPATION_VELOCITY_GRADIENT_H
#define PHYSICS_DISSIPATION_VELOCITY_GRADIENT_H

#include "base/lanes.h"

/// Below this part of |F|^3 a determinant is taken for 0, and F' stays as it is.
#define VELOCITY_GRADIENT_FLAT 1e-9

/// L[9 (3 i + a) + 3 k + b] = d2R/dF'_ia dF'_kb from the blocks of the corners 1 to 3 of an element whose G are the axes.
LANES_INLINE void operator_of_blocks(const Pack K[10][9], Pack L[81])
{
    static const int pair_of[3][3] = {{1, 7, 8}, {7, 2, 9}, {8, 9, 3}};
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            for (int i = 0; i < 3; ++i)
                for (int k = 0; k < 3; ++k)
                    L[9 * (3 * i + a) + 3 * k + b] = K[pair_of[a][b]][a <= b ? 3 * i + k : 3 * k + i];
}

/// L becomes N^T L N, N F' = (F' + F^-T F'^T F)/2.
LANES_INLINE void velocity_gradient_correct(const Pack F[9], Pack L[81])
{
    Pack cofactor[9], square = pack_set(0.0), N[81], M[81];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
            cofactor[3 * i + j] = F[3 * a + c] * F[3 * b + d] - F[3 * a + d] * F[3 * b + c];
            square += F[3 * i + j] * F[3 * i + j];
        }
    const Pack det = F[0] * cofactor[0] + F[1] * cofactor[1] + F[2] * cofactor[2];
    const PackMask flat = pack_less_equal(pack_abs(det), VELOCITY_GRADIENT_FLAT * square * pack_sqrt(square));
    const Pack inverse = 1.0 / pack_select(flat, pack_set(1.0), det);
    for (int i = 0; i < 3; ++i)
        for (int a = 0; a < 3; ++a)
            for (int k = 0; k < 3; ++k)
                for (int b = 0; b < 3; ++b) {
                    const Pack same = pack_set(i == k && a == b ? 1.0 : 0.0);
                    const Pack turned = inverse * cofactor[3 * i + b] * F[3 * k + a]; // F^-T_ib F_ka
                    N[9 * (3 * i + a) + 3 * k + b] = pack_select(flat, same, 0.5 * (same + turned));
                }
    for (int r = 0; r < 9; ++r)
        for (int c = 0; c < 9; ++c) {
            M[9 * r + c] = L[9 * r] * N[c];
            for (int k = 1; k < 9; ++k)
                M[9 * r + c] += L[9 * r + k] * N[9 * k + c];
        }
    for (int r = 0; r < 9; ++r)
        for (int c = r; c < 9; ++c) {
            Pack sum = N[r] * M[c];
            for (int k = 1; k < 9; ++k)
                sum += N[9 * k + r] * M[9 * k + c];
            L[9 * r + c] = L[9 * c + r] = sum;
        }
}

/// The corrected rate of the power law in the axes of F = U diag(s) V^T: with X = U^T F' V the rate is |S'|^2 = sum X_ii^2 +
/// 2 sum_(i<k) (a_ik X_ik + a_ki X_ki)^2, a_ik = (1 + s_i/s_k)/4. Of the pair (i, k) of number m, 01, 02 and 12, a_ik and a_ki to shares[m];
/// both are 1/2, as without the correction, where F is flat.
LANES_INLINE void velocity_gradient_shares(const Pack s[3], Pack shares[3][2])
{
    static const int first[3] = {0, 0, 1}, second[3] = {1, 2, 2};
    const Pack square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2], one = pack_set(1.0);
    const PackMask flat =
        pack_less_equal(pack_abs(s[0] * s[1] * s[2]), VELOCITY_GRADIENT_FLAT * square * pack_sqrt(square));
    for (int m = 0; m < 3; ++m) {
        const Pack a = pack_select(flat, one, s[first[m]]), b = pack_select(flat, one, s[second[m]]);
        shares[m][0] = 0.25 * (1.0 + a / b);
        shares[m][1] = 0.25 * (1.0 + b / a);
    }
}

/// Blocks of the pairs of corners as element_pair has them from such an operator.
LANES_INLINE void blocks_of_operator(const Pack L[81], const Pack G[9], Pack K[10][9])
{
    Pack g[4][3];
    for (int j = 0; j < 3; ++j) {
        for (int a = 1; a < 4; ++a)
            g[a][j] = G[3 * (a - 1) + j];
        g[0][j] = -(g[1][j] + g[2][j] + g[3][j]);
    }
    int mixed = 4;
    for (int a = 0; a < 4; ++a)
        for (int b = a; b < 4; ++b) {
            Pack *out = K[a == b ? a : mixed++];
            for (int i = 0; i < 3; ++i)
                for (int k = 0; k < 3; ++k) {
                    Pack sum = pack_set(0.0);
                    for (int j = 0; j < 3; ++j)
                        for (int l = 0; l < 3; ++l)
                            sum += g[a][j] * L[9 * (3 * i + j) + 3 * k + l] * g[b][l];
                    out[3 * i + k] = sum;
                }
        }
}

#endif
