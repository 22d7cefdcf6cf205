/// The kernels of the preconditioner's coarse space, for the table of kernels.
#ifndef DEVICE_CPU_LINEAR_COARSE_KERNELS_H
#define DEVICE_CPU_LINEAR_COARSE_KERNELS_H

#include "base/lanes.h"
#include "device/cpu/linear/coarse_space.h"
#include "device/cpu/linear/quad.h"

#include <math.h>
#include <string.h>

/// Rows that are eliminated together, so that the rest of the matrix is read and written once for all of them.
enum { PANEL = 4 };

/// A pivot this much smaller than the diagonal was, or negative, belongs to a motion that the others make up already, or
/// along which the matrix is not positive definite.
#define SMALLEST_PIVOT 1e-12
/// The same in a cluster of affine motions; of others SMALLEST_THIN_PIVOT.
#define SMALLEST_CLUSTER_PIVOT 1e-8

/// Where a row's sums go: the block of a cluster, or that of two parts.
typedef struct MotionBlock {
    double *values;
    int32_t stride;
} MotionBlock;

static inline MotionBlock coarse_block(const CoarseSpace *space, int32_t part, int32_t other)
{
    return (MotionBlock){space->values + (size_t)(COARSE_MODES * part) * (size_t)space->stride +
                             COARSE_MODES * (size_t)other,
                         space->stride};
}

static inline MotionBlock cluster_block(const CoarseSpace *space, int32_t cluster)
{
    return (MotionBlock){space->clusters[cluster].inverse, COARSE_MODES};
}

// 1, and where a row stands in its part.
LANES_INLINE Quad coarse_arm(const CoarseSpace *space, int32_t row)
{
    const Quad one = {1};
    const UnalignedFloats arm = *(const UnalignedFloats *)(space->arms + 3 * (size_t)row);
    return __builtin_shufflevector(one, __builtin_convertvector(arm, Quad), 0, 5, 6, 7);
}

// What plates and rods have of the motions in abi/coarse.h is made of moments: of each component of a vector along the frame the sums of 1, u, v, w, and of the same times
// two other monomials.
typedef struct ThinMoments {
    Quad of[3][3]; // component, monomial
} ThinMoments;

// Those monomials, for each component.
LANES_INLINE void thin_monomials(int32_t kind, Quad arm, Quad monomials[2])
{
    const double u = arm[1], v = arm[2], w = arm[3];
    if (kind == MOTIONS_PLATE) {
        monomials[0] = (Quad){w, w, u};
        monomials[1] = (Quad){0, 0, v};
    } else {
        monomials[0] = (Quad){u, u, u};
        monomials[1] = monomials[0] * u;
    }
}

// Adds a row's vector, along the frame.
LANES_INLINE void thin_add(int32_t kind, Quad arm, Quad local, ThinMoments *moments)
{
    Quad monomials[2];
    thin_monomials(kind, arm, monomials);
    const Quad first = local * monomials[0], second = local * monomials[1];
    for (int k = 0; k < 3; ++k) {
        moments->of[k][0] += local[k] * arm;
        moments->of[k][1] += first[k] * arm;
        moments->of[k][2] += second[k] * arm;
    }
}

// The sums over motions that moments make.
LANES_INLINE void thin_gather(int32_t kind, const ThinMoments *moments, Quad sums[3])
{
    const Quad *x = moments->of[0], *y = moments->of[1], *z = moments->of[2];
    if (kind == MOTIONS_PLATE) {
        sums[0] = (Quad){x[0][0], x[0][1], x[0][2], z[1][1] - 2 * x[1][1]};
        sums[1] = (Quad){y[0][0], y[0][1], y[0][2], z[2][2] - 2 * y[1][2]};
        sums[2] = (Quad){z[0][0], z[0][1] - x[0][3], z[0][2] - y[0][3], z[1][2] - (x[1][2] + y[1][1])};
    } else {
        sums[0] = (Quad){x[0][0], x[0][1], z[0][2] - y[0][3], z[1][2] - y[1][3]};
        sums[1] = (Quad){y[0][0], y[0][1] - x[0][2], y[1][1] - 2 * x[1][2], y[2][1] - 3 * x[2][2]};
        sums[2] = (Quad){z[0][0], z[0][1] - x[0][3], z[1][1] - 2 * x[1][3], z[2][1] - 3 * x[2][3]};
    }
}

