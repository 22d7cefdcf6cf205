/// The kernels of Newton's method, for the table of kernels.
#ifndef DEVICE_CPU_NEWTON_NEWTON_KERNELS_H
#define DEVICE_CPU_NEWTON_NEWTON_KERNELS_H

#include "device/cpu/kernels.h"
#include "device/cpu/terms/gather.h"

#include "base/svd3.h"
#include "physics/energy/energy.h"
#include "physics/energy/inversion.h"
#include "physics/energy/projected_hessian.h"

#include <string.h>

// ---------------------------------------------------------------- element Hessians
// Where pair (i, k) of two different axes stands in the lists of energy_hessian: 01 02 12.
#define AXIS_PAIR(i, k) ((i) + (k)-1)

// K[pair] = w sum_jl G_aj d2psi/dF_(ij)dF_(kl) G_bl for the pairs of corners in MatrixPair's order. In the axes u_i of
// space and v_j of the rest shape the Hessian has few entries: psi_ik on (ii)(kk), (flip + twist)/2 on (ik)(ik) and
// (flip - twist)/2 on (ik)(ki).
LANES_INLINE void element_matrix(const Pack hessian[12], const Pack U[9], const Pack V[9], const Pack G[9],
                                 Pack volume, Pack K[MATRIX_PAIRS][9])
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
                                            crossed[AXIS_PAIR(i, k)] * (ga[k] * gb[i]);
                        continue;
                    }
                    const int j = (i + 1) % 3, l = (i + 2) % 3;
                    turned[4 * i] = psi[i] * (ga[i] * gb[i]) + straight[AXIS_PAIR(i, j)] * (ga[j] * gb[j]) +
                                    straight[AXIS_PAIR(i, l)] * (ga[l] * gb[l]);
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

// Every lane's blocks to their places in the list of contributions.
LANES_INLINE void scatter_matrix(const Pack K[MATRIX_PAIRS][9], const int32_t (*slots)[LANE_COUNT], int part,
                                 double *contributions)
{
    for (int pair = 0; pair < MATRIX_PAIRS; ++pair)
        for (int l = 0; l < PACK_COUNT; ++l) {
            const int32_t slot = slots[pair][part * PACK_COUNT + l];
            double *to = contributions + 9 * (size_t)(slot >> 1);
            const int row = slot & 1 ? 3 : 1, column = slot & 1 ? 1 : 3; // stored column by column
            for (int i = 0; i < 3; ++i)
                for (int k = 0; k < 3; ++k)
                    to[row * i + column * k] = K[pair][3 * i + k][l];
        }
}

// svd3 of one block or of two side by side, with the same bits.
LANES_INLINE void decompose(int count, const Lanes (*f)[9], Lanes (*u)[9], Lanes (*sigma)[3], Lanes (*v)[9])
{
    if (count == 2)
        svd3_two(f, u, sigma, v);
    else
        svd3(f[0], u[0], sigma[0], v[0]);
}

// Density, corner forces and Hessian of block b, its F being decomposed.
LANES_INLINE void hessian_of_block(ElementBlocks *blocks, int32_t b, const Lanes u[9], const Lanes sigma[3],
                                   const Lanes v[9], bool project, double *contributions)
{
    const BlockMaterial *material = &blocks->materials[b];
    const Lanes kappa = lanes_set(material->kappa), lambda = lanes_set(material->lambda);
    Lanes stress[3], p[9];
    blocks->densities[b] = energy_density_above_rest(material->energy_model, sigma, kappa, lambda);
    energy_stress(material->energy_model, sigma, kappa, lambda, stress);
    compose(u, stress, v, p);
    for (int k = 0; k < 9; ++k)
        p[k] *= blocks->volumes[b];
    scatter_corners(blocks, b, p);
    for (int part = 0; part < PACKS_PER_LANES; ++part) {
        Pack U[9], V[9], G[9], s[3], volume, hessian[12], K[MATRIX_PAIRS][9];
        packs_load(u, part, 9, U), packs_load(v, part, 9, V), packs_load(sigma, part, 3, s);
        packs_load(blocks->gradients[b], part, 9, G), packs_load(&blocks->volumes[b], part, 1, &volume);
        energy_hessian_pack(material->energy_model, s, pack_set(material->kappa), pack_set(material->lambda),
                            hessian);
        if (project)
            energy_hessian_project_pack(hessian);
        element_matrix(hessian, U, V, G, volume, K);
        scatter_matrix((const Pack(*)[9])K, (const int32_t(*)[LANE_COUNT])blocks->matrix_slots[b], part,
                       contributions);
    }
}

static void newton_hessians(ElementBlocks *blocks, int32_t first, int32_t end, const double *x, bool project,
                            double *contributions)
{
    Lanes f[2][9], u[2][9], sigma[2][3], v[2][9];
    for (int32_t b = first; b < end; b += 2) {
        const int count = end - b < 2 ? 1 : 2;
        for (int n = 0; n < count; ++n)
            gather_gradient(blocks, b + n, x, f[n]);
        decompose(count, (const Lanes(*)[9])f, u, sigma, v);
        for (int n = 0; n < count; ++n)
            hessian_of_block(blocks, b + n, u[n], sigma[n], v[n], project, contributions);
    }
}

