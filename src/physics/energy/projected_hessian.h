/// First Piola stress and 9x9 Hessian d2 psi/dF2 from singular values and vectors, with Smith's analytic projection to
/// positive semidefinite matrices (theory.md section 3). Matrices are row-major, F as the vector (F_00, F_01, .., F_22).
/// Twin: shaders/common/physics/energy/projected_hessian.glsl.
#ifndef PHYSICS_ENERGY_PROJECTED_HESSIAN_H
#define PHYSICS_ENERGY_PROJECTED_HESSIAN_H

#include "base/eigen3.h"
#include "base/lanes.h"
#include "physics/energy/energy_hessian.h"

/// P = U diag(stress) V^T, Pa.
LANES_INLINE void piola_stress_pack(const Pack U[9], const Pack stress[3], const Pack V[9], Pack P[9])
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            P[3 * i + j] = U[3 * i] * stress[0] * V[3 * j] + U[3 * i + 1] * stress[1] * V[3 * j + 1] +
                           U[3 * i + 2] * stress[2] * V[3 * j + 2];
}

/// Where a symmetric matrix (00 11 22 01 02 12) is positive definite: its leading minors are positive.
LANES_INLINE PackMask hessian_is_positive(const Pack M[6])
{
    const Pack zero = pack_set(0.0), minor = M[0] * M[1] - M[3] * M[3];
    const Pack det = M[2] * minor - M[5] * (M[0] * M[5] - M[3] * M[4]) + M[4] * (M[3] * M[5] - M[1] * M[4]);
    return pack_less(zero, M[0]) & pack_less(zero, minor) & pack_less(zero, det);
}

/// The twelve numbers of energy_hessian with negative eigenvalues set to 0. A block without them stays as it is, which
/// most do: only the others are decomposed.
LANES_INLINE void energy_hessian_project_pack(Pack hessian[12])
{
    static const int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};
    const Pack zero = pack_set(0.0);
    const PackMask positive = hessian_is_positive(hessian);
    if (pack_any(~positive)) {
        Pack values[3], Q[9];
        eigen3_pack(hessian, values, Q);
        for (int i = 0; i < 3; ++i)
            values[i] = pack_max(values[i], zero);
        for (int k = 0; k < 6; ++k) {
            const Pack *a = Q + 3 * first[k], *b = Q + 3 * second[k];
            const Pack clamped = a[0] * values[0] * b[0] + a[1] * values[1] * b[1] + a[2] * values[2] * b[2];
            hessian[k] = pack_select(positive, hessian[k], clamped);
        }
    }
    for (int k = ENERGY_HESSIAN_TWIST; k < ENERGY_HESSIAN_SIZE; ++k)
        hessian[k] = pack_max(hessian[k], zero);
}

/// H[9 row + column] += a basis_row basis_column for column <= row.
LANES_INLINE void hessian_add_outer(Pack H[81], Pack factor, const Pack left[9], const Pack right[9])
{
    for (int row = 0; row < 9; ++row) {
        const Pack scaled = factor * left[row];
        for (int column = 0; column <= row; ++column)
            H[9 * row + column] += scaled * right[column];
    }
}

