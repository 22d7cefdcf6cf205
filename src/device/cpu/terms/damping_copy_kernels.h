// ADMM's local problems of damping for one kind of element (admm/damping_copies.h): the part of terms/damping_kernels.h for copies of D x.

#define ELEMENT_TRIANGLE (ELEMENT_SIZE * (ELEMENT_SIZE + 1) / 2)

// Adds the blocks K of an element of which the corners 1, 2, ... are the axes of D x, and any other stays where it is, to an operator over
// D x: L[SIZE (COLUMNS i + a) + COLUMNS k + b] = d2R/dF'_ia dF'_kb.
LANES_INLINE void ELEMENT_FUNCTION(add_axis_blocks)(const Pack K[ELEMENT_PAIRS][9],
                                                    Pack L[ELEMENT_SIZE * ELEMENT_SIZE])
{
    int mixed = 2 * ELEMENT_CORNERS - 1; // behind the pairs of corner 0
    for (int a = 1; a <= ELEMENT_COLUMNS; ++a) {
        for (int c = a; c <= ELEMENT_COLUMNS; ++c) {
            const Pack *block = K[a == c ? a : mixed++];
            for (int i = 0; i < 3; ++i)
                for (int k = 0; k < 3; ++k) {
                    const int row = ELEMENT_COLUMNS * i + a - 1, column = ELEMENT_COLUMNS * k + c - 1;
                    L[ELEMENT_SIZE * row + column] += block[3 * i + k];
                    if (a != c)
                        L[ELEMENT_SIZE * column + row] += block[3 * i + k];
                }
        }
        mixed += ELEMENT_CORNERS - 1 - ELEMENT_COLUMNS;
    }
}

// Adds an entry's operator.
LANES_OUTLINE void ELEMENT_FUNCTION(add_operator)(const ElementBundles *bundles, int32_t b,
                                                  const ELEMENT_FUNCTION(Damped) * at, const Damping *entry,
                                                  int part, Pack L[ELEMENT_SIZE * ELEMENT_SIZE])
{
    Pack axes[ELEMENT_SHAPES], volume, K[ELEMENT_PAIRS][9];
    for (int k = 0; k < ELEMENT_SHAPES; ++k)
        axes[k] = pack_set(k / ELEMENT_COLUMNS == k % ELEMENT_COLUMNS ? 1.0 : 0.0);
    packs_load(&bundles->volumes[b], part, 1, &volume);
    ELEMENT_FUNCTION(corrected_blocks)
    (&bundles->materials[b].material, at, entry, part, axes, volume, K);
    ELEMENT_FUNCTION(add_axis_blocks)((const Pack(*)[9])K, L);
}

// The lower triangle of rho (L/t + rho)^-1, row by row, by Cholesky's factor.
LANES_OUTLINE void ELEMENT_FUNCTION(invert_operator)(Pack L[ELEMENT_SIZE * ELEMENT_SIZE], double duration,
                                                     Pack rho, Pack out[ELEMENT_TRIANGLE])
{
    enum { N = ELEMENT_SIZE };
    Pack inverse[N * N]; // of the factor; lower
    for (int i = 0; i < N; ++i)
        for (int j = 0; j <= i; ++j) {
            Pack sum = L[N * i + j] / duration + (i == j ? rho : pack_set(0.0));
            for (int k = 0; k < j; ++k)
                sum -= L[N * i + k] * L[N * j + k];
            L[N * i + j] = i == j ? pack_sqrt(sum) : sum / L[N * j + j];
        }
    for (int j = 0; j < N; ++j)
        for (int i = j; i < N; ++i) {
            Pack sum = pack_set(i == j ? 1.0 : 0.0);
            for (int k = j; k < i; ++k)
                sum -= L[N * i + k] * inverse[N * k + j];
            inverse[N * i + j] = sum / L[N * i + i];
        }
    for (int i = 0, at = 0; i < N; ++i)
        for (int j = 0; j <= i; ++j, ++at) {
            out[at] = pack_set(0.0);
            for (int k = i; k < N; ++k)
                out[at] += inverse[N * k + i] * inverse[N * k + j];
            out[at] *= rho;
        }
}

#if ELEMENT_SIZE == 9 && ELEMENT_DAMPING == DAMPED

static inline bool ELEMENT_FUNCTION(sees_gradient)(const Damping *law)
{
    return law && law->correction == CORRECTION_VELOCITY_GRADIENT;
}

