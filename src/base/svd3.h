/// Singular value decomposition of 3x3 matrices, many at a time, accurate to rounding.
///
/// Rotation-variant form: F = U diag(s) V^T with det U = det V = +1 and s_0 >= s_1 >= |s_2|; s_2 has the sign
/// of det F. One-sided Jacobi (Hestenes): V is built up from rotations until the columns of A = F V are
/// orthogonal, each to the last bits of its own length; then |a_i| = s_i. Nothing is squared but the columns,
/// so small singular values keep their relative accuracy as far as F determines them. Matrices are row-major.
/// Twin: shaders/common/svd3.glsl.
#ifndef BASE_SVD3_H
#define BASE_SVD3_H

#include "base/lanes.h"

typedef float PackFloat __attribute__((vector_size(PACK_BYTES / 2)));
typedef int32_t PackFloatMask __attribute__((vector_size(PACK_BYTES / 2)));

// tan(theta/2) of the rotation with tan(2 theta) = y is approximated by y (1 + P y)/(4 + Q y + R y^2), y >=
// 0: right at both ends, with an error O(y^5), at most 4 % between. The rotation is exact whatever the angle;
// Jacobi only converges a little slower in the middle, and needs neither square root nor a second division.
#define SVD3_HALF_ANGLE_P 0.5177669529663689
#define SVD3_HALF_ANGLE_Q 2.0710678118654755
#define SVD3_HALF_ANGLE_R 1.25

enum { SVD3_START_SWEEPS = 2, SVD3_MAX_SWEEPS = 24, SVD3_MAX_COUNT = 2 * PACKS_PER_LANES };

// ---------------------------------------------------------------- a start for V in single precision
/// Rotates the symmetric matrix `m` (00 11 22 01 02 12, see the indices) by one Jacobi step in the plane (p,
/// q), r being the third axis. Returns tan(theta/2).
LANES_INLINE PackFloat svd3_start_rotate(PackFloat *pp, PackFloat *qq, PackFloat *pq, PackFloat *pr,
                                         PackFloat *qr)
{
    const PackFloat d = *pp - *qq, g = *pq + *pq;
    const PackFloat abs_d = (PackFloat)((PackFloatMask)d & INT32_MAX),
                    abs_g = (PackFloat)((PackFloatMask)g & INT32_MAX);
    // Below 1e-8 there is only noise (and underflow): the matrix is scaled to a trace between 1 and 36.
    const PackFloatMask active = (PackFloatMask)(abs_g > 1e-8f);
    const PackFloat flipped = (PackFloat)(((PackFloatMask)g ^ ((PackFloatMask)d & INT32_MIN)) & active);
    const PackFloat one = 1.0f - (PackFloat){0};
    const PackFloat sine = flipped * (abs_d + (float)SVD3_HALF_ANGLE_P * abs_g);
    const PackFloat cosine = 4.0f * abs_d * abs_d + (float)SVD3_HALF_ANGLE_Q * abs_d * abs_g +
                             (float)SVD3_HALF_ANGLE_R * abs_g * abs_g;
    const PackFloat ch = (PackFloat)(((PackFloatMask)cosine & active) | ((PackFloatMask)one & ~active));

    const PackFloat ch_sq = ch * ch, sh_sq = sine * sine, scale = 1.0f / (ch_sq + sh_sq);
    const PackFloat c = (ch_sq - sh_sq) * scale, s = (ch + ch) * sine * scale;
    const PackFloat c_sq = c * c, s_sq = s * s, cs = c * s, shift = cs * g;
    const PackFloat new_pp = c_sq * *pp + s_sq * *qq + shift, new_qq = s_sq * *pp + c_sq * *qq - shift;
    const PackFloat new_pr = c * *pr + s * *qr, new_qr = c * *qr - s * *pr;
    *pq = (c_sq - s_sq) * *pq - cs * d;
    *pp = new_pp, *qq = new_qq, *pr = new_pr, *qr = new_qr;
    return sine / ch;
}

/// A^T A and the rotations applied to it so far, as a quaternion.
typedef struct Svd3Start {
    PackFloat m[6], w, x, y, z;
} Svd3Start;

