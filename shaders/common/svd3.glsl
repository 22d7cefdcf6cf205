// Singular value decomposition of 3x3 matrices; twin of src/base/svd3.h, which explains the method.
// F = U diag(s) V^T, det U = det V = +1, s_0 >= s_1 >= |s_2|, s_2 with the sign of det F; matrices row-major.
// One invocation has one matrix and few registers, so here V starts at the identity and everything is a loop.
#ifndef COMMON_SVD3_GLSL
#define COMMON_SVD3_GLSL

#include "common/real_math.glsl"

const int SVD3_MAX_SWEEPS = 24;
#ifdef VELA_F64
const double SVD3_HALF_ANGLE_P = 0.5177669529663689lf, SVD3_HALF_ANGLE_Q = 2.0710678118654755lf;
const double SVD3_ORTHOGONAL = 1e-15lf; ///< cosine between columns that counts as none
const double SVD3_NOTHING = 1e-55lf;    ///< product of column lengths, relative to |F|^2
const double SVD3_TINY = 1e-200lf;      ///< square of a length that counts as 0
const int SVD3_SMALLEST_EXPONENT = -500;
#else
const float SVD3_HALF_ANGLE_P = 0.51776695, SVD3_HALF_ANGLE_Q = 2.07106781;
const float SVD3_ORTHOGONAL = 4e-7;
const float SVD3_NOTHING = 1e-16;
const float SVD3_TINY = 1e-34;
const int SVD3_SMALLEST_EXPONENT = -100;
#endif

real svd3_columns_dot(real a[9], int p, int q)
{
    return a[p] * a[q] + a[3 + p] * a[3 + q] + a[6 + p] * a[6 + q];
}

/// One Jacobi rotation of the columns p and q of A and V; false if they are orthogonal already.
bool svd3_rotate(inout real a[9], inout real v[9], int p, int q)
{
    const real alpha = svd3_columns_dot(a, p, p), beta = svd3_columns_dot(a, q, q), gamma = svd3_columns_dot(a, p, q);
    const real lengths = sqrt(alpha) * sqrt(beta);
    if (!(abs(gamma) > SVD3_ORTHOGONAL * lengths) || !(lengths > SVD3_NOTHING))
        return false;
    // In float d^2 could underflow: d and g relative to the larger one.
    const real larger = max(abs(alpha - beta), abs(gamma + gamma));
    const real d = abs(alpha - beta) / larger, g = abs(gamma + gamma) / larger;
    const real sine = (alpha < beta) == (gamma < 0.0) ? g * (d + SVD3_HALF_ANGLE_P * g) : -g * (d + SVD3_HALF_ANGLE_P * g);
    const real cosine = 4.0 * d * d + SVD3_HALF_ANGLE_Q * d * g + 1.25 * g * g;
    // c = 1 - 2 sin^2(theta/2): an inexact division (Vulkan allows 2.5 ulp) hardly changes c^2 + s^2.
    const real scale = 2.0 * sine / (cosine * cosine + sine * sine), c = 1.0 - sine * scale, s = cosine * scale;
    for (int row = 0; row < 9; row += 3) {
        const real x = a[row + p], y = v[row + p];
        a[row + p] = c * x + s * a[row + q];
        a[row + q] = c * a[row + q] - s * x;
        v[row + p] = c * y + s * v[row + q];
        v[row + q] = c * v[row + q] - s * y;
    }
    return true;
}

/// Sweeps until all columns of A = F V are orthogonal.
void svd3_orthogonalise(inout real a[9], inout real v[9])
{
    for (int sweep = 0; sweep < SVD3_MAX_SWEEPS; ++sweep) {
        bool rotated = false;
        for (int pair = 0; pair < 3; ++pair) // 01, 12, 02
            if (svd3_rotate(a, v, pair == 1 ? 1 : 0, pair == 0 ? 1 : 2))
                rotated = true;
        if (!rotated)
            return;
    }
}

/// (a_p, a_q) becomes (a_q, -a_p) where |a_p| < |a_q|: a rotation too.
void svd3_sort_pair(inout real a[9], inout real v[9], int p, int q)
{
    if (!(svd3_columns_dot(a, p, p) < svd3_columns_dot(a, q, q)))
        return;
    for (int row = 0; row < 9; row += 3) {
        const real x = a[row + p], y = v[row + p];
        a[row + p] = a[row + q];
        a[row + q] = -x;
        v[row + p] = v[row + q];
        v[row + q] = -y;
    }
}

/// u_0 along a_0, u_1 along a_1 made orthogonal to it, u_2 = u_0 x u_1. Where a column vanishes, any direction will do.
void svd3_left_vectors(real a[9], out real u[9], out real s[3])
{
    real3 first = real3(a[0], a[3], a[6]), second = real3(a[1], a[4], a[7]);
    const real3 third = real3(a[2], a[5], a[8]);
    real norm_sq = dot(first, first);
    s[0] = sqrt(norm_sq);
    first = norm_sq < SVD3_TINY ? real3(1, 0, 0) : first / s[0];

    second -= dot(first, second) * first;
    norm_sq = dot(second, second);
    s[1] = min(sqrt(norm_sq), s[0]);
    if (norm_sq < SVD3_TINY) {
        second = first.x * first.x > 0.5 ? real3(-first.z, 0, first.x) : real3(0, first.z, -first.y);
        norm_sq = dot(second, second);
    }
    second /= sqrt(norm_sq);
    // A second column of rounding errors only may have lost all its digits above: once more.
    second -= dot(first, second) * first;
    second /= sqrt(dot(second, second));

    const real3 last = cross(first, second);
    const real value = dot(last, third);
    s[2] = clamp(value, -s[1], s[1]);
    for (int i = 0; i < 3; ++i) {
        u[3 * i] = first[i];
        u[3 * i + 1] = second[i];
        u[3 * i + 2] = last[i];
    }
}

/// F = U diag(s) V^T.
void svd3(real f[9], out real u[9], out real s[3], out real v[9])
{
    // The largest entry is brought into [1, 2) by a power of two.
    real largest = real(0);
    for (int i = 0; i < 9; ++i)
        largest = max(largest, abs(f[i]));
    const int exponent = clamp(real_exponent(largest), SVD3_SMALLEST_EXPONENT, -SVD3_SMALLEST_EXPONENT);
    const real inverse = real_power_of_two(-exponent), power = real_power_of_two(exponent);
    real a[9];
    for (int i = 0; i < 9; ++i) {
        a[i] = f[i] * inverse;
        v[i] = real(i % 4 == 0 ? 1 : 0);
    }
    svd3_orthogonalise(a, v);
    svd3_sort_pair(a, v, 0, 1);
    svd3_sort_pair(a, v, 0, 2);
    svd3_sort_pair(a, v, 1, 2);
    svd3_left_vectors(a, u, s);
    for (int i = 0; i < 3; ++i)
        s[i] *= power;
}

#endif