// The transpose: what each monomial has of the motions d.
LANES_INLINE void thin_spread(int32_t kind, const Quad d[3], ThinMoments *moments)
{
    const Quad none = {0}, a = d[0], b = d[1], c = d[2];
    Quad *x = moments->of[0], *y = moments->of[1], *z = moments->of[2];
    if (kind == MOTIONS_PLATE) {
        x[0] = (Quad){a[0], a[1], a[2], -c[1]};
        x[1] = (Quad){0, -2 * a[3], -c[3], 0};
        x[2] = y[2] = none;
        y[0] = (Quad){b[0], b[1], b[2], -c[2]};
        y[1] = (Quad){0, -c[3], -2 * b[3], 0};
        z[0] = (Quad){c[0], c[1], c[2], 0};
        z[1] = (Quad){0, a[3], c[3], 0};
        z[2] = (Quad){0, 0, b[3], 0};
    } else {
        x[0] = (Quad){a[0], a[1], -b[1], -c[1]};
        x[1] = (Quad){0, 0, -2 * b[2], -2 * c[2]};
        x[2] = (Quad){0, 0, -3 * b[3], -3 * c[3]};
        y[0] = (Quad){b[0], b[1], 0, -a[2]};
        y[1] = (Quad){0, b[2], 0, -a[3]};
        y[2] = (Quad){0, b[3], 0, 0};
        z[0] = (Quad){c[0], c[1], a[2], 0};
        z[1] = (Quad){0, c[2], a[3], 0};
        z[2] = (Quad){0, c[3], 0, 0};
    }
}

// A vector in space along a group's frame, and back.
LANES_INLINE Quad to_frame(const GroupMotions *motions, double x, double y, double z)
{
    const double *e = motions->frame;
    return x * (Quad){e[0], e[3], e[6]} + (y * (Quad){e[1], e[4], e[7]} + z * (Quad){e[2], e[5], e[8]});
}

LANES_INLINE Quad from_frame(const GroupMotions *motions, Quad local)
{
    const double *e = motions->frame;
    return local[0] * (Quad){e[0], e[1], e[2]} +
           (local[1] * (Quad){e[3], e[4], e[5]} + local[2] * (Quad){e[6], e[7], e[8]});
}

// The motions of a row along the axes of its frame.
LANES_INLINE void thin_motions(int32_t kind, Quad arm, Quad along[3][3])
{
    for (int axis = 0; axis < 3; ++axis) {
        ThinMoments moments = {{{{0}}}};
        thin_add(kind, arm, (Quad){axis == 0, axis == 1, axis == 2}, &moments);
        thin_gather(kind, &moments, along[axis]);
    }
}

// sums: `count` blocks, column by column, times the motions of their columns, of one part.
LANES_INLINE void motions_multiply(const CoarseSpace *space, int32_t part, int32_t count,
                                   const int32_t *columns, const double *blocks, Quad sums[3][3])
{
    const GroupMotions *motions = &space->motions[part];
    if (motions->kind == MOTIONS_AFFINE) {
        memset(sums, 0, 9 * sizeof **sums);
        for (int32_t p = 0; p < count; ++p)
            for (int k = 0; k < 3; ++k)
                for (int m = 0; m < 3; ++m)
                    sums[k][m] += blocks[9 * (size_t)p + (size_t)(3 * m + k)] * coarse_arm(space, columns[p]);
        return;
    }
    ThinMoments moments[3];
    memset(moments, 0, sizeof moments);
    for (int32_t p = 0; p < count; ++p) {
        const double *a = blocks + 9 * (size_t)p;
        for (int k = 0; k < 3; ++k)
            thin_add(motions->kind, coarse_arm(space, columns[p]),
                     to_frame(motions, a[k], a[3 + k], a[6 + k]), &moments[k]);
    }
    for (int k = 0; k < 3; ++k)
        thin_gather(motions->kind, &moments[k], sums[k]);
}