// ---------------------------------------------------------------- steps
static double newton_step_bound(const ElementBlocks *blocks, int32_t first, int32_t end, const double *x,
                                const double *d)
{
    Pack bound = pack_set(1.0);
    for (int32_t b = first; b < end; ++b) {
        if (!blocks->materials[b].never_inverts)
            continue;
        Lanes f[9], change[9];
        gather_gradient(blocks, b, x, f);
        gather_gradient(blocks, b, d, change);
        for (int part = 0; part < PACKS_PER_LANES; ++part) {
            Pack F[9], D[9], valid;
            packs_load(f, part, 9, F), packs_load(change, part, 9, D);
            packs_load(&blocks->valid[b], part, 1, &valid);
            bound = pack_min(bound, inversion_bound(F, D, pack_less(pack_set(0.0), valid)));
        }
    }
    double smallest = 1;
    for (int l = 0; l < PACK_COUNT; ++l)
        smallest = bound[l] < smallest ? bound[l] : smallest;
    return smallest;
}

// Sums of TrialSums for one step length, lane by lane.
typedef struct TrialLanes {
    Lanes difference, slope, magnitude;
} TrialLanes;

// Adds block b at a trial whose F is decomposed, D being the change of F along the whole direction.
LANES_INLINE void try_block(const ElementBlocks *blocks, int32_t b, const Lanes u[9], const Lanes sigma[3],
                            const Lanes v[9], const Lanes D[9], TrialLanes *sums)
{
    const BlockMaterial *material = &blocks->materials[b];
    const Lanes kappa = lanes_set(material->kappa), lambda = lanes_set(material->lambda), zero = lanes_set(0);
    const Lanes volume = blocks->volumes[b], start = blocks->densities[b];
    const Lanes density = energy_density_above_rest(material->energy_model, sigma, kappa, lambda);
    Lanes stress[3], power = zero, work = zero;
    energy_stress(material->energy_model, sigma, kappa, lambda, stress);
    for (int m = 0; m < 3; ++m) {
        Lanes along = zero; // u_m . D v_m
        for (int i = 0; i < 3; ++i)
            along += u[3 * i + m] * (D[3 * i] * v[m] + D[3 * i + 1] * v[3 + m] + D[3 * i + 2] * v[6 + m]);
        power += stress[m] * along;
        work += lanes_abs(stress[m] * sigma[m]);
    }
    const LaneMask valid = lanes_less(zero, blocks->valid[b]),
                   finite = valid & lanes_less(density, lanes_set(INFINITY));
    sums->difference += lanes_select(valid, volume * (density - start), zero);
    sums->slope += lanes_select(finite, volume * power, zero);
    sums->magnitude += lanes_select(finite, volume * (lanes_abs(density) + lanes_abs(start) + work), zero);
}

static void newton_trials(const ElementBlocks *blocks, int32_t first, int32_t end, const double *x,
                          const double *d, int trial_count, const double steps[NEWTON_TRIALS],
                          TrialSums *sums)
{
    TrialLanes lanes[NEWTON_TRIALS];
    Lanes f[2][9], change[2][9], trial[2][9], u[2][9], sigma[2][3], v[2][9];
    memset(lanes, 0, sizeof lanes);
    for (int32_t b = first; b < end; b += 2) {
        const int count = end - b < 2 ? 1 : 2;
        for (int n = 0; n < count; ++n) {
            gather_gradient(blocks, b + n, x, f[n]);
            gather_gradient(blocks, b + n, d, change[n]);
        }
        for (int i = 0; i < trial_count; ++i) {
            for (int n = 0; n < count; ++n)
                for (int k = 0; k < 9; ++k)
                    trial[n][k] = f[n][k] + steps[i] * change[n][k];
            decompose(count, (const Lanes(*)[9])trial, u, sigma, v);
            for (int n = 0; n < count; ++n)
                try_block(blocks, b + n, u[n], sigma[n], v[n], change[n], &lanes[i]);
        }
    }
    for (int i = 0; i < trial_count; ++i) {
        sums->difference[i] = sum_of(lanes[i].difference);
        sums->slope[i] = sum_of(lanes[i].slope);
        sums->magnitude[i] = sum_of(lanes[i].magnitude);
    }
}

// ---------------------------------------------------------------- the matrix
// a x of one block. A column is read as four numbers, of which the last one is not used.
LANES_INLINE Quad multiply_block(const double *a, const double *x)
{
    return x[0] * *(const UnalignedQuad *)a + x[1] * *(const UnalignedQuad *)(a + 3) +
           x[2] * *(const UnalignedQuad *)(a + 6);
}

// y_i = sum_j A_ij x_j, in two halves, so that one addition does not wait for the last.
static void block_multiply(const BlockMatrix *matrix, int32_t first, int32_t end, const double *x, double *y)
{
    for (int32_t i = first; i < end; ++i) {
        Quad even = {0}, odd = {0};
        int32_t p = matrix->row_start[i];
        const int32_t last = matrix->row_start[i + 1];
        const double *a = matrix->values + 9 * (size_t)p;
        for (; p + 1 < last; p += 2, a += 18) {
            even += multiply_block(a, x + 3 * (size_t)matrix->columns[p]);
            odd += multiply_block(a + 9, x + 3 * (size_t)matrix->columns[p + 1]);
        }
        if (p < last)
            even += multiply_block(a, x + 3 * (size_t)matrix->columns[p]);
        const Quad sum = even + odd;
        for (int k = 0; k < 3; ++k)
            y[3 * (size_t)i + (size_t)k] = sum[k];
    }
}

#endif
