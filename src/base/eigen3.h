/// Eigenvalues and eigenvectors of symmetric 3x3 matrices by Jacobi's method, many at a time.
/// Twin: shaders/common/eigen3.glsl.
#ifndef BASE_EIGEN3_H
#define BASE_EIGEN3_H

#include "base/lanes.h"

enum { EIGEN3_MAX_SWEEPS = 16 };

/// One rotation in the plane (p, q), r the third axis, that makes m_pq zero; none in the lanes where it is negligible.
LANES_INLINE PackMask eigen3_rotate(Pack *pp, Pack *qq, Pack *pq, Pack *pr, Pack *qr, Pack Q[9], int p, int q)
{
    const PackMask active = pack_less(1e-32 * pack_abs(*pp * *qq) + 1e-300, *pq * *pq);
    const Pack one = pack_set(1.0), zero = pack_set(0.0);
    // t = tan(theta), the smaller root of t^2 + 2 t d - 1 = 0 with d = (qq - pp)/(2 pq)
    const Pack d = 0.5 * (*qq - *pp) / pack_select(active, *pq, one);
    const Pack t = pack_select(active, pack_copysign(1.0 / (pack_abs(d) + pack_sqrt(d * d + 1.0)), d), zero);
    const Pack c = 1.0 / pack_sqrt(t * t + 1.0), s = t * c, old_pr = *pr;
    *pp = *pp - t * *pq;
    *qq = *qq + t * *pq;
    *pq = pack_select(active, zero, *pq);
    *pr = c * old_pr - s * *qr;
    *qr = s * old_pr + c * *qr;
    for (int row = 0; row < 9; row += 3) {
        const Pack a = Q[row + p];
        Q[row + p] = c * a - s * Q[row + q];
        Q[row + q] = s * a + c * Q[row + q];
    }
    return active;
}

/// M = Q diag(values) Q^T. M as 00 11 22 01 02 12; Q row-major, its columns are the eigenvectors; values unsorted.
LANES_INLINE void eigen3_pack(const Pack M[6], Pack values[3], Pack Q[9])
{
    Pack m[6];
    for (int i = 0; i < 6; ++i)
        m[i] = M[i];
    for (int i = 0; i < 9; ++i)
        Q[i] = pack_set(i % 4 == 0 ? 1.0 : 0.0);
    for (int sweep = 0; sweep < EIGEN3_MAX_SWEEPS; ++sweep) {
        PackMask active = eigen3_rotate(&m[0], &m[1], &m[3], &m[4], &m[5], Q, 0, 1);
        active |= eigen3_rotate(&m[0], &m[2], &m[4], &m[3], &m[5], Q, 0, 2);
        active |= eigen3_rotate(&m[1], &m[2], &m[5], &m[3], &m[4], Q, 1, 2);
        if (!pack_any(active))
            break;
    }
    for (int i = 0; i < 3; ++i)
        values[i] = m[i];
}

#endif
