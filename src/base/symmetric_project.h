/// The nearest positive semidefinite matrices to small symmetric ones, one in each lane of a pack: symmetric_project
/// (symmetric_eigen.h), which has the method. What a lane gets depends on its own matrix alone.
#ifndef BASE_SYMMETRIC_PROJECT_H
#define BASE_SYMMETRIC_PROJECT_H

#include "base/lanes.h"
#include "base/symmetric_eigen.h"

enum { PACKS_QR_STEPS_MOST = 30 };

// symmetric_reflect. Of the matrix only what is on and below the diagonal is there; column 0 of the vectors never changes.
LANES_INLINE Pack packs_reflect(int size, int k, Pack *matrix, Pack *vectors)
{
    Pack v[SYMMETRIC_MAX_SIZE], w[SYMMETRIC_MAX_SIZE], along = pack_set(0), tail_sq = pack_set(0);
    for (int i = k + 1; i < size; ++i) {
        v[i] = matrix[size * i + k];
        if (i > k + 1)
            tail_sq += v[i] * v[i];
    }
    const Pack head = v[k + 1];
    const PackMask bent = pack_less(pack_set(SYMMETRIC_NEGLIGIBLE * SYMMETRIC_NEGLIGIBLE), tail_sq);
    const Pack below = pack_select(bent, -pack_copysign(pack_sqrt(head * head + tail_sq), head), head);
    v[k + 1] -= below;
    const Pack factor = pack_select(bent, 2 / (v[k + 1] * v[k + 1] + tail_sq), pack_set(0));
    for (int i = k + 1; i < size; ++i) {
        Pack sum = pack_set(0);
        for (int j = k + 1; j < size; ++j)
            sum += matrix[i > j ? size * i + j : size * j + i] * v[j];
        w[i] = factor * sum;
        along += w[i] * v[i];
    }
    for (int i = k + 1; i < size; ++i)
        w[i] -= 0.5 * factor * along * v[i];
    for (int i = k + 1; i < size; ++i)
        for (int j = k + 1; j <= i; ++j)
            matrix[size * i + j] -= v[i] * w[j] + w[i] * v[j];
    for (int j = 1; j < size; ++j) {
        Pack sum = pack_set(0);
        for (int i = k + 1; i < size; ++i)
            sum += v[i] * vectors[size * i + j];
        sum *= factor;
        for (int i = k + 1; i < size; ++i)
            vectors[size * i + j] -= v[i] * sum;
    }
    return below;
}

// symmetric_splits
LANES_INLINE PackMask packs_split(int k, const Pack *diagonal, const Pack *beside)
{
    const Pack around = pack_abs(diagonal[k]) + pack_abs(diagonal[k + 1]);
    return pack_less_equal(pack_abs(beside[k]), 0x1p-53 * around + SYMMETRIC_NEGLIGIBLE);
}

// symmetric_qr_step on the rows 0 to last of the lanes that go on. Where a matrix splits, which lanes do in different places, each part takes
// the step by itself.
LANES_INLINE void packs_qr_step(int size, int last, PackMask goes_on, Pack *diagonal, Pack *beside,
                                Pack *vectors)
{
    const Pack zero = pack_set(0), one = pack_set(1);
    for (int k = 0; k + 1 < last; ++k)
        beside[k] = pack_select(goes_on & packs_split(k, diagonal, beside), zero, beside[k]);
    const Pack end = beside[last - 1], half = 0.5 * (diagonal[last - 1] - diagonal[last]);
    const Pack shift =
        diagonal[last] - end * end / (half + pack_copysign(pack_sqrt(half * half + end * end), half));
    Pack x = zero, z = zero;
    for (int k = 0; k < last; ++k) {
        const PackMask begins = pack_equal(x, zero) & pack_equal(z, zero);
        x = pack_select(begins, diagonal[k] - shift, x);
        z = pack_select(begins, beside[k], z);
        const Pack r = pack_sqrt(x * x + z * z);
        const PackMask turns = goes_on & pack_less(zero, r);
        const Pack c = pack_select(turns, x / r, one), s = pack_select(turns, z / r, zero);
        const Pack a = diagonal[k], b = diagonal[k + 1], e = beside[k];
        if (k > 0)
            beside[k - 1] = pack_select(goes_on & ~begins, r, beside[k - 1]);
        diagonal[k] = c * c * a + 2 * c * s * e + s * s * b;
        diagonal[k + 1] = s * s * a - 2 * c * s * e + c * c * b;
        beside[k] = c * s * (b - a) + (c * c - s * s) * e;
        if (k + 1 < last) {
            x = beside[k];
            z = s * beside[k + 1];
            beside[k + 1] *= c;
        }
        for (int j = 0; j < size; ++j) {
            const Pack v = vectors[size * k + j], w = vectors[size * (k + 1) + j];
            vectors[size * k + j] = c * v + s * w;
            vectors[size * (k + 1) + j] = c * w - s * v;
        }
    }
}

/// Row-major, of which what is on and below the diagonal is read and written. Size at most SYMMETRIC_MAX_SIZE, known where it is
/// compiled.
LANES_INLINE void packs_project(int size, Pack *matrix)
{
    Pack vectors[SYMMETRIC_MAX_SIZE * SYMMETRIC_MAX_SIZE], values[SYMMETRIC_MAX_SIZE],
        beside[SYMMETRIC_MAX_SIZE], scale = pack_set(0);
    for (int i = 0; i < size; ++i)
        for (int j = 0; j <= i; ++j)
            scale = pack_max(scale, pack_abs(matrix[size * i + j]));
    scale = pack_select(pack_less(pack_set(0), scale), scale, pack_set(1));
    for (int i = 0; i < size; ++i)
        for (int j = 0; j < size; ++j) {
            if (j <= i)
                matrix[size * i + j] /= scale;
            vectors[size * i + j] = pack_set(i == j);
        }
    for (int k = 0; k < size; ++k) {
        if (k + 1 < size)
            beside[k] = packs_reflect(size, k, matrix, vectors);
        values[k] = matrix[(size + 1) * k];
    }
    for (int last = size - 1; last > 0; --last)
        for (int step = 0; step < PACKS_QR_STEPS_MOST; ++step) {
            const PackMask goes_on = ~packs_split(last - 1, values, beside);
            if (!pack_any(goes_on))
                break;
            packs_qr_step(size, last, goes_on, values, beside, vectors);
        }
    for (int k = 0; k < size; ++k)
        values[k] = scale * pack_max(values[k], pack_set(0));
    for (int i = 0; i < size; ++i)
        for (int j = 0; j <= i; ++j) {
            Pack sum = pack_set(0);
            for (int k = 0; k < size; ++k)
                sum += values[k] * vectors[size * k + i] * vectors[size * k + j];
            matrix[size * i + j] = sum;
        }
}

#endif
