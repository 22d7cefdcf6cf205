// The kernels of one kind of element, for the table of kernels. Included once for every kind, with
//
//     ELEMENT              prefix of its functions (physics/element/kinds.h), say tet
//     ELEMENT_LOCAL        their type, say TetLocal
//     ELEMENT_CORNERS, ELEMENT_COLUMNS   as in ELEMENT_KINDS
//     ELEMENT_CAN_INVERT   1 where D x has a determinant that may have to stay positive
//     ELEMENT_STRAIN_FORM  1 where materials may have one, which needs no decomposition; else undefined
//     ELEMENT_DAMPING      DAMPED_NOT, DAMPED_BY_HESSIAN: its Rayleigh part alone, DAMPED: all of physics/dissipation/damping.h

#include "device/cpu/kernels.h"
#include "physics/dissipation/power_law.h"
#include "physics/dissipation/strain_rate.h"
#include "physics/dissipation/velocity_gradient.h"

#include <math.h>
#include <string.h>

#define DAMPED_NOT 0
#define DAMPED_BY_HESSIAN 1
#define DAMPED 2

#ifndef ELEMENT_STRAIN_FORM
#define ELEMENT_STRAIN_FORM 0
#endif

#define ELEMENT_JOIN_(a, b) a##_##b
#define ELEMENT_JOIN(a, b) ELEMENT_JOIN_(a, b)
#define ELEMENT_FUNCTION(name) ELEMENT_JOIN(ELEMENT, name)
#define ELEMENT_SIZE (3 * ELEMENT_COLUMNS)
#define ELEMENT_SHAPES ((ELEMENT_CORNERS - 1) * ELEMENT_COLUMNS)
#define ELEMENT_PAIRS (ELEMENT_CORNERS * (ELEMENT_CORNERS + 1) / 2)

// ---------------------------------------------------------------- nodes to elements and back

// F_ij = sum_a (x_a - x_0)_i G_aj of the eight elements of a bundle, x: nodes x 3.
LANES_INLINE void ELEMENT_FUNCTION(gather)(const ElementBundles *bundles, int32_t b, const double *x,
                                           Lanes f[ELEMENT_SIZE])
{
    const int32_t(*nodes)[LANE_COUNT] =
        (const int32_t(*)[LANE_COUNT])bundles->nodes + (size_t)ELEMENT_CORNERS * (size_t)b;
    Lanes corners[ELEMENT_CORNERS][3] = {0}; // each lane is set below, which GCC does not see
    for (int c = 0; c < ELEMENT_CORNERS; ++c)
        for (int l = 0; l < LANE_COUNT; ++l) {
            const double *node = x + 3 * (size_t)nodes[c][l];
            for (int k = 0; k < 3; ++k)
                corners[c][k][l] = node[k];
        }
    const Lanes *g = bundles->shapes + (size_t)ELEMENT_SHAPES * (size_t)b;
    for (int i = 0; i < 3; ++i) {
        Lanes edges[ELEMENT_CORNERS];
        for (int a = 1; a < ELEMENT_CORNERS; ++a)
            edges[a] = corners[a][i] - corners[0][i];
        for (int j = 0; j < ELEMENT_COLUMNS; ++j) {
            Lanes sum = edges[1] * g[j];
            for (int a = 2; a < ELEMENT_CORNERS; ++a)
                sum += edges[a] * g[ELEMENT_COLUMNS * (a - 1) + j];
            f[ELEMENT_COLUMNS * i + j] = sum;
        }
    }
}

// Of bundle b or of two from b on: what their kind makes of D x, and of their rests.
LANES_INLINE void ELEMENT_FUNCTION(decompose_bundles)(const ElementBundles *bundles, int32_t b, int count,
                                                      const Lanes (*f)[ELEMENT_SIZE], ELEMENT_LOCAL *local)
{
    ELEMENT_FUNCTION(decompose)(count, f, local);
    for (int n = 0; n < count && bundles->rests; ++n)
        memcpy(&local[n], &bundles->rests[b + n], sizeof bundles->rests[b]);
}

