#include "geometry/orientation.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

// An expansion is a sum of doubles that do not overlap, smallest first, without zeros: its sign is that of the last.
// A difference has at most 2 terms, products of two of them 8, of three 64.
enum { DIFFERENCE_TERMS = 2, MINOR_TERMS = 16, VOLUME_TERMS = 192 };

/// sum + error = a + b exactly (Knuth).
static inline void two_sum(double a, double b, double *sum, double *error)
{
    const double s = a + b, bb = s - a;
    *error = (a - (s - bb)) + (b - bb);
    *sum = s;
}

/// a = high + low with 26 bits each (Veltkamp).
static inline void split(double a, double *high, double *low)
{
    const double scaled = 134217729.0 * a; // 2^27 + 1
    *high = scaled - (scaled - a);
    *low = a - *high;
}

/// product + error = a b exactly (Dekker).
static inline void two_product(double a, double b, double *product, double *error)
{
    const double p = a * b;
    double ah, al, bh, bl;
    split(a, &ah, &al), split(b, &bh, &bl);
    *error = al * bl - (((p - ah * bh) - al * bh) - ah * bl);
    *product = p;
}

/// Appends a term unless it is 0; the new count.
static inline int append(double term, double *out, int count)
{
    out[count] = term;
    return count + (term != 0);
}

/// out = a - b.
static int expansion_difference(double a, double b, double out[DIFFERENCE_TERMS])
{
    double difference, error;
    two_sum(a, -b, &difference, &error);
    return append(difference, out, append(error, out, 0));
}

/// out = e + f, with room for m + n terms, and not e or f. The terms are added in order of size.
static int expansion_sum(const double *e, int m, const double *f, int n, double *out)
{
    int i = 0, j = 0, count = 0;
    double sum = 0;
    while (i < m || j < n) {
        const bool from_e = j == n || (i < m && fabs(e[i]) < fabs(f[j]));
        const double next = from_e ? e[i++] : f[j++];
        double error;
        two_sum(sum, next, &sum, &error);
        count = append(error, out, count);
    }
    return append(sum, out, count);
}

/// out = factor e, with room for 2 n terms.
static int expansion_scale(const double *e, int n, double factor, double *out)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < n; ++i) {
        double product, low, error;
        two_product(e[i], factor, &product, &low);
        two_sum(sum, low, &sum, &error);
        count = append(error, out, count);
        two_sum(product, sum, &sum, &error);
        count = append(error, out, count);
    }
    return append(sum, out, count);
}

/// out = e f for a difference f, with room for 4 n terms; n at most MINOR_TERMS.
static int expansion_product(const double *e, int n, const double *f, int f_count, double *out)
{
    if (f_count == 0)
        return 0;
    double low[2 * MINOR_TERMS + 1], high[2 * MINOR_TERMS + 1];
    if (f_count == 1)
        return expansion_scale(e, n, f[0], out);
    const int low_count = expansion_scale(e, n, f[0], low), high_count = expansion_scale(e, n, f[1], high);
    return expansion_sum(low, low_count, high, high_count, out);
}

static inline int expansion_sign(const double *e, int n)
{
    return n == 0 ? 0 : e[n - 1] > 0 ? 1 : -1;
}

/// A vector of exact differences.
typedef struct ExactVector {
    double term[3][DIFFERENCE_TERMS];
    int count[3];
} ExactVector;

static ExactVector exact_difference(const double *a, const double *b, int dimensions)
{
    ExactVector v;
    for (int axis = 0; axis < dimensions; ++axis)
        v.count[axis] = expansion_difference(a[axis], b[axis], v.term[axis]);
    return v;
}

/// out = v_0 w_1 - v_1 w_0.
static int exact_minor(const ExactVector *v, const ExactVector *w, double out[MINOR_TERMS + 1])
{
    double plus[MINOR_TERMS / 2 + 1], minus[MINOR_TERMS / 2 + 1];
    const int plus_count = expansion_product(v->term[0], v->count[0], w->term[1], w->count[1], plus);
    const int minus_count = expansion_product(v->term[1], v->count[1], w->term[0], w->count[0], minus);
    for (int i = 0; i < minus_count; ++i)
        minus[i] = -minus[i];
    return expansion_sum(plus, plus_count, minus, minus_count, out);
}

static int exact_orientation2(const double a[2], const double b[2], const double c[2])
{
    const ExactVector u = exact_difference(a, c, 2), v = exact_difference(b, c, 2);
    double minor[MINOR_TERMS + 1];
    return expansion_sign(minor, exact_minor(&u, &v, minor));
}

static int exact_orientation3(const double a[3], const double b[3], const double c[3], const double d[3])
{
    const ExactVector v[3] = {exact_difference(a, d, 3), exact_difference(b, d, 3),
                              exact_difference(c, d, 3)};
    double sums[2][VOLUME_TERMS + 1], minor[MINOR_TERMS + 1], part[VOLUME_TERMS / 3 + 1];
    int count = 0;
    for (int i = 0; i < 3; ++i) {
        const ExactVector *p = &v[(i + 1) % 3], *q = &v[(i + 2) % 3];
        const int minor_count = exact_minor(p, q, minor);
        const int part_count = expansion_product(minor, minor_count, v[i].term[2], v[i].count[2], part);
        count = expansion_sum(sums[i % 2], count, part, part_count, sums[(i + 1) % 2]);
    }
    return expansion_sign(sums[1], count);
}

int orientation2(const double a[2], const double b[2], const double c[2])
{
    const double left = (a[0] - c[0]) * (b[1] - c[1]), right = (a[1] - c[1]) * (b[0] - c[0]);
    const double determinant = left - right, bound = 4 * DBL_EPSILON * (fabs(left) + fabs(right));
    if (fabs(determinant) > bound)
        return determinant > 0 ? 1 : -1;
    return bound == 0 ? 0 : exact_orientation2(a, b, c);
}

int orientation3(const double a[3], const double b[3], const double c[3], const double d[3])
{
    double u[3], v[3], w[3];
    for (int axis = 0; axis < 3; ++axis)
        u[axis] = a[axis] - d[axis], v[axis] = b[axis] - d[axis], w[axis] = c[axis] - d[axis];
    const double vw = v[0] * w[1], wv = v[1] * w[0], wu = w[0] * u[1], uw = w[1] * u[0], uv = u[0] * v[1],
                 vu = u[1] * v[0];
    const double determinant = u[2] * (vw - wv) + v[2] * (wu - uw) + w[2] * (uv - vu);
    const double size = fabs(u[2]) * (fabs(vw) + fabs(wv)) + fabs(v[2]) * (fabs(wu) + fabs(uw)) +
                        fabs(w[2]) * (fabs(uv) + fabs(vu));
    const double bound = 8 * DBL_EPSILON * size;
    if (fabs(determinant) > bound)
        return determinant > 0 ? 1 : -1;
    return bound == 0 ? 0 : exact_orientation3(a, b, c, d);
}

int side_of_plane(const double n[3], const double c[3], const double x[3])
{
    double sums[2][6 * DIFFERENCE_TERMS + 1], part[2 * DIFFERENCE_TERMS + 1];
    int count = 0;
    const ExactVector offset = exact_difference(x, c, 3);
    for (int axis = 0; axis < 3; ++axis) {
        const int part_count = expansion_scale(offset.term[axis], offset.count[axis], n[axis], part);
        count = expansion_sum(sums[axis % 2], count, part, part_count, sums[(axis + 1) % 2]);
    }
    return expansion_sign(sums[1], count);
}