/// The 9x9 Hessian from the twelve numbers of energy_hessian, projected or not.
LANES_INLINE void hessian_assemble_pack(const Pack hessian[12], const Pack U[9], const Pack V[9], Pack H[81])
{
    static const int block[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
    for (int i = 0; i < 81; ++i)
        H[i] = pack_set(0.0);
    for (int i = 0; i < 3; ++i) { // sum_ij psi_ij D_i D_j^T, D_i = u_i v_i^T
        Pack basis[9], image[9];
        for (int row = 0; row < 3; ++row)
            for (int column = 0; column < 3; ++column) {
                const int at = 3 * row + column;
                basis[at] = U[3 * row + i] * V[3 * column + i];
                image[at] = hessian[block[3 * i]] * (U[3 * row] * V[3 * column]) +
                            hessian[block[3 * i + 1]] * (U[3 * row + 1] * V[3 * column + 1]) +
                            hessian[block[3 * i + 2]] * (U[3 * row + 2] * V[3 * column + 2]);
            }
        hessian_add_outer(H, pack_set(1.0), basis, image);
    }
    for (int pair = 0; pair < 3; ++pair) {
        const int i = pair == 2 ? 1 : 0, j = pair == 0 ? 1 : 2;
        Pack twist[9], flip[9];
        for (int row = 0; row < 3; ++row)
            for (int column = 0; column < 3; ++column) {
                const Pack a = U[3 * row + i] * V[3 * column + j], b = U[3 * row + j] * V[3 * column + i];
                twist[3 * row + column] = a - b, flip[3 * row + column] = a + b;
            }
        hessian_add_outer(H, 0.5 * hessian[ENERGY_HESSIAN_TWIST + pair], twist, twist);
        hessian_add_outer(H, 0.5 * hessian[ENERGY_HESSIAN_FLIP + pair], flip, flip);
    }
    for (int row = 0; row < 9; ++row)
        for (int column = row + 1; column < 9; ++column)
            H[9 * row + column] = H[9 * column + row];
}

// Where pair (i, k) of two different axes stands in the lists of energy_hessian: 01 02 12.
#define HESSIAN_PAIR(i, k) ((i) + (k)-1)

/// K[pair] = w sum_jl G_aj d2psi/dF_(ij)dF_(kl) G_bl for the pairs of corners as element_pair has them. In the axes u_i of
/// space and v_j of the rest shape the Hessian has few entries: psi_ik on (ii)(kk), (flip + twist)/2 on (ik)(ik) and
/// (flip - twist)/2 on (ik)(ki).
LANES_INLINE void hessian_expand_pack(const Pack hessian[12], const Pack U[9], const Pack V[9],
                                      const Pack G[9], Pack volume, Pack K[10][9])
{
    static const int block[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
    static const int pair_of[3][3] = {{1, 7, 8}, {7, 2, 9}, {8, 9, 3}};
    Pack psi[6], straight[3], crossed[3], g[9];
    for (int k = 0; k < 6; ++k)
        psi[k] = volume * hessian[k];
    for (int k = 0; k < 3; ++k) {
        const Pack twist = hessian[ENERGY_HESSIAN_TWIST + k], flip = hessian[ENERGY_HESSIAN_FLIP + k];
        straight[k] = 0.5 * volume * (flip + twist);
        crossed[k] = 0.5 * volume * (flip - twist);
    }
    for (int a = 0; a < 3; ++a)
        for (int j = 0; j < 3; ++j)
            g[3 * a + j] = G[3 * a] * V[j] + G[3 * a + 1] * V[3 + j] + G[3 * a + 2] * V[6 + j];
    for (int a = 0; a < 3; ++a)
        for (int b = a; b < 3; ++b) {
            const Pack *ga = g + 3 * a, *gb = g + 3 * b;
            Pack turned[9], half[9];
            for (int i = 0; i < 3; ++i)
                for (int k = 0; k < 3; ++k) {
                    if (i != k) {
                        turned[3 * i + k] = psi[block[3 * i + k]] * (ga[i] * gb[k]) +
                                            crossed[HESSIAN_PAIR(i, k)] * (ga[k] * gb[i]);
                        continue;
                    }
                    const int j = (i + 1) % 3, l = (i + 2) % 3;
                    turned[4 * i] = psi[i] * (ga[i] * gb[i]) +
                                    straight[HESSIAN_PAIR(i, j)] * (ga[j] * gb[j]) +
                                    straight[HESSIAN_PAIR(i, l)] * (ga[l] * gb[l]);
                }
            for (int i = 0; i < 3; ++i)
                for (int k = 0; k < 3; ++k)
                    half[3 * i + k] =
                        U[3 * i] * turned[k] + U[3 * i + 1] * turned[3 + k] + U[3 * i + 2] * turned[6 + k];
            Pack *out = K[pair_of[a][b]];
            for (int i = 0; i < 3; ++i)
                for (int k = a == b ? i : 0; k < 3; ++k)
                    out[3 * i + k] = half[3 * i] * U[3 * k] + half[3 * i + 1] * U[3 * k + 1] +
                                     half[3 * i + 2] * U[3 * k + 2];
            for (int i = 1; i < 3 && a == b; ++i)
                for (int k = 0; k < i; ++k)
                    out[3 * i + k] = out[3 * k + i];
        }
    // G_0 = -(G_1 + G_2 + G_3)
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            const int at = 3 * i + k, turned = 3 * k + i;
            K[4][at] = -(K[1][at] + K[7][turned] + K[8][turned]);
            K[5][at] = -(K[7][at] + K[2][at] + K[9][turned]);
            K[6][at] = -(K[8][at] + K[9][at] + K[3][at]);
        }
    for (int i = 0; i < 3; ++i)
        for (int k = i; k < 3; ++k) {
            K[0][3 * i + k] = -(K[4][3 * k + i] + K[5][3 * k + i] + K[6][3 * k + i]);
            K[0][3 * k + i] = K[0][3 * i + k];
        }
}

// ---------------------------------------------------------------- for Lanes
/// piola_stress_pack for Lanes.
LANES_INLINE void piola_stress(const Lanes U[9], const Lanes stress[3], const Lanes V[9], Lanes P[9])
{
    for (int part = 0; part < PACKS_PER_LANES; ++part) {
        Pack u[9], v[9], values[3], result[9];
        packs_load(U, part, 9, u), packs_load(V, part, 9, v), packs_load(stress, part, 3, values);
        piola_stress_pack(u, values, v, result);
        packs_store(result, part, 9, P);
    }
}

/// H = d2 psi/dF2 from the twelve numbers of energy_hessian, its negative eigenvalues set to 0 if `project`.
LANES_INLINE void projected_hessian(const Lanes hessian[12], const Lanes U[9], const Lanes V[9], bool project,
                                    Lanes H[81])
{
    for (int part = 0; part < PACKS_PER_LANES; ++part) {
        Pack u[9], v[9], values[12], result[81];
        packs_load(U, part, 9, u), packs_load(V, part, 9, v), packs_load(hessian, part, 12, values);
        if (project)
            energy_hessian_project_pack(values);
        hessian_assemble_pack(values, u, v, result);
        packs_store(result, part, 81, H);
    }
}

#endif