// Decomposes F at x of bundle b and of the next one, if that comes before `end`; how many. Two at once take little longer than one.
LANES_INLINE int ELEMENT_FUNCTION(decompose_two)(const ElementBundles *bundles, int32_t b, int32_t end,
                                                 const double *x, ELEMENT_LOCAL local[2])
{
    Lanes f[2][ELEMENT_SIZE];
    const int count = end - b < 2 ? 1 : 2;
    for (int n = 0; n < count; ++n)
        ELEMENT_FUNCTION(gather)(bundles, b + n, x, f[n]);
    ELEMENT_FUNCTION(decompose_bundles)(bundles, b, count, (const Lanes(*)[ELEMENT_SIZE])f, local);
    return count;
}

// Forces on the corners to their entries.
LANES_INLINE void ELEMENT_FUNCTION(scatter_forces)(ElementBundles *bundles, int32_t b,
                                                   const Lanes (*force)[3])
{
    const int32_t(*entries)[LANE_COUNT] =
        (const int32_t(*)[LANE_COUNT])bundles->force_entries + (size_t)ELEMENT_CORNERS * (size_t)b;
    for (int c = 0; c < ELEMENT_CORNERS; ++c)
        for (int l = 0; l < LANE_COUNT; ++l) {
            double *entry = bundles->corner_forces + 3 * (size_t)entries[c][l];
            for (int k = 0; k < 3; ++k)
                entry[k] = force[c][k][l];
        }
}

// Corner forces T G_a to their entries.
LANES_INLINE void ELEMENT_FUNCTION(scatter_corners)(ElementBundles *bundles, int32_t b,
                                                    const Lanes t[ELEMENT_SIZE])
{
    const Lanes *g = bundles->shapes + (size_t)ELEMENT_SHAPES * (size_t)b;
    Lanes force[ELEMENT_CORNERS][3];
    for (int i = 0; i < 3; ++i) {
        Lanes others = lanes_set(0);
        for (int a = 1; a < ELEMENT_CORNERS; ++a) {
            const Lanes *row = g + ELEMENT_COLUMNS * (a - 1);
            Lanes sum = t[ELEMENT_COLUMNS * i] * row[0];
            for (int j = 1; j < ELEMENT_COLUMNS; ++j)
                sum += t[ELEMENT_COLUMNS * i + j] * row[j];
            force[a][i] = sum;
            others = a == 1 ? sum : others + sum;
        }
        force[0][i] = -others;
    }
    ELEMENT_FUNCTION(scatter_forces)(bundles, b, (const Lanes(*)[3])force);
}

// Corner forces of w P of a bundle whose F is decomposed.
LANES_INLINE void ELEMENT_FUNCTION(scatter_stress)(ElementBundles *bundles, int32_t b,
                                                   const ELEMENT_LOCAL *local)
{
    Lanes p[ELEMENT_SIZE];
    ELEMENT_FUNCTION(stress)(&bundles->materials[b].material, local, p);
    for (int k = 0; k < ELEMENT_SIZE; ++k)
        p[k] *= bundles->volumes[b];
    ELEMENT_FUNCTION(scatter_corners)(bundles, b, p);
}

static void ELEMENT_FUNCTION(stresses)(ElementBundles *bundles, int32_t first, int32_t end, const double *x)
{
    ELEMENT_LOCAL local[2];
    for (int32_t b = first; b < end; b += 2) {
        const int count = ELEMENT_FUNCTION(decompose_two)(bundles, b, end, x, local);
        for (int n = 0; n < count; ++n)
            ELEMENT_FUNCTION(scatter_stress)(bundles, b + n, &local[n]);
    }
}

#if ELEMENT_CAN_INVERT
// The least determinant of F in a bundle, and what is inverted.
LANES_INLINE void ELEMENT_FUNCTION(note_determinants)(const ElementBundles *bundles, int32_t b, Lanes det,
                                                      EnergySums *sums)
{
    for (int l = 0; l < LANE_COUNT; ++l) {
        const int32_t element = bundles->elements[b][l];
        if (det[l] < sums->min_det_f)
            sums->min_det_f = det[l];
        if (element >= 0 && det[l] <= 0 && bundles->materials[b].never_inverts &&
            bundles->first_element + element < sums->inverted)
            sums->inverted = bundles->first_element + element;
    }
}
#endif

LANES_INLINE Lanes ELEMENT_FUNCTION(energy_of)(const ElementBundles *bundles, int32_t b, Lanes density)
{
    return lanes_select(lanes_greater(bundles->valid[b], lanes_set(0)), bundles->volumes[b] * density,
                        lanes_set(0));
}

