/// Pairs of triangles in exact arithmetic (GMP integers): the same questions as geometry/triangle_intersection.h, answered
/// by other means. Two convex sets meet if and only if 0 is among the differences of their points, so everything comes down
/// to whether 0 is in the hull of a few vectors, and by Caratheodory in that of at most four independent ones.
#ifndef TESTS_EXACT_TRIANGLES_H
#define TESTS_EXACT_TRIANGLES_H

#include <gmp.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>

enum { EXACT_POINTS = 9 };

/// Vectors, their cross products and the signs of their triple products.
typedef struct ExactVectors {
    int count;
    mpz_t v[EXACT_POINTS][3], cross[EXACT_POINTS][EXACT_POINTS][3];
    int volume[EXACT_POINTS][EXACT_POINTS][EXACT_POINTS]; ///< for i < j < k
    mpz_t corner[2][9];                                   ///< the triangles
    mpz_t scratch, sum;
} ExactVectors;

static inline void exact_start(ExactVectors *e)
{
    for (int i = 0; i < EXACT_POINTS; ++i)
        for (int k = 0; k < 3; ++k) {
            mpz_init(e->v[i][k]);
            for (int j = 0; j < EXACT_POINTS; ++j)
                mpz_init(e->cross[i][j][k]);
        }
    for (int i = 0; i < 18; ++i)
        mpz_init(e->corner[i / 9][i % 9]);
    mpz_inits(e->scratch, e->sum, NULL);
}

static inline void exact_end(ExactVectors *e)
{
    for (int i = 0; i < EXACT_POINTS; ++i)
        for (int k = 0; k < 3; ++k) {
            mpz_clear(e->v[i][k]);
            for (int j = 0; j < EXACT_POINTS; ++j)
                mpz_clear(e->cross[i][j][k]);
        }
    for (int i = 0; i < 18; ++i)
        mpz_clear(e->corner[i / 9][i % 9]);
    mpz_clears(e->scratch, e->sum, NULL);
}

/// Both triangles as integers times one power of two.
static inline void exact_set(ExactVectors *e, const double p[9], const double q[9])
{
    int least = INT_MAX;
    for (int i = 0; i < 18; ++i) {
        const double value = i < 9 ? p[i] : q[i - 9];
        int shift = 0;
        frexp(value, &shift);
        if (value != 0 && shift - 53 < least)
            least = shift - 53;
    }
    for (int i = 0; i < 18; ++i)
        mpz_set_d(e->corner[i / 9][i % 9], least == INT_MAX ? 0 : ldexp(i < 9 ? p[i] : q[i - 9], -least));
}

/// v_count = +-(point - origin), given as corners of the triangles.
static inline void exact_append(ExactVectors *e, bool negative, mpz_t *point, mpz_t *origin)
{
    for (int k = 0; k < 3; ++k) {
        mpz_sub(e->v[e->count][k], point[k], origin[k]);
        if (negative)
            mpz_neg(e->v[e->count][k], e->v[e->count][k]);
    }
    ++e->count;
}

static inline int exact_dot_sign(ExactVectors *e, mpz_t *a, mpz_t *b)
{
    mpz_mul(e->sum, a[0], b[0]);
    mpz_addmul(e->sum, a[1], b[1]);
    mpz_addmul(e->sum, a[2], b[2]);
    return mpz_sgn(e->sum);
}

static inline bool exact_is_zero(mpz_t *a)
{
    return mpz_sgn(a[0]) == 0 && mpz_sgn(a[1]) == 0 && mpz_sgn(a[2]) == 0;
}

static inline void exact_cross(mpz_t *a, mpz_t *b, mpz_t *out)
{
    for (int k = 0; k < 3; ++k) {
        mpz_mul(out[k], a[(k + 1) % 3], b[(k + 2) % 3]);
        mpz_submul(out[k], a[(k + 2) % 3], b[(k + 1) % 3]);
    }
}

/// Whether the signs are all >= 0 or all <= 0, and not all 0.
static inline bool exact_one_sided(const int *signs, int count)
{
    int low = 0, high = 0;
    for (int i = 0; i < count; ++i) {
        low = signs[i] < low ? signs[i] : low;
        high = signs[i] > high ? signs[i] : high;
    }
    return low * high == 0 && low != high;
}

/// Whether 0 is in the hull of three vectors whose plane contains it, or of two of them, or is one of them.
static inline bool exact_flat_hull_has_zero(ExactVectors *e, int i, int j, int k)
{
    const int pairs[3][2] = {{i, j}, {j, k}, {i, k}};
    for (int n = 0; n < 3; ++n) {
        const int a = pairs[n][0], b = pairs[n][1];
        if (exact_is_zero(e->cross[a][b]) && exact_dot_sign(e, e->v[a], e->v[b]) <= 0)
            return true;
    }
    // The weights are as j x k, k x i, i x j, which are parallel.
    const int jk_ik = exact_dot_sign(e, e->cross[j][k], e->cross[i][k]),
              ij_ik = exact_dot_sign(e, e->cross[i][j], e->cross[i][k]),
              ij_jk = exact_dot_sign(e, e->cross[i][j], e->cross[j][k]);
    return jk_ik < 0 && ij_ik < 0 && ij_jk > 0;
}

