/// Random numbers, rotations and deformation gradients for tests of formulas; the same on every machine.
#ifndef TESTS_RANDOM_MATRIX_H
#define TESTS_RANDOM_MATRIX_H

#include "base/matrix3.h"

#include <math.h>
#include <stdint.h>

typedef struct RandomState {
    uint64_t state; ///< any number but 0
} RandomState;

static inline uint64_t random_bits(RandomState *random)
{
    uint64_t x = random->state;
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    random->state = x;
    return x * 0x2545f4914f6cdd1dULL;
}

static inline double random_between(RandomState *random, double low, double high)
{
    return low + (high - low) * ((double)(random_bits(random) >> 11) * 0x1p-53);
}

static inline void random_rotation(RandomState *random, double R[9])
{
    double axis[3];
    do
        for (int i = 0; i < 3; ++i)
            axis[i] = random_between(random, -1, 1);
    while (norm3(axis) < 0.1 || norm3(axis) > 1);
    normalize3(axis);
    matrix3_rotation(axis, random_between(random, -3.14159, 3.14159), R);
}

/// F = U diag(s) V^T with random rotations U, V.
static inline void random_with_values(RandomState *random, const double s[3], double F[9])
{
    double U[9], V[9], Vt[9];
    random_rotation(random, U), random_rotation(random, V);
    matrix3_transpose(V, Vt);
    for (int k = 0; k < 9; ++k)
        U[k] *= s[k % 3];
    matrix3_multiply(U, Vt, F);
}

/// F = U diag(s) V^T, 3 x 2, with random rotations U of space and V of the plane.
static inline void random_membrane(RandomState *random, const double s[2], double F[6])
{
    double U[9];
    const double angle = random_between(random, -3.14159, 3.14159), c = cos(angle), d = sin(angle);
    random_rotation(random, U);
    for (int i = 0; i < 3; ++i) {
        F[2 * i] = U[3 * i] * s[0] * c - U[3 * i + 1] * s[1] * d;
        F[2 * i + 1] = U[3 * i] * s[0] * d + U[3 * i + 1] * s[1] * c;
    }
}

/// Edge and wings of a hinge folded by an angle, in columns: an edge of 0.5 to 1.5, heights of 0.3 to 1.5 over any part of it.
static inline void random_hinge(RandomState *random, double angle, double F[9])
{
    double R[9];
    random_rotation(random, R);
    const double length = random_between(random, 0.5, 1.5), first = random_between(random, 0.3, 1.5),
                 second = random_between(random, 0.3, 1.5), foot = random_between(random, -0.5, 1.5),
                 other = random_between(random, -0.5, 1.5);
    for (int i = 0; i < 3; ++i) {
        const double along = length * R[3 * i];
        F[3 * i] = along;
        F[3 * i + 1] = foot * along + first * R[3 * i + 1];
        F[3 * i + 2] = other * along - second * (cos(angle) * R[3 * i + 1] + sin(angle) * R[3 * i + 2]);
    }
}

/// Three vectors in columns, for joints: the first two at an angle, the third anywhere but across both.
static inline void random_joint(RandomState *random, double angle, double F[9])
{
    double R[9];
    random_rotation(random, R);
    const double first = random_between(random, 0.5, 1.5), second = random_between(random, 0.5, 1.5),
                 third = random_between(random, 0.5, 1.5), turn = random_between(random, -3.1, 3.1),
                 lift = random_between(random, -0.5, 0.5);
    for (int i = 0; i < 3; ++i) {
        const double *r = R + 3 * i;
        F[3 * i] = first * r[0];
        F[3 * i + 1] = second * (cos(angle) * r[0] + sin(angle) * r[1]);
        F[3 * i + 2] = third * (cos(turn) * r[0] + sin(turn) * r[1] + lift * r[2]);
    }
}

/// A deformation gradient of the kind `index % 16`: generic, close to a rotation, stretched, equal singular values,
/// inverted, singular, graded, zero, scaled by 1e-8 and 1e8.
static inline void random_deformation(RandomState *random, int index, double F[9])
{
    const double a = random_between(random, 0.2, 3), b = random_between(random, 0.2, 3),
                 c = random_between(random, 0.2, 3), tiny = pow(10, random_between(random, -16, -1));
    const double table[16][3] = {
        {a, b, c},
        {1 + tiny, 1, 1 - tiny},
        {a, a, a},
        {a, a, b},
        {a, b, -c},
        {a, a, -a},
        {a, b, -b},
        {a, b, 0},
        {a, 0, 0},
        {a, b, tiny},
        {a, tiny, tiny * tiny},
        {a, tiny, -tiny},
        {1e8 * a, 1e8 * b, 1e8 * c},
        {1e-8 * a, 1e-8 * b, -1e-8 * c},
        {a, a + tiny, -a},
        {1, 1, 1},
    };
    random_with_values(random, table[index % 16], F);
    const int kind = index / 16 % 8;
    if (kind == 0 && index % 16 == 15) {
        for (int k = 0; k < 9; ++k)
            F[k] = 0;
    } else if (kind == 1 && index % 16 == 0) { // a matrix of exact numbers
        for (int k = 0; k < 9; ++k)
            F[k] = (double)(random_bits(random) % 5) - 2;
    } else if (kind == 2 && index % 16 == 15) { // diagonal, any order and sign
        const double diagonal[3] = {-a, b, -tiny};
        for (int k = 0; k < 9; ++k)
            F[k] = k % 4 == 0 ? diagonal[k / 4] : 0;
    } else if (kind == 3) { // any entries
        for (int k = 0; k < 9; ++k)
            F[k] = random_between(random, -1, 1);
    }
}

/// Sorts singular values as svd3 does: by size, the sign of their product on the smallest.
static inline void sort_values(double v[3])
{
    const double product = v[0] * v[1] * v[2];
    for (int k = 0; k < 3; ++k)
        v[k] = fabs(v[k]);
    for (int a = 0; a < 2; ++a)
        for (int b = a + 1; b < 3; ++b)
            if (v[b] > v[a]) {
                const double larger = v[b];
                v[b] = v[a], v[a] = larger;
            }
    v[2] = copysign(v[2], product);
}

#endif