// Energy of a bundle whose F is decomposed.
LANES_INLINE Lanes ELEMENT_FUNCTION(measure_bundle)(const ElementBundles *bundles, int32_t b,
                                                    const ELEMENT_LOCAL *local, EnergySums *sums)
{
#if ELEMENT_CAN_INVERT
    ELEMENT_FUNCTION(note_determinants)(bundles, b, ELEMENT_FUNCTION(determinant)(local), sums);
#else
    (void)sums;
#endif
    return ELEMENT_FUNCTION(energy_of)(bundles, b,
                                       ELEMENT_FUNCTION(density)(&bundles->materials[b].material, local));
}

// How many bundles from b on, of `count`, have a form in strains.
LANES_INLINE int ELEMENT_FUNCTION(strain_forms)(const ElementBundles *bundles, int32_t b, int count)
{
    int forms = 0;
#if ELEMENT_STRAIN_FORM
    while (forms < count && ELEMENT_FUNCTION(has_strain_form)(&bundles->materials[b + forms].material))
        ++forms;
#else
    (void)bundles, (void)b, (void)count;
#endif
    return forms;
}

static void ELEMENT_FUNCTION(energies)(const ElementBundles *bundles, int32_t first, int32_t end,
                                       const double *x, EnergySums *sums)
{
    *sums = (EnergySums){.min_det_f = INFINITY, .inverted = INT32_MAX};
    Lanes elastic = lanes_set(0);
    ELEMENT_LOCAL local[2];
    for (int32_t b = first; b < end;) {
#if ELEMENT_STRAIN_FORM
        if (ELEMENT_FUNCTION(strain_forms)(bundles, b, 1) == 1) {
            Lanes f[ELEMENT_SIZE], det;
            ELEMENT_FUNCTION(gather)(bundles, b, x, f);
            const Lanes density = ELEMENT_FUNCTION(strain_density)(&bundles->materials[b].material, f, &det);
            ELEMENT_FUNCTION(note_determinants)(bundles, b, det, sums);
            elastic += ELEMENT_FUNCTION(energy_of)(bundles, b++, density);
            continue;
        }
#endif
        const int count = ELEMENT_FUNCTION(decompose_two)(bundles, b, end, x, local);
        for (int n = 0; n < count; ++n)
            elastic += ELEMENT_FUNCTION(measure_bundle)(bundles, b + n, &local[n], sums);
        b += count;
    }
    sums->elastic = lanes_sum(elastic);
}

// ---------------------------------------------------------------- ADMM

static void ELEMENT_FUNCTION(gradients)(ElementBundles *bundles, int32_t first, int32_t end, const double *x)
{
    for (int32_t b = first; b < end; ++b)
        ELEMENT_FUNCTION(gather)(bundles, b, x, bundles->target + (size_t)ELEMENT_SIZE * (size_t)b);
}

// state of bundle b: the last image, mixed.
LANES_INLINE void ELEMENT_FUNCTION(mix_state)(ElementBundles *bundles, int32_t b, const Mixing *mixing,
                                              Lanes s[ELEMENT_SIZE])
{
    const size_t at = (size_t)ELEMENT_SIZE * (size_t)b;
    for (int k = 0; k < ELEMENT_SIZE; ++k)
        s[k] = bundles->image[at + (size_t)k];
    for (int32_t j = 0; j < mixing->depth; ++j) {
        const Lanes weight = lanes_set(mixing->weights[j]);
        for (int k = 0; k < ELEMENT_SIZE; ++k)
            s[k] -= weight * lanes_widen(bundles->image_differences[j][at + (size_t)k]);
    }
    for (int k = 0; k < ELEMENT_SIZE; ++k)
        bundles->state[at + (size_t)k] = s[k];
}

// Keeps the projection z of bundle b's state s, and leaves its corner forces. Returns |Z - Z_old|^2.
LANES_INLINE Lanes ELEMENT_FUNCTION(keep_projection)(ElementBundles *bundles, int32_t b,
                                                     const Lanes s[ELEMENT_SIZE], const Lanes z[ELEMENT_SIZE])
{
    const size_t at = (size_t)ELEMENT_SIZE * (size_t)b;
    const Lanes rho = bundles->penalties[b];
    Lanes *projected = bundles->projected + at, *target = bundles->target + at;
    Lanes t[ELEMENT_SIZE], change = lanes_set(0);
    for (int k = 0; k < ELEMENT_SIZE; ++k) {
        const Lanes moved = z[k] - projected[k];
        change += moved * moved;
        projected[k] = z[k];
        t[k] = rho * ((z[k] - s[k]) + (z[k] - target[k]));
    }
    ELEMENT_FUNCTION(scatter_corners)(bundles, b, t);
    return bundles->valid[b] * change;
}