LANES_INLINE void svd3_start_begin(const Pack A[9], Svd3Start *start)
{
    for (int k = 0; k < 6; ++k) {
        const int i = k < 3 ? k : k == 5 ? 1 : 0, j = k < 3 ? k : k == 3 ? 1 : 2;
        start->m[k] =
            __builtin_convertvector(A[i] * A[j] + A[3 + i] * A[3 + j] + A[6 + i] * A[6 + j], PackFloat);
    }
    start->w = 1.0f - (PackFloat){0};
    start->x = start->y = start->z = (PackFloat){0};
}

/// Rotates about z, x and y.
LANES_INLINE void svd3_start_sweep(Svd3Start *start)
{
    PackFloat *m = start->m, w = start->w, x = start->x, y = start->y, z = start->z, old_x = x, old_y = y,
              old_w = w;
    PackFloat t = svd3_start_rotate(&m[0], &m[1], &m[3], &m[4], &m[5]);
    w -= t * z, z += t * old_w, x += t * y, y -= t * old_x;
    old_w = w, old_y = y;
    t = svd3_start_rotate(&m[1], &m[2], &m[5], &m[3], &m[4]);
    w -= t * x, x += t * old_w, y += t * z, z -= t * old_y;
    old_w = w, old_x = x;
    t = -svd3_start_rotate(&m[0], &m[2], &m[4], &m[3], &m[5]); // about y it is the other way round
    w -= t * y, y += t * old_w, x -= t * z, z += t * old_x;
    start->w = w, start->x = x, start->y = y, start->z = z;
}

/// The quaternion as a matrix, orthogonal to the last bit of double precision.
LANES_INLINE void svd3_start_end(const Svd3Start *start, Pack V[9])
{
    const Pack qw = {WIDEN_PACK(start->w)}, qx = {WIDEN_PACK(start->x)}, qy = {WIDEN_PACK(start->y)},
               qz = {WIDEN_PACK(start->z)};
    const Pack scale = 2.0 / (qw * qw + qx * qx + qy * qy + qz * qz);
    const Pack sx = scale * qx, sy = scale * qy, sz = scale * qz;
    V[0] = 1.0 - (sy * qy + sz * qz), V[1] = sy * qx - sz * qw, V[2] = sz * qx + sy * qw;
    V[3] = sy * qx + sz * qw, V[4] = 1.0 - (sx * qx + sz * qz), V[5] = sz * qy - sx * qw;
    V[6] = sz * qx - sy * qw, V[7] = sz * qy + sx * qw, V[8] = 1.0 - (sx * qx + sy * qy);
}

/// V close to the right singular vectors of A: Jacobi's method on A^T A in single precision. A's largest entry is in
/// [1, 2).
LANES_INLINE void svd3_start(int count, const Pack (*A)[9], Pack (*V)[9])
{
    Svd3Start start[SVD3_MAX_COUNT];
    for (int n = 0; n < count; ++n)
        svd3_start_begin(A[n], &start[n]);
    for (int sweep = 0; sweep < SVD3_START_SWEEPS; ++sweep)
        for (int n = 0; n < count; ++n)
            svd3_start_sweep(&start[n]);
    for (int n = 0; n < count; ++n)
        svd3_start_end(&start[n], V[n]);
}

// ---------------------------------------------------------------- one-sided Jacobi in double precision
/// Whether columns p and q of A are not orthogonal yet. Below 1e-55 of |F|^2 a product of columns counts as
/// nothing.
LANES_INLINE PackMask svd3_pair_active(Pack alpha, Pack beta, Pack gamma)
{
    const Pack product = alpha * beta;
    return pack_less(1e-30 * product, gamma * gamma) & pack_less(pack_set(1e-110), product);
}

LANES_INLINE Pack svd3_columns_dot(const Pack A[9], int p, int q)
{
    return A[p] * A[q] + A[3 + p] * A[3 + q] + A[6 + p] * A[6 + q];
}

