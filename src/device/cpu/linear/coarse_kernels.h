/// The kernels of the preconditioner's coarse space, for the table of kernels.
#ifndef DEVICE_CPU_LINEAR_COARSE_KERNELS_H
#define DEVICE_CPU_LINEAR_COARSE_KERNELS_H

#include "device/cpu/linear/motion_kernels.h"

#include <math.h>
#include <string.h>

/// Rows of a block that are told together: what is read for one serves all of them.
enum { ROWS_AT_ONCE = 4 };

/// A pivot this much smaller than the diagonal was, or negative, belongs to a motion that the others make up already, or
/// along which the matrix is not positive definite.
#define SMALLEST_PIVOT 1e-12

// to += factors^T rows, blocks of two parts; `rows` is another one than `to`.
LANES_INLINE void coarse_add_product(const double *factors, const double *rows, double *to)
{
    for (int i = 0; i < COARSE_MODES; i += ROWS_AT_ONCE) {
        Quad sums[ROWS_AT_ONCE][3];
        for (int r = 0; r < ROWS_AT_ONCE; ++r)
            for (int m = 0; m < 3; ++m)
                sums[r][m] = ((const UnalignedQuad *)(to + COARSE_MODES * (i + r)))[m];
        for (int k = 0; k < COARSE_MODES; ++k) {
            const UnalignedQuad *row = (const UnalignedQuad *)(rows + COARSE_MODES * k);
            for (int r = 0; r < ROWS_AT_ONCE; ++r)
                for (int m = 0; m < 3; ++m)
                    sums[r][m] += factors[COARSE_MODES * k + i + r] * row[m];
        }
        for (int r = 0; r < ROWS_AT_ONCE; ++r)
            for (int m = 0; m < 3; ++m)
                ((UnalignedQuad *)(to + COARSE_MODES * (i + r)))[m] = sums[r][m];
    }
}

// row -= factor other, from column `first` on; some before it, which are 0 or not read, are taken along.
LANES_INLINE void coarse_subtract(double *row, double factor, const double *other, int first)
{
    for (int c = first / 4 * 4; c < COARSE_MODES; c += 4)
        *(UnalignedQuad *)(row + c) -= factor * *(const UnalignedQuad *)(other + c);
}

// A block on the diagonal becomes L^-T of its L D L^T. `inverses`: its diagonal, before anything was taken from it, then D^-1.
static inline void coarse_factor_block(double *block, double inverses[COARSE_MODES])
{
    for (int k = 0; k < COARSE_MODES; ++k) { // D L^T
        const double *row = block + COARSE_MODES * k, pivot = row[k];
        inverses[k] = pivot > SMALLEST_PIVOT * inverses[k] ? 1 / pivot : 0;
        for (int i = k + 1; i < COARSE_MODES; ++i)
            coarse_subtract(block + COARSE_MODES * i, row[i] * inverses[k], row, i);
    }
    for (int k = COARSE_MODES - 1; k >= 0; --k) {
        double *row = block + COARSE_MODES * k, factors[COARSE_MODES];
        for (int c = 0; c < COARSE_MODES; ++c) {
            factors[c] = inverses[k] * row[c];
            row[c] = c == k;
        }
        for (int c = k + 1; c < COARSE_MODES; ++c)
            coarse_subtract(row, factors[c], block + COARSE_MODES * c, c);
    }
}

// Eliminates the motions of a part from one another, once those before have been taken from them.
static void coarse_factor_part(CoarseSpace *space, int32_t part)
{
    double *own = coarse_block(space, part, part), rows[COARSE_MODES * COARSE_MODES];
    coarse_factor_block(own, space->inverse_pivots + COARSE_MODES * (size_t)part);
    for (int32_t p = 0; p < space->later_count[part]; ++p) {
        double *block = coarse_block(space, part, coarse_later(space, part)[p]);
        memcpy(rows, block, sizeof rows);
        memset(block, 0, sizeof rows);
        coarse_add_product(own, rows, block);
    }
}

// Takes a part, which is factored, from the one that is number p behind it.
static void coarse_take_part(CoarseSpace *space, int32_t part, int32_t p)
{
    const int32_t *later = coarse_later(space, part);
    const double *block = coarse_block(space, part, later[p]),
                 *inverses = space->inverse_pivots + COARSE_MODES * (size_t)part;
    double factors[COARSE_MODES * COARSE_MODES];
    for (int k = 0; k < COARSE_MODES * COARSE_MODES; ++k)
        factors[k] = -inverses[k / COARSE_MODES] * block[k];
    for (int32_t next = p; next < space->later_count[part]; ++next)
        coarse_add_product(factors, coarse_block(space, part, later[next]),
                           coarse_block(space, later[p], later[next]));
}