// Adds the motions of a row in a part, transposed, times the sums.
static inline void motion_block_add(const CoarseSpace *space, MotionBlock block, int32_t part, int32_t row,
                                    const Quad sums[3][3])
{
    const GroupMotions *motions = &space->motions[part];
    const Quad arm = coarse_arm(space, row);
    if (motions->kind != MOTIONS_AFFINE) {
        Quad along[3][3], turned[3][3];
        thin_motions(motions->kind, arm, along);
        for (int axis = 0; axis < 3; ++axis) {
            const double *e = motions->frame + 3 * axis;
            for (int m = 0; m < 3; ++m)
                turned[axis][m] = e[0] * sums[0][m] + e[1] * sums[1][m] + e[2] * sums[2][m];
        }
        for (int k = 0; k < COARSE_MODES; ++k) {
            double *to = block.values + (size_t)k * (size_t)block.stride;
            const double x = along[0][k / 4][k % 4], y = along[1][k / 4][k % 4], z = along[2][k / 4][k % 4];
            for (int m = 0; m < 3; ++m)
                *(UnalignedQuad *)(to + 4 * m) += x * turned[0][m] + y * turned[1][m] + z * turned[2][m];
        }
        return;
    }
    for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 4; ++l) {
            double *to = block.values + (size_t)(4 * k + l) * (size_t)block.stride;
            for (int m = 0; m < 3; ++m)
                *(UnalignedQuad *)(to + 4 * m) += arm[l] * sums[k][m];
        }
}

// The block of two parts is 0, and one of those that are not left out, if it was not yet.
static inline void coarse_begin_block(const CoarseSpace *space, int32_t part, int32_t other)
{
    uint8_t *couples = space->couples + (size_t)space->matrix->part_count * (size_t)part + (size_t)other;
    const MotionBlock block = coarse_block(space, part, other);
    for (int k = 0; !*couples && k < COARSE_MODES; ++k)
        memset(block.values + (size_t)k * (size_t)block.stride, 0, COARSE_MODES * sizeof *block.values);
    *couples = 1;
}

// The same to the block of two parts.
static inline void coarse_add_block(const CoarseSpace *space, int32_t row, int32_t part, int32_t other,
                                    const Quad sums[3][3])
{
    coarse_begin_block(space, part, other);
    motion_block_add(space, coarse_block(space, part, other), part, row, sums);
}

// The changing blocks of a row, one by one.
static inline void coarse_add_changing(const CoarseSpace *space, int32_t row, int32_t part, int32_t cluster)
{
    const BlockMatrix *matrix = space->matrix;
    const ChangingBlocks *blocks = &matrix->changing;
    int32_t other = part;
    for (int32_t p = blocks->row_start ? blocks->row_start[row] : 0;
         blocks->row_start && p < blocks->row_end[row] && blocks->columns[p] < matrix->row_count; ++p) {
        const int32_t j = blocks->columns[p];
        if (j < matrix->part_start[part])
            continue;
        while (j >= matrix->part_start[other + 1])
            ++other;
        Quad sums[3][3];
        motions_multiply(space, other, 1, &j, blocks->values[p], sums);
        if (j >= space->clusters[cluster].first && j < space->clusters[cluster].end)
            motion_block_add(space, cluster_block(space, cluster), part, row, (const Quad(*)[3])sums);
        else
            coarse_add_block(space, row, part, other, (const Quad(*)[3])sums);
    }
}