// The local step of bundle b from the decomposition of its state s.
LANES_INLINE Lanes ELEMENT_FUNCTION(project_bundle)(ElementBundles *bundles, int32_t b,
                                                    const Lanes s[ELEMENT_SIZE], const ELEMENT_LOCAL *local)
{
    Lanes z[ELEMENT_SIZE];
    ELEMENT_FUNCTION(prox)
    (&bundles->materials[b].material, local, bundles->volumes[b], bundles->penalties[b], z);
    return ELEMENT_FUNCTION(keep_projection)(bundles, b, s, z);
}

static void ELEMENT_FUNCTION(project)(ElementBundles *bundles, int32_t first, int32_t end,
                                      const Mixing *mixing, double *change_sq)
{
    Lanes changes = lanes_set(0), s[2][ELEMENT_SIZE];
    ELEMENT_LOCAL local[2];
    int32_t b = first;
    for (; b + 1 < end; b += 2) {
        for (int n = 0; n < 2; ++n)
            ELEMENT_FUNCTION(mix_state)(bundles, b + n, mixing, s[n]);
        ELEMENT_FUNCTION(decompose_bundles)(bundles, b, 2, (const Lanes(*)[ELEMENT_SIZE])s, local);
        for (int n = 0; n < 2; ++n)
            changes += ELEMENT_FUNCTION(project_bundle)(bundles, b + n, s[n], &local[n]);
    }
    if (b < end) {
        ELEMENT_FUNCTION(mix_state)(bundles, b, mixing, s[0]);
        ELEMENT_FUNCTION(decompose_bundles)(bundles, b, 1, (const Lanes(*)[ELEMENT_SIZE])s, local);
        changes += ELEMENT_FUNCTION(project_bundle)(bundles, b, s[0], &local[0]);
    }
    *change_sq = lanes_sum(changes);
}

// The weighted products of the newest and the current residual with the history's, of bundle b.
LANES_INLINE void ELEMENT_FUNCTION(add_history)(const ElementBundles *bundles, int32_t b, Lanes weight,
                                                const Lanes residual[ELEMENT_SIZE], int32_t newest,
                                                int32_t depth, Lanes *newest_sums, Lanes *current_sums)
{
    const size_t at = (size_t)ELEMENT_SIZE * (size_t)b;
    for (int32_t j = 0; j < depth; ++j) {
        Lanes with_newest = lanes_set(0), with_current = lanes_set(0);
        for (int k = 0; k < ELEMENT_SIZE; ++k) {
            const Lanes difference = lanes_widen(bundles->residual_differences[j][at + (size_t)k]);
            with_newest += difference * lanes_widen(bundles->residual_differences[newest][at + (size_t)k]);
            with_current += difference * residual[k];
        }
        newest_sums[j] += weight * with_newest;
        current_sums[j] += weight * with_current;
    }
}