/// Whether 0 is in the hull of all vectors; at least 2.
static inline bool exact_hull_has_zero(ExactVectors *e)
{
    const int n = e->count;
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j) {
            exact_cross(e->v[i], e->v[j], e->cross[i][j]);
            if (exact_is_zero(e->cross[i][j]) && exact_dot_sign(e, e->v[i], e->v[j]) <= 0)
                return true;
        }
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j)
            for (int k = j + 1; k < n; ++k) {
                e->volume[i][j][k] = exact_dot_sign(e, e->cross[i][j], e->v[k]);
                if (e->volume[i][j][k] == 0 && exact_flat_hull_has_zero(e, i, j, k))
                    return true;
            }
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j)
            for (int k = j + 1; k < n; ++k)
                for (int l = k + 1; l < n; ++l) {
                    const int weights[4] = {e->volume[j][k][l], -e->volume[i][k][l], e->volume[i][j][l],
                                            -e->volume[i][j][k]};
                    if (exact_one_sided(weights, 4))
                        return true;
                }
    return false;
}

/// triangles_meet
static inline bool exact_triangles_meet(ExactVectors *e, const double p[9], const double q[9])
{
    exact_set(e, p, q);
    e->count = 0;
    for (int i = 0; i < 9; ++i)
        exact_append(e, false, &e->corner[0][i / 3 * 3], &e->corner[1][i % 3 * 3]);
    return exact_hull_has_zero(e);
}

/// Whether the two sides of triangle t that leave its corner 0 span an area.
static inline bool exact_wedge(ExactVectors *e, int t, int first)
{
    e->count = 0;
    exact_append(e, false, &e->corner[t][3 * first], &e->corner[t][0]);
    exact_append(e, false, &e->corner[t][9 - 3 * first], &e->corner[t][0]);
    exact_cross(e->v[0], e->v[1], e->cross[0][1]);
    return !exact_is_zero(e->cross[0][1]);
}

/// triangles_meet_beyond_corner: the cones at the corner have a common direction. A triangle without an area has two cones of
/// one direction each; none for a corner at the same place.
static inline bool exact_meet_beyond_corner(ExactVectors *e, const double p[9], const double q[9])
{
    exact_set(e, p, q);
    int cones[2];
    for (int t = 0; t < 2; ++t)
        cones[t] = exact_wedge(e, t, 1) ? 1 : 2;
    for (int a = 0; a < cones[0]; ++a)
        for (int b = 0; b < cones[1]; ++b) {
            bool empty = false;
            e->count = 0;
            for (int t = 0; t < 2; ++t)
                for (int i = 1; i < 3; ++i)
                    if (cones[t] == 1 || i == 1 + (t == 0 ? a : b)) {
                        exact_append(e, t == 1, &e->corner[t][3 * i], &e->corner[t][0]);
                        empty = empty || exact_is_zero(e->v[e->count - 1]);
                    }
            if (!empty && exact_hull_has_zero(e))
                return true;
        }
    return false;
}

/// triangles_meet_beyond_edge: beside the edge both are half planes with the same direction.
static inline bool exact_meet_beyond_edge(ExactVectors *e, const double p[9], const double q[9])
{
    exact_set(e, p, q);
    e->count = 0;
    exact_append(e, false, &e->corner[0][3], &e->corner[0][0]);
    exact_append(e, false, &e->corner[0][6], &e->corner[0][0]);
    exact_append(e, false, &e->corner[1][6], &e->corner[0][0]);
    if (exact_is_zero(e->v[0])) { // two segments from one point
        exact_cross(e->v[1], e->v[2], e->cross[1][2]);
        return exact_is_zero(e->cross[1][2]) && exact_dot_sign(e, e->v[1], e->v[2]) > 0;
    }
    exact_cross(e->v[0], e->v[1], e->cross[0][1]);
    exact_cross(e->v[0], e->v[2], e->cross[0][2]);
    const bool flat_p = exact_is_zero(e->cross[0][1]), flat_q = exact_is_zero(e->cross[0][2]);
    if (flat_p && flat_q) { // segments on one line, that go on beyond the same end
        bool before = true, after = true;
        for (int i = 1; i < 3; ++i) {
            before = before && exact_dot_sign(e, e->v[0], e->v[i]) < 0;
            for (int k = 0; k < 3; ++k)
                mpz_sub(e->cross[0][0][k], e->v[i][k], e->v[0][k]);
            after = after && exact_dot_sign(e, e->v[0], e->cross[0][0]) > 0;
        }
        return before || after;
    }
    if (flat_p || flat_q)
        return false;
    exact_cross(e->cross[0][1], e->cross[0][2], e->cross[0][0]);
    return exact_is_zero(e->cross[0][0]) && exact_dot_sign(e, e->cross[0][1], e->cross[0][2]) > 0;
}

#endif