// The fixed blocks of a row: sums over columns of one cluster or part, which ascend.
static inline void coarse_add_row(const CoarseSpace *space, int32_t row, int32_t part, int32_t cluster)
{
    const BlockMatrix *matrix = space->matrix;
    const ClusterMotions *own = &space->clusters[cluster];
    int32_t other = part, p = matrix->row_start[row];
    while (p < matrix->row_start[row + 1] && matrix->columns[p] < matrix->part_start[part])
        ++p;
    while (p < matrix->row_start[row + 1] && matrix->columns[p] < matrix->row_count) {
        const int32_t first = matrix->columns[p];
        const bool is_own = first >= own->first && first < own->end;
        while (first >= matrix->part_start[other + 1])
            ++other;
        const int32_t end = is_own               ? own->end
                            : first < own->first ? own->first
                                                 : matrix->part_start[other + 1];
        const int32_t begin = p;
        while (p < matrix->row_start[row + 1] && matrix->columns[p] < end)
            ++p;
        Quad sums[3][3];
        motions_multiply(space, other, p - begin, matrix->columns + begin, matrix->values + 9 * (size_t)begin,
                         sums);
        if (is_own)
            motion_block_add(space, cluster_block(space, cluster), part, row, (const Quad(*)[3])sums);
        else
            coarse_add_block(space, row, part, other, (const Quad(*)[3])sums);
    }
}

// The inverse of a cluster's block, as W^T W with W = D^-1/2 L^-1 of L D L^T: symmetric, and positive semidefinite
// whatever the rounding. Motions are left out whose pivots are not larger than `least` of their diagonals.
static void cluster_invert(double least, double block[COARSE_MODES * COARSE_MODES])
{
    Quad root[COARSE_MODES][3];
    memset(root, 0, sizeof root);
    for (int k = 0; k < COARSE_MODES; ++k)
        root[k][k / 4][k % 4] = 1;
    double diagonal[COARSE_MODES];
    for (int k = 0; k < COARSE_MODES; ++k)
        diagonal[k] = block[(COARSE_MODES + 1) * k];
    for (int k = 0; k < COARSE_MODES; ++k) { // row k on and behind the diagonal is D L^T
        const double pivot = block[(COARSE_MODES + 1) * k],
                     reciprocal = pivot > least * diagonal[k] ? 1 / pivot : 0;
        for (int i = k + 1; i < COARSE_MODES; ++i) {
            const double factor = block[COARSE_MODES * k + i] * reciprocal;
            for (int j = i; j < COARSE_MODES; ++j)
                block[COARSE_MODES * i + j] -= factor * block[COARSE_MODES * k + j];
            for (int m = 0; m < 3; ++m)
                root[i][m] -= factor * root[k][m];
        }
        for (int m = 0; m < 3; ++m)
            root[k][m] *= sqrt(reciprocal);
    }
    for (int i = 0; i < COARSE_MODES; ++i)
        for (int m = 0; m < 3; ++m) {
            Quad sum = {0};
            for (int k = i; k < COARSE_MODES; ++k)
                sum += root[k][i / 4][i % 4] * root[k][m];
            ((UnalignedQuad *)(block + COARSE_MODES * i))[m] = sum;
        }
}

// The rows of a part: sum_ij P_i^T A_ij P_j, P_i the motions of row i, on the diagonal's blocks and above; those of its clusters make up a part of its own.
static void coarse_assemble(CoarseSpace *space, int32_t part)
{
    const BlockMatrix *matrix = space->matrix;
    memset(space->couples + (size_t)matrix->part_count * (size_t)part, 0, (size_t)matrix->part_count);
    coarse_begin_block(space, part, part);
    for (int32_t c = space->first_cluster[part]; c < space->first_cluster[part + 1]; ++c) {
        double *block = space->clusters[c].inverse;
        memset(block, 0, sizeof space->clusters[c].inverse);
        for (int32_t i = space->clusters[c].first; i < space->clusters[c].end; ++i) {
            coarse_add_row(space, i, part, c);
            coarse_add_changing(space, i, part, c);
        }
        const MotionBlock all = coarse_block(space, part, part);
        for (int k = 0; k < COARSE_MODES; ++k)
            for (int l = 0; l < COARSE_MODES; ++l)
                all.values[(size_t)k * (size_t)all.stride + (size_t)l] += block[COARSE_MODES * k + l];
        if (space->clusters[c].is_solved)
            cluster_invert(space->motions[part].kind == MOTIONS_AFFINE ? SMALLEST_CLUSTER_PIVOT
                                                                       : SMALLEST_THIN_PIVOT,
                           block);
        else
            memset(block, 0, sizeof space->clusters[c].inverse);
    }
}

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

// y = z + b y, z with the motions of a part and of its clusters.
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
}

#endif