static void ELEMENT_FUNCTION(residuals)(ElementBundles *bundles, int32_t first, int32_t end,
                                        const double *delta, int32_t newest, int32_t depth,
                                        ResidualSums *sums)
{
    Lanes residual_sq = lanes_set(0), gradient_sq = residual_sq, projected_sq = residual_sq,
          weighted_sq = residual_sq;
    Lanes newest_sums[HISTORY_MOST], current_sums[HISTORY_MOST];
    for (int32_t j = 0; j < depth; ++j)
        newest_sums[j] = current_sums[j] = lanes_set(0);
    for (int32_t b = first; b < end; ++b) {
        const size_t at = (size_t)ELEMENT_SIZE * (size_t)b;
        Lanes j_delta[ELEMENT_SIZE], residual[ELEMENT_SIZE];
        ELEMENT_FUNCTION(gather)(bundles, b, delta, j_delta);
        const Lanes valid = bundles->valid[b], weight = valid * bundles->penalties[b];
        Lanes r_sq = lanes_set(0), j_sq = r_sq, z_sq = r_sq;
        for (size_t k = 0; k < ELEMENT_SIZE; ++k) {
            const Lanes target = bundles->target[at + k], z = bundles->projected[at + k];
            const Lanes j = target + j_delta[k], r = (target - z) + j_delta[k],
                        image = bundles->state[at + k] + r;
            if (newest >= 0) {
                bundles->residual_differences[newest][at + k] =
                    __builtin_convertvector(r - bundles->residual[at + k], FloatLanes);
                bundles->image_differences[newest][at + k] =
                    __builtin_convertvector(image - bundles->image[at + k], FloatLanes);
            }
            residual[k] = r;
            bundles->residual[at + k] = r;
            bundles->image[at + k] = image;
            r_sq += r * r;
            j_sq += j * j;
            z_sq += z * z;
        }
        residual_sq += valid * r_sq;
        gradient_sq += valid * j_sq;
        projected_sq += valid * z_sq;
        weighted_sq += weight * r_sq;
        ELEMENT_FUNCTION(add_history)(bundles, b, weight, residual, newest, depth, newest_sums, current_sums);
    }
    *sums = (ResidualSums){lanes_sum(residual_sq),
                           lanes_sum(gradient_sq),
                           lanes_sum(projected_sq),
                           lanes_sum(weighted_sq),
                           {0},
                           {0}};
    for (int32_t j = 0; j < depth; ++j) {
        sums->newest[j] = lanes_sum(newest_sums[j]);
        sums->current[j] = lanes_sum(current_sums[j]);
    }
}

static void ELEMENT_FUNCTION(scatter)(ElementBundles *bundles, int32_t first, int32_t end, double a, double b,
                                      double c)
{
    for (int32_t e = first; e < end; ++e) {
        const size_t at = (size_t)ELEMENT_SIZE * (size_t)e;
        Lanes t[ELEMENT_SIZE];
        const Lanes rho = bundles->penalties[e];
        for (size_t k = 0; k < ELEMENT_SIZE; ++k)
            t[k] = rho * (a * bundles->state[at + k] + b * bundles->projected[at + k] +
                          c * bundles->residual[at + k]);
        ELEMENT_FUNCTION(scatter_corners)(bundles, e, t);
    }
}

// ---------------------------------------------------------------- Newton's method

// Every lane's blocks to their places in the list of contributions.
LANES_INLINE void ELEMENT_FUNCTION(scatter_matrix)(const Pack K[ELEMENT_PAIRS][9],
                                                   const int32_t (*entries)[LANE_COUNT], int part,
                                                   double *contributions)
{
    for (int pair = 0; pair < ELEMENT_PAIRS; ++pair)
        for (int l = 0; l < PACK_COUNT; ++l) {
            const int32_t entry = entries[pair][part * PACK_COUNT + l];
            double *to = contributions + 9 * (size_t)(entry >> 1);
            const int row = entry & 1 ? 3 : 1, column = entry & 1 ? 1 : 3; // stored column by column
            for (int i = 0; i < 3; ++i)
                for (int k = 0; k < 3; ++k)
                    to[row * i + column * k] = K[pair][3 * i + k][l];
        }
}

// Density, corner forces and Hessian of bundle b, its F being decomposed.
LANES_INLINE void ELEMENT_FUNCTION(hessian_of_bundle)(ElementBundles *bundles, int32_t b,
                                                      const ELEMENT_LOCAL *local, bool project,
                                                      double *contributions)
{
    const ElementMaterial *material = &bundles->materials[b].material;
    ELEMENT_FUNCTION(scatter_stress)(bundles, b, local);
    for (int part = 0; part < PACKS_PER_LANES; ++part) {
        Pack G[ELEMENT_SHAPES], volume, K[ELEMENT_PAIRS][9];
        packs_load(bundles->shapes + (size_t)ELEMENT_SHAPES * (size_t)b, part, ELEMENT_SHAPES, G);
        packs_load(&bundles->volumes[b], part, 1, &volume);
        ELEMENT_FUNCTION(hessian)(material, local, part, G, volume, project, K);
        ELEMENT_FUNCTION(scatter_matrix)
        ((const Pack(*)[9])K,
         (const int32_t(*)[LANE_COUNT])bundles->matrix_entries + (size_t)ELEMENT_PAIRS * (size_t)b, part,
         contributions);
    }
}

