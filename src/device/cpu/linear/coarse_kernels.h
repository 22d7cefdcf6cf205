/// The kernels of the preconditioner's coarse space, for the table of kernels.
#ifndef DEVICE_CPU_LINEAR_COARSE_KERNELS_H
#define DEVICE_CPU_LINEAR_COARSE_KERNELS_H

#include "device/cpu/linear/motion_kernels.h"

#include <math.h>
#include <string.h>

/// Rows that are eliminated together, so that the rest of the matrix is read and written once for all of them.
enum { PANEL = 4 };

/// A pivot this much smaller than the diagonal was, or negative, belongs to a motion that the others make up already, or
/// along which the matrix is not positive definite.
#define SMALLEST_PIVOT 1e-12

// The parts behind each that it is coupled to. Eliminating it couples them with each other.
static void coarse_fill(CoarseSpace *space)
{
    const int32_t parts = space->matrix->part_count;
    for (int32_t part = 0; part < parts; ++part) {
        int32_t *later = space->later + (size_t)parts * (size_t)part, count = 0;
        for (int32_t other = part + 1; other < parts; ++other)
            if (space->couples[(size_t)parts * (size_t)part + (size_t)other])
                later[count++] = other;
        for (int32_t a = 0; a < count; ++a)
            for (int32_t b = a + 1; b < count; ++b)
                coarse_begin_block(space, later[a], later[b]);
        space->later_count[part] = count;
    }
}

// Those of one part.
LANES_INLINE const int32_t *coarse_later(const CoarseSpace *space, int32_t part)
{
    return space->later + (size_t)space->matrix->part_count * (size_t)part;
}

// row -= factor other, over `count` numbers, a multiple of 4
LANES_INLINE void coarse_subtract(double *row, double factor, const double *other, int32_t count)
{
    for (int32_t c = 0; c < count; c += 4)
        *(UnalignedQuad *)(row + c) -= factor * *(const UnalignedQuad *)(other + c);
}

// Row i less what a panel's rows take from it: from its own column on (and some before it, which nobody reads) in its own part, and
// over the `count` parts of `later`.
static inline void coarse_subtract_panel(CoarseSpace *space, double *const rows[PANEL],
                                         const double *inverses, int32_t i, const int32_t *later,
                                         int32_t count)
{
    double *row = space->values + (size_t)i * (size_t)space->stride, factors[PANEL];
    for (int r = 0; r < PANEL; ++r)
        factors[r] = rows[r][i] * inverses[r];
    int32_t c = i / 4 * 4, end = COARSE_MODES * (i / COARSE_MODES + 1);
    for (int32_t next = 0;; ++next) {
        for (; c < end; c += 4)
            *(UnalignedQuad *)(row + c) -= (factors[0] * *(const UnalignedQuad *)(rows[0] + c) +
                                            factors[1] * *(const UnalignedQuad *)(rows[1] + c)) +
                                           (factors[2] * *(const UnalignedQuad *)(rows[2] + c) +
                                            factors[3] * *(const UnalignedQuad *)(rows[3] + c));
        if (next == count)
            break;
        c = COARSE_MODES * later[next];
        end = c + COARSE_MODES;
    }
}

// What is behind each part, and the diagonal, until its pivots are known.
static void coarse_begin_factor(CoarseSpace *space)
{
    coarse_fill(space);
    for (int32_t k = 0; k < space->size; ++k)
        space->inverse_pivots[k] = space->values[(size_t)k * (size_t)space->stride + (size_t)k];
}

static inline void coarse_panel_rows(const CoarseSpace *space, int32_t k, double *rows[PANEL])
{
    for (int r = 0; r < PANEL; ++r)
        rows[r] = space->values + (size_t)(k + r) * (size_t)space->stride;
}

// Eliminates the motions of a part from one another, once those before have been taken from them.
static void coarse_factor_part(CoarseSpace *space, int32_t part)
{
    double *inverses = space->inverse_pivots;
    const int32_t end = COARSE_MODES * (part + 1), count = space->later_count[part];
    const int32_t *later = coarse_later(space, part);
    for (int32_t k = COARSE_MODES * part; k < end; k += PANEL) {
        double *rows[PANEL];
        coarse_panel_rows(space, k, rows);
        for (int r = 0; r < PANEL; ++r) {
            for (int q = 0; q < r; ++q) {
                const double factor = rows[q][k + r] * inverses[k + q];
                coarse_subtract(rows[r] + k, factor, rows[q] + k, end - k);
                for (int32_t p = 0; p < count; ++p) {
                    const int32_t c = COARSE_MODES * later[p];
                    coarse_subtract(rows[r] + c, factor, rows[q] + c, COARSE_MODES);
                }
            }
            const double pivot = rows[r][k + r];
            inverses[k + r] = pivot > SMALLEST_PIVOT * inverses[k + r] ? 1 / pivot : 0;
        }
        for (int32_t i = k + PANEL; i < end; ++i)
            coarse_subtract_panel(space, rows, inverses + k, i, later, count);
    }
}