// What the rows of a cluster have of its motions.
LANES_INLINE void cluster_sums(const CoarseSpace *space, const GroupMotions *motions,
                               const ClusterMotions *cluster, const double *r, Quad sums[3])
{
    if (motions->kind == MOTIONS_AFFINE) {
        memset(sums, 0, 3 * sizeof *sums);
        for (int32_t i = cluster->first; i < cluster->end; ++i)
            for (int k = 0; k < 3; ++k)
                sums[k] += r[3 * (size_t)i + (size_t)k] * coarse_arm(space, i);
        return;
    }
    ThinMoments moments = {{{{0}}}};
    for (int32_t i = cluster->first; i < cluster->end; ++i)
        thin_add(motions->kind, coarse_arm(space, i),
                 to_frame(motions, r[3 * (size_t)i], r[3 * (size_t)i + 1], r[3 * (size_t)i + 2]), &moments);
    thin_gather(motions->kind, &moments, sums);
}

// right of a part: the sum of r over its motions; those of its clusters alone are solved for. Returns the latters' product with r.
static double coarse_restrict(CoarseSpace *space, int32_t part, const double *r)
{
    Quad all[3] = {{0}}, products = {0};
    for (int32_t c = space->first_cluster[part]; c < space->first_cluster[part + 1]; ++c) {
        ClusterMotions *cluster = &space->clusters[c];
        Quad sums[3], motions[3] = {{0}};
        cluster_sums(space, &space->motions[part], cluster, r, sums);
        const UnalignedQuad *inverse = (const UnalignedQuad *)cluster->inverse;
        for (int k = 0; k < COARSE_MODES; ++k)
            for (int m = 0; m < 3; ++m)
                motions[m] += sums[k / 4][k % 4] * inverse[3 * k + m];
        for (int m = 0; m < 3; ++m) {
            ((UnalignedQuad *)cluster->motion)[m] = motions[m];
            products += motions[m] * sums[m];
            all[m] += sums[m];
        }
    }
    for (int k = 0; k < 3; ++k)
        ((UnalignedQuad *)(space->right + COARSE_MODES * (size_t)part))[k] = all[k];
    return (products[0] + products[1]) + (products[2] + products[3]);
}

// What the rows that deviate by a part's motions, its own and others', add to its right.
static void coarse_restrict_deviations(CoarseSpace *space, int32_t part, const double *r)
{
    const MotionDeviations *deviations = space->deviations;
    UnalignedQuad *right = (UnalignedQuad *)(space->right + COARSE_MODES * (size_t)part);
    Quad sums[3] = {{0}};
    for (int32_t p = deviations->part_start[part]; p < deviations->part_start[part + 1]; ++p) {
        const int32_t d = deviations->of_part[p];
        const double *of_row = r + 3 * (size_t)deviations->rows[d];
        for (int m = 0; m < 3; ++m)
            sums[m] += of_row[0] * deviation_quad(deviations, d, 0, m) +
                       (of_row[1] * deviation_quad(deviations, d, 1, m) +
                        of_row[2] * deviation_quad(deviations, d, 2, m));
    }
    for (int m = 0; m < 3; ++m)
        right[m] += sums[m];
}

// to += factors block
LANES_INLINE void coarse_add_rows(const double *block, const double factors[COARSE_MODES], Quad to[3])
{
    const UnalignedQuad *row = (const UnalignedQuad *)block;
    Quad odd[3] = {{0}};
    for (int k = 0; k < COARSE_MODES; k += 2, row += 6)
        for (int m = 0; m < 3; ++m) {
            to[m] += factors[k] * row[m];
            odd[m] += factors[k + 1] * row[3 + m];
        }
    for (int m = 0; m < 3; ++m)
        to[m] += odd[m];
}

// What each of four rows has of x, 12 numbers, in parts that are to be summed.
LANES_INLINE void coarse_add_products(const double *rows, const UnalignedQuad *x, Quad sums[ROWS_AT_ONCE])
{
    const UnalignedQuad *row = (const UnalignedQuad *)rows;
    for (int r = 0; r < ROWS_AT_ONCE; ++r, row += 3)
        sums[r] += row[0] * x[0] + (row[1] * x[1] + row[2] * x[2]);
}

// L^-1 of the right-hand sides of the parts whose turns are first to end - 1, and D^-1; what later ones take from them goes to `rest`. Returns
// the product of both.
static double coarse_forward(CoarseSpace *space, int32_t first, int32_t end, double *rest)
{
    const CoarseOrder *order = &space->order;
    Quad products = {0};
    for (int32_t turn = first; turn < end; ++turn) {
        const int32_t part = order->parts[turn];
        double *own = space->right + COARSE_MODES * (size_t)part;
        const UnalignedQuad *inverses =
            (const UnalignedQuad *)(space->inverse_pivots + COARSE_MODES * (size_t)part);
        Quad reduced[3] = {{0}};
        coarse_add_rows(coarse_block(space, part, part), own, reduced);
        for (int m = 0; m < 3; ++m) {
            const Quad scaled = reduced[m] * inverses[m];
            products += reduced[m] * scaled;
            ((UnalignedQuad *)own)[m] = scaled;
        }
        for (int32_t p = 0; p < space->later_count[part]; ++p) {
            const int32_t other = coarse_later(space, part)[p];
            double *to = order->turns[other] < end ? space->right : rest;
            UnalignedQuad *x = (UnalignedQuad *)(to + COARSE_MODES * (size_t)other);
            Quad taken[3] = {{0}};
            coarse_add_rows(coarse_block(space, part, other), own, taken);
            for (int m = 0; m < 3; ++m)
                x[m] -= taken[m];
        }
    }
    return (products[0] + products[1]) + (products[2] + products[3]);
}