// Of a power law that sees velocity gradients: U, V and the shares of the pairs.
LANES_INLINE void ELEMENT_FUNCTION(prepare_gradient_law)(const ELEMENT_LOCAL *local, int part, Lanes *data)
{
    Pack s[3], shares[3][2];
    packs_load(local->sigma, part, 3, s);
    velocity_gradient_shares(s, shares);
    for (int k = 0; k < 9; ++k) {
        data[k] = local->u[k];
        data[9 + k] = local->v[k];
    }
    packs_store(shares[0], part, 6, data + 18);
}

// In the axes that prepare_gradient_law has left, three stretchings and a sum of each pair become shorter.
LANES_INLINE void ELEMENT_FUNCTION(project_gradient_law)(const ElementBundles *bundles, int32_t b,
                                                         const Damping *law, double duration,
                                                         const Lanes s[9], Lanes z[9])
{
    static const int first[3] = {0, 0, 1}, second[3] = {1, 2, 2};
    const Lanes *base = bundles->base + 9 * (size_t)b,
                *U = bundles->damping + (size_t)(ELEMENT_SIZE * (ELEMENT_SIZE + 1) / 2) * (size_t)b,
                *V = U + 9, *shares = V + 9;
    Lanes way[9], lost[9];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            way[3 * i + j] = lanes_set(0);
            for (int k = 0; k < 9; ++k)
                way[3 * i + j] += U[3 * (k / 3) + i] * (s[k] - base[k]) * V[3 * (k % 3) + j];
        }
    for (int l = 0; l < LANE_COUNT; ++l) {
        double lambda[6], d[6], left[6], along[3][2];
        for (int m = 0; m < 3; ++m) {
            const double a = shares[2 * m][l], c = shares[2 * m + 1][l], size = sqrt(a * a + c * c);
            along[m][0] = a / size, along[m][1] = c / size;
            lambda[m] = 1;
            d[m] = way[4 * m][l];
            lambda[3 + m] = 2 * size * size;
            d[3 + m] = along[m][0] * way[3 * first[m] + second[m]][l] +
                       along[m][1] * way[3 * second[m] + first[m]][l];
        }
        power_law_prox_axes(law, bundles->volumes[b][l], duration, bundles->penalties[b][l], 6, lambda, d,
                            left);
        for (int m = 0; m < 3; ++m) {
            const double part = (1 - left[3 + m]) * d[3 + m];
            lost[4 * m][l] = (1 - left[m]) * d[m];
            lost[3 * first[m] + second[m]][l] = part * along[m][0];
            lost[3 * second[m] + first[m]][l] = part * along[m][1];
        }
    }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            z[3 * i + j] = s[3 * i + j];
            for (int k = 0; k < 9; ++k)
                z[3 * i + j] -= U[3 * i + k / 3] * lost[k] * V[3 * j + k % 3];
        }
}

#endif

static void ELEMENT_FUNCTION(damping_prepare)(ElementBundles *bundles, int32_t first, int32_t end, int law,
                                              int side, const double *x, const double *base, double duration)
{
    for (int32_t b = first; b < end; ++b) {
        ELEMENT_FUNCTION(Damped) at;
        Lanes *data = bundles->damping + (size_t)ELEMENT_TRIANGLE * (size_t)b;
        ELEMENT_FUNCTION(damped_bundle)(bundles, b, x, &at);
        ELEMENT_FUNCTION(gather)(bundles, b, base, bundles->base + (size_t)ELEMENT_SIZE * (size_t)b);
        for (int part = 0; part < PACKS_PER_LANES; ++part) {
            Pack L[ELEMENT_SIZE * ELEMENT_SIZE], out[ELEMENT_TRIANGLE], rho;
            packs_load(&bundles->penalties[b], part, 1, &rho);
            (void)law;
#if ELEMENT_DAMPING == DAMPED
            if (law >= 0) {
#if ELEMENT_SIZE == 9
                if (ELEMENT_FUNCTION(sees_gradient)(damping_law(bundles->materials[b].damping, law))) {
                    ELEMENT_FUNCTION(prepare_gradient_law)(&at.local, part, data);
                    continue;
                }
#endif
                ELEMENT_FUNCTION(rotation)(&at.local, part, out);
                packs_store(out, part, ELEMENT_SIZE, data);
                continue;
            }
#endif
            memset(L, 0, sizeof L);
            EACH_DAMPING(bundles, b, side, entry)
            if (entry->type != DAMPING_POWER_LAW)
                ELEMENT_FUNCTION(add_operator)(bundles, b, &at, entry, part, L);
            ELEMENT_FUNCTION(invert_operator)(L, duration, rho, out);
            packs_store(out, part, ELEMENT_TRIANGLE, data);
        }
    }
}