// Takes a part, which is factored, from the one that is number p behind it.
static void coarse_take_part(CoarseSpace *space, int32_t part, int32_t p)
{
    const int32_t *later = coarse_later(space, part);
    const int32_t first = COARSE_MODES * later[p], count = space->later_count[part] - p - 1;
    for (int32_t k = COARSE_MODES * part; k < COARSE_MODES * (part + 1); k += PANEL) {
        double *rows[PANEL];
        coarse_panel_rows(space, k, rows);
        for (int32_t i = first; i < first + COARSE_MODES; ++i)
            coarse_subtract_panel(space, rows, space->inverse_pivots + k, i, later + p + 1, count);
    }
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

// What x has in the columns of a part, 12 numbers, less what `count` rows of another part take from it.
LANES_INLINE void coarse_eliminate(const double *rows, int32_t stride, const double *factors, int32_t count,
                                   double *x)
{
    UnalignedQuad *to = (UnalignedQuad *)x;
    Quad x0 = to[0], x1 = to[1], x2 = to[2];
    for (int32_t k = 0; k < count; ++k) {
        const UnalignedQuad *row = (const UnalignedQuad *)(rows + (size_t)k * (size_t)stride);
        x0 -= factors[k] * row[0];
        x1 -= factors[k] * row[1];
        x2 -= factors[k] * row[2];
    }
    to[0] = x0;
    to[1] = x1;
    to[2] = x2;
}

// right becomes the solution; returns their dot product.
static double coarse_solve(CoarseSpace *space)
{
    const int32_t stride = space->stride, parts = space->matrix->part_count;
    double *x = space->right, product = 0;
    for (int32_t part = 0; part < parts; ++part) {
        const int32_t first = COARSE_MODES * part;
        const double *rows = space->values + (size_t)first * (size_t)stride;
        for (int32_t k = 0; k < COARSE_MODES; ++k) {
            const double reduced = x[first + k];
            x[first + k] *= space->inverse_pivots[first + k];
            product += reduced * x[first + k];
            for (int32_t c = k + 1; c < COARSE_MODES; ++c)
                x[first + c] -= x[first + k] * rows[(size_t)k * (size_t)stride + (size_t)(first + c)];
        }
        for (int32_t p = 0; p < space->later_count[part]; ++p) {
            const int32_t c = COARSE_MODES * coarse_later(space, part)[p];
            coarse_eliminate(rows + c, stride, x + first, COARSE_MODES, x + c);
        }
    }
    for (int32_t part = parts - 1; part >= 0; --part) {
        const int32_t first = COARSE_MODES * part;
        for (int32_t k = first + COARSE_MODES - PANEL; k >= first; k -= PANEL) {
            const double *rows = space->values + (size_t)k * (size_t)stride;
            Quad sums[PANEL] = {{0}};
            for (int32_t p = 0; p < space->later_count[part]; ++p) {
                const int32_t c = COARSE_MODES * coarse_later(space, part)[p];
                const UnalignedQuad *from = (const UnalignedQuad *)(x + c);
                const Quad x0 = from[0], x1 = from[1], x2 = from[2];
                for (int r = 0; r < PANEL; ++r) {
                    const UnalignedQuad *row =
                        (const UnalignedQuad *)(rows + (size_t)r * (size_t)stride + (size_t)c);
                    sums[r] += row[0] * x0 + (row[1] * x1 + row[2] * x2);
                }
            }
            for (int r = PANEL - 1; r >= 0; --r) {
                double sum = (sums[r][0] + sums[r][1]) + (sums[r][2] + sums[r][3]);
                for (int32_t c = k + r + 1; c < first + COARSE_MODES; ++c)
                    sum += rows[(size_t)r * (size_t)stride + (size_t)c] * x[c];
                x[k + r] -= space->inverse_pivots[k + r] * sum;
            }
        }
    }
    return product;
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