/// One Jacobi rotation of the columns p and q of A and V; none in the lanes where they are orthogonal, so
/// that a lane's result does not depend on how long the others take.
LANES_INLINE void svd3_rotate(Pack A[9], Pack V[9], int p, int q)
{
    const Pack alpha = svd3_columns_dot(A, p, p), beta = svd3_columns_dot(A, q, q),
               gamma = svd3_columns_dot(A, p, q);
    const PackMask active = svd3_pair_active(alpha, beta, gamma);
    const Pack d = alpha - beta, g = gamma + gamma, abs_d = pack_abs(d), abs_g = pack_abs(g);
    const Pack sine = pack_flip_sign(g, d) * (abs_d + SVD3_HALF_ANGLE_P * abs_g);
    const Pack cosine =
        4.0 * abs_d * abs_d + SVD3_HALF_ANGLE_Q * abs_d * abs_g + SVD3_HALF_ANGLE_R * abs_g * abs_g;
    const Pack sh = pack_select(active, sine, pack_set(0.0)), ch = pack_select(active, cosine, pack_set(1.0));
    const Pack ch_sq = ch * ch, sh_sq = sh * sh, scale = 1.0 / (ch_sq + sh_sq);
    const Pack c = (ch_sq - sh_sq) * scale, s = (ch + ch) * sh * scale;
    for (int row = 0; row < 9; row += 3) {
        const Pack a = A[row + p], v = V[row + p];
        A[row + p] = c * a + s * A[row + q], A[row + q] = c * A[row + q] - s * a;
        V[row + p] = c * v + s * V[row + q], V[row + q] = c * V[row + q] - s * v;
    }
}

LANES_INLINE PackMask svd3_active(const Pack A[9])
{
    const Pack a = svd3_columns_dot(A, 0, 0), b = svd3_columns_dot(A, 1, 1), c = svd3_columns_dot(A, 2, 2);
    return svd3_pair_active(a, b, svd3_columns_dot(A, 0, 1)) |
           svd3_pair_active(a, c, svd3_columns_dot(A, 0, 2)) |
           svd3_pair_active(b, c, svd3_columns_dot(A, 1, 2));
}

/// Sweeps until all columns of A = F V are orthogonal in every lane: one to three times from a good V.
LANES_INLINE void svd3_orthogonalise(int count, Pack (*A)[9], Pack (*V)[9])
{
    for (int sweep = 0; sweep < SVD3_MAX_SWEEPS; ++sweep) {
        PackMask active = svd3_active(A[0]);
        for (int n = 1; n < count; ++n)
            active |= svd3_active(A[n]);
        if (!pack_any(active))
            return;
        for (int pair = 0; pair < 3; ++pair) // 01, 12, 02
            for (int n = 0; n < count; ++n)
                svd3_rotate(A[n], V[n], pair == 1 ? 1 : 0, pair == 0 ? 1 : 2);
    }
}

// ---------------------------------------------------------------- from orthogonal columns to U, s, V
/// (a_p, a_q) becomes (a_q, -a_p) where |a_p| < |a_q|: a rotation too.
LANES_INLINE void svd3_sort_pair(Pack A[9], Pack V[9], Pack norms_sq[3], int p, int q)
{
    const PackMask swap = pack_less(norms_sq[p], norms_sq[q]);
    const Pack norm_sq = norms_sq[p];
    norms_sq[p] = pack_select(swap, norms_sq[q], norm_sq);
    norms_sq[q] = pack_select(swap, norm_sq, norms_sq[q]);
    for (int row = 0; row < 9; row += 3) {
        const Pack a = A[row + p], v = V[row + p];
        A[row + p] = pack_select(swap, A[row + q], a), A[row + q] = pack_select(swap, -a, A[row + q]);
        V[row + p] = pack_select(swap, V[row + q], v), V[row + q] = pack_select(swap, -v, V[row + q]);
    }
}