// L^-T of the same, those of later turns being known.
static void coarse_backward(CoarseSpace *space, int32_t first, int32_t end)
{
    for (int32_t turn = end; turn-- > first;) {
        const int32_t part = space->order.parts[turn];
        const double *block = coarse_block(space, part, part);
        UnalignedQuad *own = (UnalignedQuad *)(space->right + COARSE_MODES * (size_t)part), left[3];
        const UnalignedQuad *inverses =
            (const UnalignedQuad *)(space->inverse_pivots + COARSE_MODES * (size_t)part);
        for (int m = 0; m < 3; ++m) {
            Quad sums[ROWS_AT_ONCE] = {{0}};
            for (int32_t p = 0; p < space->later_count[part]; ++p) {
                const int32_t other = coarse_later(space, part)[p];
                coarse_add_products(coarse_block(space, part, other) + ROWS_AT_ONCE * COARSE_MODES * m,
                                    (const UnalignedQuad *)(space->right + COARSE_MODES * (size_t)other),
                                    sums);
            }
            left[m] = own[m] - inverses[m] * sum_all(sums);
        }
        for (int m = 0; m < 3; ++m) {
            Quad sums[ROWS_AT_ONCE] = {{0}};
            coarse_add_products(block + ROWS_AT_ONCE * COARSE_MODES * m, left, sums);
            own[m] = sum_all(sums);
        }
    }
}

// y = z + b y of a row, z with what it is moved by.
LANES_INLINE void row_turn(int32_t row, const double *z, Quad moved, double b, double *y)
{
    for (size_t k = 0; k < 3; ++k)
        y[3 * (size_t)row + k] = (z[3 * (size_t)row + k] + moved[k]) + b * y[3 * (size_t)row + k];
}

// The same of a plate's or rod's rows from `first` on, which the motions d move.
LANES_INLINE void thin_turn(const CoarseSpace *space, const GroupMotions *motions, int32_t first, int32_t end,
                            const Quad d[3], const double *z, double b, double *y)
{
    ThinMoments moments;
    thin_spread(motions->kind, d, &moments);
    for (int32_t i = first; i < end; ++i) {
        const Quad arm = coarse_arm(space, i);
        Quad monomials[2], local[3];
        thin_monomials(motions->kind, arm, monomials);
        for (int k = 0; k < 3; ++k)
            local[k] = arm * (moments.of[k][0] +
                              (monomials[0][k] * moments.of[k][1] + monomials[1][k] * moments.of[k][2]));
        row_turn(i, z, from_frame(motions, sum_each(local[0], local[1], local[2])), b, y);
    }
}

// Moves y of a part's rows by how they deviate.
static void coarse_turn_deviations(const CoarseSpace *space, int32_t part, double *y)
{
    const MotionDeviations *deviations = space->deviations;
    const int32_t *starts = space->matrix->part_start;
    for (int32_t row = starts[part]; row < starts[part + 1]; ++row) {
        Quad moved[3] = {{0}};
        if (deviations->row_start[row] == deviations->row_start[row + 1])
            continue;
        for (int32_t d = deviations->row_start[row]; d < deviations->row_start[row + 1]; ++d) {
            const UnalignedQuad *motion =
                (const UnalignedQuad *)(space->right + COARSE_MODES * (size_t)deviations->parts[d]);
            for (int k = 0; k < 3; ++k)
                for (int m = 0; m < 3; ++m)
                    moved[k] += deviation_quad(deviations, d, k, m) * motion[m];
        }
        const Quad sums = sum_each(moved[0], moved[1], moved[2]);
        for (size_t k = 0; k < 3; ++k)
            y[3 * (size_t)row + k] += sums[k];
    }
}

// y = z + b y, z with the motions of a part and of its clusters, and with how rows deviate.
static void coarse_turn(const CoarseSpace *space, int32_t part, const double *z, double b, double *y)
{
    const UnalignedQuad *motion = (const UnalignedQuad *)(space->right + COARSE_MODES * (size_t)part);
    for (int32_t c = space->first_cluster[part]; c < space->first_cluster[part + 1]; ++c) {
        const ClusterMotions *cluster = &space->clusters[c];
        const UnalignedQuad *own = (const UnalignedQuad *)cluster->motion;
        const Quad d[3] = {motion[0] + own[0], motion[1] + own[1], motion[2] + own[2]};
        if (space->motions[part].kind != MOTIONS_AFFINE)
            thin_turn(space, &space->motions[part], cluster->first, cluster->end, d, z, b, y);
        else
            for (int32_t i = cluster->first; i < cluster->end; ++i) {
                const Quad arm = coarse_arm(space, i);
                row_turn(i, z, sum_each(arm * d[0], arm * d[1], arm * d[2]), b, y);
            }
    }
    if (space->deviations)
        coarse_turn_deviations(space, part, y);
}

#endif