// The density that trials are compared with: in the form that they have.
LANES_INLINE void ELEMENT_FUNCTION(keep_density)(ElementBundles *bundles, int32_t b,
                                                 const Lanes f[ELEMENT_SIZE], const ELEMENT_LOCAL *local)
{
    const ElementMaterial *material = &bundles->materials[b].material;
#if ELEMENT_STRAIN_FORM
    if (ELEMENT_FUNCTION(strain_forms)(bundles, b, 1) == 1) {
        Lanes det;
        bundles->densities[b] = ELEMENT_FUNCTION(strain_density)(material, f, &det);
        return;
    }
#endif
    (void)f;
    bundles->densities[b] = ELEMENT_FUNCTION(density)(material, local);
}

static void ELEMENT_FUNCTION(hessians)(ElementBundles *bundles, int32_t first, int32_t end, const double *x,
                                       bool project, double *contributions)
{
    Lanes f[2][ELEMENT_SIZE];
    ELEMENT_LOCAL local[2];
    for (int32_t b = first; b < end; b += 2) {
        const int count = end - b < 2 ? 1 : 2;
        for (int n = 0; n < count; ++n)
            ELEMENT_FUNCTION(gather)(bundles, b + n, x, f[n]);
        ELEMENT_FUNCTION(decompose_bundles)(bundles, b, count, (const Lanes(*)[ELEMENT_SIZE])f, local);
        for (int n = 0; n < count; ++n) {
            ELEMENT_FUNCTION(keep_density)(bundles, b + n, f[n], &local[n]);
            ELEMENT_FUNCTION(hessian_of_bundle)(bundles, b + n, &local[n], project, contributions);
        }
    }
}

static double ELEMENT_FUNCTION(step_bound)(const ElementBundles *bundles, int32_t first, int32_t end,
                                           const double *x, const double *d)
{
#if ELEMENT_CAN_INVERT
    Pack bound = pack_set(1.0);
    for (int32_t b = first; b < end; ++b) {
        if (!bundles->materials[b].never_inverts)
            continue;
        Lanes f[ELEMENT_SIZE], change[ELEMENT_SIZE];
        ELEMENT_FUNCTION(gather)(bundles, b, x, f);
        ELEMENT_FUNCTION(gather)(bundles, b, d, change);
        for (int part = 0; part < PACKS_PER_LANES; ++part) {
            Pack F[ELEMENT_SIZE], D[ELEMENT_SIZE], valid;
            packs_load(f, part, ELEMENT_SIZE, F), packs_load(change, part, ELEMENT_SIZE, D);
            packs_load(&bundles->valid[b], part, 1, &valid);
            bound = pack_min(bound, ELEMENT_FUNCTION(bound)(F, D, pack_less(pack_set(0.0), valid)));
        }
    }
    double smallest = 1;
    for (int l = 0; l < PACK_COUNT; ++l)
        smallest = bound[l] < smallest ? bound[l] : smallest;
    return smallest;
#else
    (void)bundles, (void)first, (void)end, (void)x, (void)d;
    return 1;
#endif
}

// Adds bundle b at a trial.
LANES_INLINE void ELEMENT_FUNCTION(add_trial)(const ElementBundles *bundles, int32_t b, Lanes density,
                                              Lanes slope, Lanes work, TrialLanes *sums)
{
    const Lanes volume = bundles->volumes[b], start = bundles->densities[b], zero = lanes_set(0);
    const LaneMask valid = lanes_less(zero, bundles->valid[b]),
                   finite = valid & lanes_less(density, lanes_set(INFINITY));
    sums->difference += lanes_select(valid, volume * (density - start), zero);
    sums->slope += lanes_select(finite, volume * slope, zero);
    sums->magnitude += lanes_select(finite, volume * (lanes_abs(density) + lanes_abs(start) + work), zero);
}

// Of two bundles or one that has a form in strains, D being the change of F along the whole direction.
LANES_INLINE void ELEMENT_FUNCTION(try_bundles)(const ElementBundles *bundles, int32_t b, int count,
                                                const Lanes (*f)[ELEMENT_SIZE],
                                                const Lanes (*D)[ELEMENT_SIZE], TrialLanes *sums)
{
    Lanes slope, work;
#if ELEMENT_STRAIN_FORM
    if (ELEMENT_FUNCTION(strain_forms)(bundles, b, count) == count) {
        for (int n = 0; n < count; ++n) {
            const Lanes density = ELEMENT_FUNCTION(strain_slope)(&bundles->materials[b + n].material, f[n],
                                                                 D[n], &slope, &work);
            ELEMENT_FUNCTION(add_trial)(bundles, b + n, density, slope, work, sums);
        }
        return;
    }
#endif
    ELEMENT_LOCAL local[2];
    ELEMENT_FUNCTION(decompose_bundles)(bundles, b, count, f, local);
    for (int n = 0; n < count; ++n) {
        const ElementMaterial *material = &bundles->materials[b + n].material;
        const Lanes density = ELEMENT_FUNCTION(density)(material, &local[n]);
        ELEMENT_FUNCTION(slope)(material, &local[n], D[n], &slope, &work);
        ELEMENT_FUNCTION(add_trial)(bundles, b + n, density, slope, work, sums);
    }
}