/// u_0 along a_0, u_1 along a_1 made orthogonal to it, u_2 = u_0 x u_1. Where a column vanishes, any
/// direction will do.
LANES_INLINE void svd3_left_vectors(const Pack A[9], Pack U[9], Pack s[3])
{
    const Pack zero = pack_set(0.0), one = pack_set(1.0), tiny = pack_set(1e-200);
    Pack a[3] = {A[0], A[3], A[6]}, b[3] = {A[1], A[4], A[7]};
    Pack norm_sq = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
    const PackMask no_first = pack_less(norm_sq, tiny);
    s[0] = pack_sqrt(norm_sq);
    const Pack scale = 1.0 / pack_select(no_first, one, s[0]);
    a[0] = pack_select(no_first, one, a[0] * scale);
    a[1] = pack_select(no_first, zero, a[1] * scale);
    a[2] = pack_select(no_first, zero, a[2] * scale);

    const Pack along = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    for (int i = 0; i < 3; ++i)
        b[i] = b[i] - along * a[i];
    norm_sq = b[0] * b[0] + b[1] * b[1] + b[2] * b[2];
    s[1] = pack_min(pack_sqrt(norm_sq), s[0]);
    // Without a second column: a_0 x e_x, or a_0 x e_y where a_0 is close to e_x.
    const PackMask no_second = pack_less(norm_sq, tiny), near_x = pack_less(pack_set(0.5), a[0] * a[0]);
    b[0] = pack_select(no_second, pack_select(near_x, -a[2], zero), b[0]);
    b[1] = pack_select(no_second, pack_select(near_x, zero, a[2]), b[1]);
    b[2] = pack_select(no_second, pack_select(near_x, a[0], -a[1]), b[2]);
    norm_sq = pack_select(no_second, b[0] * b[0] + b[1] * b[1] + b[2] * b[2], norm_sq);
    const Pack scale_b = 1.0 / pack_sqrt(norm_sq);
    for (int i = 0; i < 3; ++i)
        b[i] = b[i] * scale_b;

    const Pack c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    const Pack last = c[0] * A[2] + c[1] * A[5] + c[2] * A[8];
    s[2] = pack_copysign(pack_min(pack_abs(last), s[1]), last);
    for (int i = 0; i < 3; ++i)
        U[3 * i] = a[i], U[3 * i + 1] = b[i], U[3 * i + 2] = c[i];
}

/// F scaled by the power of two that brings its largest entry into [1, 2); returns the inverse of that
/// factor.
LANES_INLINE Pack svd3_scale(const Pack F[9], Pack scaled[9])
{
    Pack largest = pack_abs(F[0]);
    for (int i = 1; i < 9; ++i)
        largest = pack_max(largest, pack_abs(F[i]));
    const int64_t exponent_bits = 0x7ff0000000000000, top = 0x7fe0000000000000;
    const PackMask too_small = pack_less(largest, pack_set(0x1p-500));
    const Pack power = pack_select(too_small, pack_set(0x1p-500), (Pack)((PackMask)largest & exponent_bits));
    const Pack inverse = (Pack)(top - (PackMask)power);
    for (int i = 0; i < 9; ++i)
        scaled[i] = F[i] * inverse;
    return power;
}

LANES_INLINE void svd3_finish(Pack A[9], Pack power, Pack U[9], Pack s[3], Pack V[9])
{
    Pack norms_sq[3] = {svd3_columns_dot(A, 0, 0), svd3_columns_dot(A, 1, 1), svd3_columns_dot(A, 2, 2)};
    svd3_sort_pair(A, V, norms_sq, 0, 1);
    svd3_sort_pair(A, V, norms_sq, 0, 2);
    svd3_sort_pair(A, V, norms_sq, 1, 2);
    svd3_left_vectors(A, U, s);
    for (int i = 0; i < 3; ++i)
        s[i] = s[i] * power;
    for (int i = 0; i < 9; ++i) // a rotation by nothing may turn -0 into 0: make it 0 always
        U[i] = U[i] + 0.0, V[i] = V[i] + 0.0;
}

LANES_INLINE void svd3_multiply(const Pack a[9], const Pack b[9], Pack out[9])
{
    for (int i = 0; i < 9; i += 3)
        for (int j = 0; j < 3; ++j)
            out[i + j] = a[i] * b[j] + a[i + 1] * b[3 + j] + a[i + 2] * b[6 + j];
}

