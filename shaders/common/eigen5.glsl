// Eigenvalues and eigenvectors of symmetric 5x5 matrices by Jacobi's method. All loops have fixed bounds, so that compilers
// unroll those that index, and the matrices stay in registers.
#ifndef COMMON_EIGEN5_GLSL
#define COMMON_EIGEN5_GLSL

#include "common/eigen3.glsl"

const int EIGEN5_MAX_SWEEPS = 10;

/// One rotation in the plane (p, q) that makes m_pq zero; whether it was not negligible.
bool eigen5_rotate(inout real m[25], inout real vectors[25], int p, int q)
{
    const real pq = m[5 * p + q], pp = m[6 * p], qq = m[6 * q];
    const bool turns = abs(pq) > EIGEN3_NEGLIGIBLE * sqrt(abs(pp)) * sqrt(abs(qq)) + EIGEN3_NOTHING;
    // t = tan(theta), the smaller root of t^2 + 2 t d - 1 = 0 with d = (qq - pp)/(2 pq), without squaring a large d
    const real difference = real(0.5) * (qq - pp), larger = max(max(abs(difference), abs(pq)), EIGEN3_NOTHING);
    const real x = difference / larger, y = pq / larger;
    const real root = abs(x) + sqrt(x * x + y * y);
    const real t = turns ? (x < real(0.0) ? -y / root : y / root) : real(0.0);
    const real c = real(1.0) / sqrt(t * t + real(1.0)), s = t * c;
    for (int k = 0; k < 5; ++k) {
        const real a = m[5 * k + p], b = m[5 * k + q], v = vectors[5 * p + k], w = vectors[5 * q + k];
        if (k != p && k != q) {
            m[5 * k + p] = m[5 * p + k] = c * a - s * b;
            m[5 * k + q] = m[5 * q + k] = s * a + c * b;
        }
        vectors[5 * p + k] = c * v - s * w;
        vectors[5 * q + k] = s * v + c * w;
    }
    m[6 * p] = pp - t * pq;
    m[6 * q] = qq + t * pq;
    m[5 * p + q] = m[5 * q + p] = turns ? real(0.0) : pq;
    return turns;
}

/// Row-major; eigenvalues unsorted, unit eigenvectors in the rows of `vectors`. Entries of about size 1 at most.
void eigen5(inout real m[25], out real values[5], out real vectors[25])
{
    for (int i = 0; i < 25; ++i)
        vectors[i] = real(i % 6 == 0 ? 1 : 0);
    for (int sweep = 0; sweep < EIGEN5_MAX_SWEEPS; ++sweep) {
        bool rotated = false;
        for (int p = 0; p < 4; ++p)
            for (int q = 1; q < 5; ++q)
                if (q > p && eigen5_rotate(m, vectors, p, q))
                    rotated = true;
        if (!rotated)
            break;
    }
    for (int i = 0; i < 5; ++i)
        values[i] = m[6 * i];
}

#endif