static void ELEMENT_FUNCTION(trials)(const ElementBundles *bundles, int32_t first, int32_t end,
                                     const double *x, const double *d, int trial_count,
                                     const double steps[NEWTON_TRIALS], TrialSums *sums)
{
    TrialLanes lanes[NEWTON_TRIALS];
    Lanes f[2][ELEMENT_SIZE], change[2][ELEMENT_SIZE], trial[2][ELEMENT_SIZE];
    memset(lanes, 0, sizeof lanes);
    for (int32_t b = first; b < end; b += 2) {
        const int count = end - b < 2 ? 1 : 2;
        for (int n = 0; n < count; ++n) {
            ELEMENT_FUNCTION(gather)(bundles, b + n, x, f[n]);
            ELEMENT_FUNCTION(gather)(bundles, b + n, d, change[n]);
        }
        for (int i = 0; i < trial_count; ++i) {
            for (int n = 0; n < count; ++n)
                for (int k = 0; k < ELEMENT_SIZE; ++k)
                    trial[n][k] = f[n][k] + steps[i] * change[n][k];
            ELEMENT_FUNCTION(try_bundles)
            (bundles, b, count, (const Lanes(*)[ELEMENT_SIZE])trial, (const Lanes(*)[ELEMENT_SIZE])change,
             &lanes[i]);
        }
    }
    for (int i = 0; i < trial_count; ++i) {
        sums->difference[i] = lanes_sum(lanes[i].difference);
        sums->slope[i] = lanes_sum(lanes[i].slope);
        sums->magnitude[i] = lanes_sum(lanes[i].magnitude);
    }
}

#if ELEMENT_DAMPING != DAMPED_NOT
#include "device/cpu/terms/damping_kernels.h"
#endif

static const ElementKernels ELEMENT_FUNCTION(kernels) = {
#if ELEMENT_DAMPING != DAMPED_NOT
    .damping_blocks = ELEMENT_FUNCTION(damping_blocks),
    .damping_forces = ELEMENT_FUNCTION(damping_forces),
    .damping_shape_forces = ELEMENT_FUNCTION(damping_shape_forces),
    .damping_prepare = ELEMENT_FUNCTION(damping_prepare),
    .damping_project = ELEMENT_FUNCTION(damping_project),
#endif
#if ELEMENT_DAMPING == DAMPED
    .power_law_hessians = ELEMENT_FUNCTION(power_law_hessians),
    .power_law_trials = ELEMENT_FUNCTION(power_law_trials),
    .variational_prepare = ELEMENT_FUNCTION(variational_prepare),
    .variational_project = ELEMENT_FUNCTION(variational_project),
#endif
    .gradients = ELEMENT_FUNCTION(gradients),
    .project = ELEMENT_FUNCTION(project),
    .residuals = ELEMENT_FUNCTION(residuals),
    .scatter = ELEMENT_FUNCTION(scatter),
    .stresses = ELEMENT_FUNCTION(stresses),
    .energies = ELEMENT_FUNCTION(energies),
    .hessians = ELEMENT_FUNCTION(hessians),
    .step_bound = ELEMENT_FUNCTION(step_bound),
    .trials = ELEMENT_FUNCTION(trials),
};

#undef ELEMENT
#undef ELEMENT_LOCAL
#undef ELEMENT_CORNERS
#undef ELEMENT_COLUMNS
#undef ELEMENT_CAN_INVERT
#undef ELEMENT_STRAIN_FORM
#undef ELEMENT_DAMPING
#undef ELEMENT_JOIN_
#undef ELEMENT_JOIN
#undef ELEMENT_FUNCTION
#undef ELEMENT_SIZE
#undef ELEMENT_SHAPES
#undef ELEMENT_PAIRS
