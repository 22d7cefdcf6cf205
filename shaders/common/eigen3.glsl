// Eigenvalues and eigenvectors of symmetric 3x3 matrices by Jacobi's method; twin of src/base/eigen3.h.
#ifndef COMMON_EIGEN3_GLSL
#define COMMON_EIGEN3_GLSL

#include "common/real.glsl"

const int EIGEN3_MAX_SWEEPS = 16;
#ifdef VELA_F64
const double EIGEN3_NEGLIGIBLE = 1e-16lf, EIGEN3_NOTHING = 1e-150lf;
#else
const float EIGEN3_NEGLIGIBLE = 6e-8, EIGEN3_NOTHING = 1e-30;
#endif

/// One rotation in the plane (p, q), r the third axis, that makes m_pq zero; false if it is negligible. m is a full
/// matrix here, row-major.
bool eigen3_rotate(inout real m[9], inout real vectors[9], int p, int q)
{
    const int r = 3 - p - q;
    const real pq = m[3 * p + q], pp = m[4 * p], qq = m[4 * q];
    if (!(abs(pq) > EIGEN3_NEGLIGIBLE * sqrt(abs(pp)) * sqrt(abs(qq)) + EIGEN3_NOTHING))
        return false;
    // t = tan(theta), the smaller root of t^2 + 2 t d - 1 = 0 with d = (qq - pp)/(2 pq), without squaring a large d
    const real difference = 0.5 * (qq - pp), larger = max(abs(difference), abs(pq));
    const real x = difference / larger, y = pq / larger;
    const real root = abs(x) + sqrt(x * x + y * y), t = x < 0.0 ? -y / root : y / root;
    const real c = 1.0 / sqrt(t * t + 1.0), s = t * c, pr = m[3 * p + r], qr = m[3 * q + r];
    m[4 * p] = pp - t * pq;
    m[4 * q] = qq + t * pq;
    m[3 * p + q] = m[3 * q + p] = real(0);
    m[3 * p + r] = m[3 * r + p] = c * pr - s * qr;
    m[3 * q + r] = m[3 * r + q] = s * pr + c * qr;
    for (int row = 0; row < 9; row += 3) {
        const real a = vectors[row + p];
        vectors[row + p] = c * a - s * vectors[row + q];
        vectors[row + q] = s * a + c * vectors[row + q];
    }
    return true;
}

/// M = Q diag(values) Q^T. M as 00 11 22 01 02 12; Q row-major, its columns are the eigenvectors; values unsorted.
void eigen3(real upper[6], out real values[3], out real vectors[9])
{
    real m[9] = real[9](upper[0], upper[3], upper[4], upper[3], upper[1], upper[5], upper[4], upper[5], upper[2]);
    for (int i = 0; i < 9; ++i)
        vectors[i] = real(i % 4 == 0 ? 1 : 0);
    for (int sweep = 0; sweep < EIGEN3_MAX_SWEEPS; ++sweep) {
        bool rotated = false;
        for (int pair = 0; pair < 3; ++pair) // 01, 02, 12
            if (eigen3_rotate(m, vectors, pair == 2 ? 1 : 0, pair == 0 ? 1 : 2))
                rotated = true;
        if (!rotated)
            break;
    }
    for (int i = 0; i < 3; ++i)
        values[i] = m[4 * i];
}

#endif