// ---------------------------------------------------------------- the entries
/// V (3 I - V^T V)/2: takes away the rounding errors that many warm starts would add up.
LANES_INLINE void svd3_orthonormalise(Pack V[9])
{
    Pack gram[9], result[9];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            gram[3 * i + j] = (i == j ? 1.5 : 0.0) - 0.5 * svd3_columns_dot(V, i, j);
    svd3_multiply(V, gram, result);
    for (int i = 0; i < 9; ++i)
        V[i] = result[i];
}

/// F = U diag(s) V^T for `count` matrices (a compile-time constant, at most SVD3_MAX_COUNT), side by side, since each of
/// them alone would mostly wait for its own divisions. F must be finite with entries below 1e150; entries below 1e-150
/// count as zero. `warm`: start from the given V, orthogonal to about 1e-5, as the last call with a similar F returned it.
LANES_INLINE void svd3_packs(int count, bool warm, const Pack (*F)[9], Pack (*U)[9], Pack (*s)[3],
                             Pack (*V)[9])
{
    Pack A[SVD3_MAX_COUNT][9], scaled[SVD3_MAX_COUNT][9], power[SVD3_MAX_COUNT];
    for (int n = 0; n < count; ++n)
        power[n] = svd3_scale(F[n], scaled[n]);
    if (!warm)
        svd3_start(count, (const Pack(*)[9])scaled, V);
    for (int n = 0; n < count; ++n) {
        if (warm)
            svd3_orthonormalise(V[n]);
        svd3_multiply(scaled[n], V[n], A[n]);
    }
    svd3_orthogonalise(count, A, V);
    for (int n = 0; n < count; ++n)
        svd3_finish(A[n], power[n], U[n], s[n], V[n]);
}

LANES_INLINE void svd3_lanes(int blocks, bool warm, const Lanes (*F)[9], Lanes (*U)[9], Lanes (*s)[3],
                             Lanes (*V)[9])
{
    Pack f[SVD3_MAX_COUNT][9], u[SVD3_MAX_COUNT][9], values[SVD3_MAX_COUNT][3], v[SVD3_MAX_COUNT][9];
    for (int n = 0; n < blocks * PACKS_PER_LANES; ++n) {
        packs_load(F[n / PACKS_PER_LANES], n % PACKS_PER_LANES, 9, f[n]);
        if (warm)
            packs_load(V[n / PACKS_PER_LANES], n % PACKS_PER_LANES, 9, v[n]);
    }
    svd3_packs(blocks * PACKS_PER_LANES, warm, (const Pack(*)[9])f, u, values, v);
    for (int n = 0; n < blocks * PACKS_PER_LANES; ++n) {
        packs_store(u[n], n % PACKS_PER_LANES, 9, U[n / PACKS_PER_LANES]);
        packs_store(values[n], n % PACKS_PER_LANES, 3, s[n / PACKS_PER_LANES]);
        packs_store(v[n], n % PACKS_PER_LANES, 9, V[n / PACKS_PER_LANES]);
    }
}

/// F = U diag(s) V^T.
LANES_INLINE void svd3(const Lanes F[9], Lanes U[9], Lanes s[3], Lanes V[9])
{
    svd3_lanes(1, false, (const Lanes(*)[9])F, (Lanes(*)[9])U, (Lanes(*)[3])s, (Lanes(*)[9])V);
}

/// The same from a V close to the right one; V is read and written.
LANES_INLINE void svd3_from(const Lanes F[9], Lanes U[9], Lanes s[3], Lanes V[9])
{
    svd3_lanes(1, true, (const Lanes(*)[9])F, (Lanes(*)[9])U, (Lanes(*)[3])s, (Lanes(*)[9])V);
}

/// svd3 of two blocks at once, with the same bits: faster where a register holds all lanes (AVX-512), since one
/// decomposition alone does not fill the processor.
LANES_INLINE void svd3_two(const Lanes (*F)[9], Lanes (*U)[9], Lanes (*s)[3], Lanes (*V)[9])
{
    svd3_lanes(2, false, F, U, s, V);
}

/// svd3_from of two blocks at once.
LANES_INLINE void svd3_two_from(const Lanes (*F)[9], Lanes (*U)[9], Lanes (*s)[3], Lanes (*V)[9])
{
    svd3_lanes(2, true, F, U, s, V);
}

#endif