// z = base + M (s - base)
LANES_INLINE void ELEMENT_FUNCTION(project_quadratic)(const ElementBundles *bundles, int32_t b,
                                                      const Lanes s[ELEMENT_SIZE], Lanes z[ELEMENT_SIZE])
{
    const Lanes *base = bundles->base + (size_t)ELEMENT_SIZE * (size_t)b,
                *M = bundles->damping + (size_t)ELEMENT_TRIANGLE * (size_t)b;
    Lanes way[ELEMENT_SIZE];
    for (int i = 0; i < ELEMENT_SIZE; ++i) {
        way[i] = s[i] - base[i];
        z[i] = base[i];
    }
    for (int i = 0, at = 0; i < ELEMENT_SIZE; ++i)
        for (int j = 0; j <= i; ++j, ++at) {
            z[i] += M[at] * way[j];
            if (j < i)
                z[j] += M[at] * way[i];
        }
}

#if ELEMENT_DAMPING == DAMPED

// Of the way s - base the part R sym(R^T (s - base)) becomes shorter.
LANES_INLINE void ELEMENT_FUNCTION(project_power_law)(const ElementBundles *bundles, int32_t b, int number,
                                                      double duration, const Lanes s[ELEMENT_SIZE],
                                                      Lanes z[ELEMENT_SIZE])
{
    enum { N = ELEMENT_COLUMNS };
    const Lanes *base = bundles->base + (size_t)ELEMENT_SIZE * (size_t)b,
                *R = bundles->damping + (size_t)ELEMENT_TRIANGLE * (size_t)b;
    const Damping *law = damping_law(bundles->materials[b].damping, number);
#if ELEMENT_SIZE == 9
    if (ELEMENT_FUNCTION(sees_gradient)(law)) {
        ELEMENT_FUNCTION(project_gradient_law)(bundles, b, law, duration, s, z);
        return;
    }
#endif
    Lanes turned[N * N], square = lanes_set(0), lost = lanes_set(0);
    for (int j = 0; j < N; ++j)
        for (int k = 0; k < N; ++k) {
            turned[N * j + k] = lanes_set(0);
            for (int i = 0; i < 3; ++i)
                turned[N * j + k] += R[N * i + j] * (s[N * i + k] - base[N * i + k]);
        }
    for (int j = 0; j < N; ++j)
        for (int k = 0; k <= j; ++k) {
            const Lanes mean = 0.5 * (turned[N * j + k] + turned[N * k + j]);
            turned[N * j + k] = mean;
            turned[N * k + j] = mean;
            square += (j == k ? 1.0 : 2.0) * mean * mean;
        }
    square = lanes_sqrt(square);
    for (int l = 0; l < LANE_COUNT && law; ++l)
        lost[l] =
            1 - power_law_prox(law, bundles->volumes[b][l], duration, bundles->penalties[b][l], square[l]);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < N; ++k) {
            Lanes part = lanes_set(0);
            for (int j = 0; j < N; ++j)
                part += R[N * i + j] * turned[N * j + k];
            z[N * i + k] = s[N * i + k] - lost * part;
        }
}

#endif

static void ELEMENT_FUNCTION(damping_project)(ElementBundles *bundles, int32_t first, int32_t end, int law,
                                              double duration, const Mixing *mixing, double *change_sq)
{
    Lanes changes = lanes_set(0), s[ELEMENT_SIZE], z[ELEMENT_SIZE];
    for (int32_t b = first; b < end; ++b) {
        ELEMENT_FUNCTION(mix_state)(bundles, b, mixing, s);
#if ELEMENT_DAMPING == DAMPED
        if (law >= 0)
            ELEMENT_FUNCTION(project_power_law)(bundles, b, law, duration, s, z);
        else
#else
        (void)law, (void)duration;
#endif
            ELEMENT_FUNCTION(project_quadratic)(bundles, b, s, z);
        changes += ELEMENT_FUNCTION(keep_projection)(bundles, b, s, z);
    }
    *change_sq = lanes_sum(changes);
}

#if ELEMENT_DAMPING == DAMPED
#include "device/cpu/terms/variational_kernels.h"
#endif

#undef ELEMENT_TRIANGLE
