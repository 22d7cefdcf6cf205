/// Energies of F without its singular values, for what a trial needs: density and slope. With the strain A = F^T F - 1, which is small
/// near rest however F turns,
///
///     psi = kappa/2 (tr A - log det(1 + A)) + lambda/8 log^2 det(1 + A)                                          of neo_hookean
///     P = dpsi/dF = F^-T (kappa A + lambda/2 log det(1 + A))
///
/// have the rounding of stresses, as the forms in singular values have: no terms of the size of kappa cancel. det(1 + A) - 1 = q = tr A +
/// m_2 + det A, m_2 the sum of A's principal minors of two rows, so tr A - log(1 + q) = (q - log(1 + q)) - m_2 - det A. A symmetric
/// matrix is stored as 00 01 02 11 12 22.
#ifndef PHYSICS_ENERGY_STRAIN_ENERGY_H
#define PHYSICS_ENERGY_STRAIN_ENERGY_H

#include "abi/energy_model.h"
#include "base/lanes.h"

static inline bool energy_has_strain_form(int model)
{
    return model == ENERGY_NEO_HOOKEAN;
}

/// What density and slope begin with.
typedef struct StrainState {
    Pack strain[6];
    Pack det;        ///< of F
    Pack log_volume; ///< log det(1 + A): twice that of |det F|
    Pack shear;      ///< tr A - log_volume
} StrainState;

/// Where det(1 + A) is this far from 1, log det F is exact enough, and A may not be: of flattened elements.
#define STRAIN_FAR 0.5

LANES_INLINE Pack strain_column_product(const Pack F[9], int i, int j)
{
    return F[i] * F[j] + F[3 + i] * F[3 + j] + F[6 + i] * F[6 + j];
}

LANES_INLINE Pack strain_determinant(const Pack F[9])
{
    return F[0] * (F[4] * F[8] - F[5] * F[7]) - F[1] * (F[3] * F[8] - F[5] * F[6]) +
           F[2] * (F[3] * F[7] - F[4] * F[6]);
}

LANES_INLINE void strain_state(const Pack F[9], StrainState *state)
{
    Pack *a = state->strain;
    a[0] = strain_column_product(F, 0, 0) - 1.0, a[1] = strain_column_product(F, 0, 1);
    a[2] = strain_column_product(F, 0, 2), a[3] = strain_column_product(F, 1, 1) - 1.0;
    a[4] = strain_column_product(F, 1, 2), a[5] = strain_column_product(F, 2, 2) - 1.0;
    const Pack minor = a[3] * a[5] - a[4] * a[4], trace = a[0] + a[3] + a[5],
               det = a[0] * minor - a[1] * (a[1] * a[5] - a[4] * a[2]) + a[2] * (a[1] * a[4] - a[3] * a[2]),
               products = (a[0] * a[3] - a[1] * a[1]) + (a[0] * a[5] - a[2] * a[2]) + minor + det,
               q = trace + products;
    state->det = strain_determinant(F);
    state->log_volume = pack_log1p(q);
    state->shear = (q - state->log_volume) - products;
    const PackMask far = pack_less(pack_set(STRAIN_FAR), pack_abs(q));
    if (!pack_any(far))
        return;
    const Pack log_volume = 2.0 * pack_log(pack_abs(state->det));
    state->log_volume = pack_select(far, log_volume, state->log_volume);
    state->shear = pack_select(far, trace - log_volume, state->shear);
}

/// psi above that at rest, Pa; +infinity where F is inverted.
LANES_INLINE Pack strain_density(const StrainState *state, Pack kappa, Pack lambda)
{
    const Pack density =
        0.5 * kappa * state->shear + 0.125 * lambda * (state->log_volume * state->log_volume);
    return pack_select(pack_less(pack_set(0.0), state->det), density, pack_set(INFINITY));
}

/// P : D, and the sum of |F^T P|'s entries, 0.57 to 3 times that of |s_i psi_i|, Pa.
LANES_INLINE void strain_slope(const StrainState *state, const Pack F[9], const Pack D[9], Pack kappa,
                               Pack lambda, Pack *slope, Pack *magnitude)
{
    static const int place[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    const Pack pressure = 0.5 * lambda * state->log_volume, inverse = 1.0 / state->det;
    Pack stress[9];
    for (int k = 0; k < 9; ++k)
        stress[k] = kappa * state->strain[place[k]] + (k % 4 == 0 ? pressure : pack_set(0.0));
    *slope = *magnitude = pack_set(0.0);
    for (int k = 0; k < 9; ++k)
        *magnitude += pack_abs(stress[k]);
    for (int i = 0; i < 3; ++i) {
        const int next = 3 * ((i + 1) % 3), last = 3 * ((i + 2) % 3);
        Pack row[3]; // of F^-T
        for (int j = 0; j < 3; ++j) {
            const int a = (j + 1) % 3, b = (j + 2) % 3;
            row[j] = inverse * (F[next + a] * F[last + b] - F[next + b] * F[last + a]);
        }
        for (int j = 0; j < 3; ++j) {
            const Pack p = row[0] * stress[j] + row[1] * stress[3 + j] + row[2] * stress[6 + j];
            *slope += p * D[3 * i + j];
        }
    }
}

#endif
