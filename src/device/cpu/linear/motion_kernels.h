/// The motions of parts and clusters, and sums of blocks over them.
#ifndef DEVICE_CPU_LINEAR_MOTION_KERNELS_H
#define DEVICE_CPU_LINEAR_MOTION_KERNELS_H

#include "base/lanes.h"
#include "device/cpu/linear/coarse_space.h"
#include "device/cpu/linear/quad.h"

#include <string.h>

// 1, and where a row stands in its part.
LANES_INLINE Quad coarse_arm(const CoarseSpace *space, int32_t row)
{
    const Quad one = {1};
    return __builtin_shufflevector(one, quad_of_floats(space->arms + 3 * (size_t)row), 0, 5, 6, 7);
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
static inline void motion_block_add(const CoarseSpace *space, double *block, int32_t part, int32_t row,
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
            double *to = block + COARSE_MODES * k;
            const double x = along[0][k / 4][k % 4], y = along[1][k / 4][k % 4], z = along[2][k / 4][k % 4];
            for (int m = 0; m < 3; ++m)
                *(UnalignedQuad *)(to + 4 * m) += x * turned[0][m] + y * turned[1][m] + z * turned[2][m];
        }
        return;
    }
    for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 4; ++l) {
            double *to = block + COARSE_MODES * (4 * k + l);
            for (int m = 0; m < 3; ++m)
                *(UnalignedQuad *)(to + 4 * m) += arm[l] * sums[k][m];
        }
}

// The motions of the part that a row is in: of x, y, z in turn.
static inline void row_motions(const CoarseSpace *space, int32_t row, double motions[3][COARSE_MODES])
{
    const GroupMotions *part = &space->motions[space->part_of[row]];
    const Quad arm = coarse_arm(space, row);
    memset(motions, 0, 3 * sizeof *motions);
    if (part->kind == MOTIONS_AFFINE) {
        for (int k = 0; k < 3; ++k)
            *(UnalignedQuad *)(motions[k] + 4 * k) = arm;
        return;
    }
    Quad along[3][3];
    thin_motions(part->kind, arm, along);
    for (int axis = 0; axis < 3; ++axis)
        for (int k = 0; k < 3; ++k)
            for (int m = 0; m < 3; ++m)
                ((UnalignedQuad *)motions[k])[m] += part->frame[3 * axis + k] * along[axis][m];
}

// Four numbers of a deviation: of x, y or z, from motion 4 m on.
LANES_INLINE Quad deviation_quad(const MotionDeviations *deviations, int32_t d, int k, int m)
{
    return quad_of_floats(deviations->values[d] + COARSE_MODES * k + 4 * m);
}

#endif
