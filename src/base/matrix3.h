/// 3-vectors and 3x3 matrices (row-major double[9]) for set-up code and tests. Hot loops use lanes.h.
#ifndef BASE_MATRIX3_H
#define BASE_MATRIX3_H

#include <math.h>
#include <string.h>

static inline double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross3(const double a[3], const double b[3], double out[3])
{
    const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    out[0] = x, out[1] = y, out[2] = z;
}

static inline void subtract3(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] = a[i] - b[i];
}

static inline void add_scaled3(const double a[3], double s, const double b[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] = a[i] + s * b[i];
}

static inline double norm3(const double a[3])
{
    return sqrt(dot3(a, a));
}

/// Scales `a` to length one and returns its former length; a zero vector stays as it is.
static inline double normalize3(double a[3])
{
    const double length = norm3(a);
    if (length > 0)
        for (int i = 0; i < 3; ++i)
            a[i] /= length;
    return length;
}

static inline void matrix3_apply(const double m[9], const double a[3], double out[3])
{
    double result[3];
    for (int i = 0; i < 3; ++i)
        result[i] = m[3 * i] * a[0] + m[3 * i + 1] * a[1] + m[3 * i + 2] * a[2];
    memcpy(out, result, sizeof result);
}

/// out = a b
static inline void matrix3_multiply(const double a[9], const double b[9], double out[9])
{
    double result[9];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            result[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
    memcpy(out, result, sizeof result);
}

static inline void matrix3_transpose(const double m[9], double out[9])
{
    const double result[9] = {m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]};
    memcpy(out, result, sizeof result);
}

static inline double matrix3_determinant(const double m[9])
{
    return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
           m[2] * (m[3] * m[7] - m[4] * m[6]);
}

/// out = m^-1; `m` must not be singular. Returns det m.
static inline double matrix3_inverse(const double m[9], double out[9])
{
    const double det = matrix3_determinant(m), inverse = 1 / det;
    const double result[9] = {
        (m[4] * m[8] - m[5] * m[7]) * inverse, (m[2] * m[7] - m[1] * m[8]) * inverse,
        (m[1] * m[5] - m[2] * m[4]) * inverse, (m[5] * m[6] - m[3] * m[8]) * inverse,
        (m[0] * m[8] - m[2] * m[6]) * inverse, (m[2] * m[3] - m[0] * m[5]) * inverse,
        (m[3] * m[7] - m[4] * m[6]) * inverse, (m[1] * m[6] - m[0] * m[7]) * inverse,
        (m[0] * m[4] - m[1] * m[3]) * inverse,
    };
    memcpy(out, result, sizeof result);
    return det;
}

/// Rotation by `radians` about the unit vector `axis` (Rodrigues).
static inline void matrix3_rotation(const double axis[3], double radians, double out[9])
{
    const double c = cos(radians), s = sin(radians), x = axis[0], y = axis[1], z = axis[2];
    const double result[9] = {
        c + x * x * (1 - c),     x * y * (1 - c) - z * s, x * z * (1 - c) + y * s,
        y * x * (1 - c) + z * s, c + y * y * (1 - c),     y * z * (1 - c) - x * s,
        z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c),
    };
    memcpy(out, result, sizeof result);
}

#endif
