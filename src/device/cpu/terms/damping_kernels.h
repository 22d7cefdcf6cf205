// Damping of one kind of element (physics/dissipation/damping.h): the part of terms/element_kernels.h for kinds that have it. Sides: what
// an entry's potential sees, the velocities as they are or less those of rigid motions (CpuDamping.sides).

/// A bundle where its damping is looked at.
typedef struct ELEMENT_FUNCTION(Damped) {
    Lanes f[1][ELEMENT_SIZE];
    ELEMENT_LOCAL local;
} ELEMENT_FUNCTION(Damped);

// What is long is compiled once for all the kernels here: inlined in each, it took the compiler most of its time.
LANES_OUTLINE void ELEMENT_FUNCTION(damped_decompose)(const ElementBundles *bundles, int32_t b,
                                                      const Lanes (*f)[ELEMENT_SIZE], ELEMENT_LOCAL *local)
{
    ELEMENT_FUNCTION(decompose_bundles)(bundles, b, 1, f, local);
}

LANES_OUTLINE void ELEMENT_FUNCTION(damped_bundle)(const ElementBundles *bundles, int32_t b, const double *x,
                                                   ELEMENT_FUNCTION(Damped) * at)
{
    ELEMENT_FUNCTION(gather)(bundles, b, x, at->f[0]);
    ELEMENT_FUNCTION(damped_decompose)(bundles, b, (const Lanes(*)[ELEMENT_SIZE])at->f, &at->local);
}

static inline bool ELEMENT_FUNCTION(is_damped)(const Damping *entry, int side)
{
    if (entry->type == DAMPING_VARIATIONAL || (int)damping_side(entry) != side)
        return false;
    return ELEMENT_DAMPING == DAMPED || entry->type == DAMPING_RAYLEIGH;
}

/// The entries of bundle b on a side, one after the other.
#define EACH_DAMPING(bundles, b, side, entry)                                                                \
    for (const Damping *entry = damping_first((bundles)->materials[b].damping),                              \
                       *entry##_end = damping_end((bundles)->materials[b].damping);                          \
         entry != entry##_end; ++entry)                                                                      \
        if (ELEMENT_FUNCTION(is_damped)(entry, side))

static inline bool ELEMENT_FUNCTION(is_damped_by)(const ElementBundles *bundles, int32_t b, int side,
                                                  bool power_law)
{
    EACH_DAMPING(bundles, b, side, entry)
    if ((entry->type == DAMPING_POWER_LAW) == power_law)
        return true;
    return false;
}

#if ELEMENT_DAMPING == DAMPED

// Roots of the spline's factors at the principal stretches.
LANES_INLINE void ELEMENT_FUNCTION(spline_roots)(const Spline *spline, const ELEMENT_LOCAL *local, int part,
                                                 Pack root[ELEMENT_COLUMNS])
{
    ELEMENT_FUNCTION(stretches)(local, part, root);
    for (int k = 0; k < ELEMENT_COLUMNS; ++k)
        for (int l = 0; l < PACK_COUNT; ++l)
            root[k][l] = sqrt(spline_value(spline, root[k][l]));
}

// The rotation of F: the sum of the dyads of its principal axes.
LANES_INLINE void ELEMENT_FUNCTION(rotation)(const ELEMENT_LOCAL *local, int part, Pack R[ELEMENT_SIZE])
{
    Lanes sum[ELEMENT_SIZE], dyad[ELEMENT_SIZE];
    ELEMENT_FUNCTION(dyad)(local, 0, sum);
    for (int k = 1; k < ELEMENT_COLUMNS; ++k) {
        ELEMENT_FUNCTION(dyad)(local, k, dyad);
        for (int i = 0; i < ELEMENT_SIZE; ++i)
            sum[i] += dyad[i];
    }
    packs_load(sum, part, ELEMENT_SIZE, R);
}

#endif

// Blocks of one entry's matrix C, lanes of `part`; of the power law those of w y = w |S'|^2. G and volume as of the element.
LANES_OUTLINE void ELEMENT_FUNCTION(damping_blocks_of)(const ElementMaterial *material,
                                                       const ELEMENT_FUNCTION(Damped) * at,
                                                       const Damping *entry, int part,
                                                       const Pack G[ELEMENT_SHAPES], Pack volume,
                                                       Pack K[ELEMENT_PAIRS][9])
{
    if (entry->type == DAMPING_RAYLEIGH) {
        ELEMENT_FUNCTION(hessian)(material, &at->local, part, G, entry->time * volume, true, K);
        return;
    }
#if ELEMENT_DAMPING == DAMPED
    Pack F[ELEMENT_SIZE], root[ELEMENT_COLUMNS];
    switch (entry->type) {
    case DAMPING_STRAIN_RATE:
        packs_load(at->f[0], part, ELEMENT_SIZE, F);
        strain_rate_blocks(ELEMENT_COLUMNS, F, G, entry->shear * volume, entry->bulk * volume, K);
        return;
    case DAMPING_POWER_LAW:
        ELEMENT_FUNCTION(rotation)(&at->local, part, F);
        strain_rate_blocks(ELEMENT_COLUMNS, F, G, 0.5 * volume, pack_set(0.0), K);
        return;
    default:
        for (int k = 0; k < ELEMENT_COLUMNS; ++k)
            root[k] = pack_set(1.0);
        if (entry->type == DAMPING_SPLINE)
            ELEMENT_FUNCTION(spline_roots)(&entry->factor, &at->local, part, root);
        ELEMENT_FUNCTION(principal_damping)(material, &at->local, part, root, G, entry->time * volume, K);
        return;
    }
#endif
}

// The same, corrected where the entry says so.
LANES_INLINE void ELEMENT_FUNCTION(corrected_blocks)(const ElementMaterial *material,
                                                     const ELEMENT_FUNCTION(Damped) * at,
                                                     const Damping *entry, int part,
                                                     const Pack G[ELEMENT_SHAPES], Pack volume,
                                                     Pack K[ELEMENT_PAIRS][9])
{
#if ELEMENT_SIZE == 9 && ELEMENT_DAMPING == DAMPED
    if (entry->correction == CORRECTION_VELOCITY_GRADIENT) {
        Pack axes[9], F[9], L[81];
        for (int k = 0; k < 9; ++k)
            axes[k] = pack_set(k % 4 == 0 ? 1.0 : 0.0);
        packs_load(at->f[0], part, 9, F);
        ELEMENT_FUNCTION(damping_blocks_of)(material, at, entry, part, axes, volume, K);
        operator_of_blocks((const Pack(*)[9])K, L);
        velocity_gradient_correct(F, L);
        blocks_of_operator(L, G, K);
        return;
    }
#endif
    ELEMENT_FUNCTION(damping_blocks_of)(material, at, entry, part, G, volume, K);
}

// The same of bundle b.
LANES_OUTLINE void ELEMENT_FUNCTION(damping_blocks_at)(const ElementBundles *bundles, int32_t b,
                                                       const ELEMENT_FUNCTION(Damped) * at,
                                                       const Damping *entry, int part,
                                                       Pack K[ELEMENT_PAIRS][9])
{
    Pack G[ELEMENT_SHAPES], volume;
    packs_load(bundles->shapes + (size_t)ELEMENT_SHAPES * (size_t)b, part, ELEMENT_SHAPES, G);
    packs_load(&bundles->volumes[b], part, 1, &volume);
    ELEMENT_FUNCTION(corrected_blocks)(&bundles->materials[b].material, at, entry, part, G, volume, K);
}

LANES_INLINE void ELEMENT_FUNCTION(scatter_blocks)(const ElementBundles *bundles, int32_t b, int part,
                                                   const Pack K[ELEMENT_PAIRS][9], double *contributions)
{
    ELEMENT_FUNCTION(scatter_matrix)
    (K, (const int32_t(*)[LANE_COUNT])bundles->matrix_entries + (size_t)ELEMENT_PAIRS * (size_t)b, part,
     contributions);
}

// Blocks of 0, where nothing damps.
static void ELEMENT_FUNCTION(clear_blocks)(const ElementBundles *bundles, int32_t b, double *contributions)
{
    Pack nothing[ELEMENT_PAIRS][9];
    memset(nothing, 0, sizeof nothing);
    for (int part = 0; part < PACKS_PER_LANES; ++part)
        ELEMENT_FUNCTION(scatter_blocks)
    (bundles, b, part, (const Pack(*)[9])nothing, contributions);
}

static void ELEMENT_FUNCTION(damping_blocks)(ElementBundles *bundles, int32_t first, int32_t end, int side,
                                             const double *x, double *contributions)
{
    for (int32_t b = first; b < end; ++b) {
        ELEMENT_FUNCTION(Damped) at;
        if (!ELEMENT_FUNCTION(is_damped_by)(bundles, b, side, false)) {
            ELEMENT_FUNCTION(clear_blocks)(bundles, b, contributions);
            continue;
        }
        ELEMENT_FUNCTION(damped_bundle)(bundles, b, x, &at);
        for (int part = 0; part < PACKS_PER_LANES; ++part) {
            Pack sum[ELEMENT_PAIRS][9], K[ELEMENT_PAIRS][9];
            memset(sum, 0, sizeof sum);
            EACH_DAMPING(bundles, b, side, entry)
            if (entry->type != DAMPING_POWER_LAW) {
                ELEMENT_FUNCTION(damping_blocks_at)(bundles, b, &at, entry, part, K);
                for (int k = 0; k < 9 * ELEMENT_PAIRS; ++k)
                    sum[k / 9][k % 9] += K[k / 9][k % 9];
            }
            ELEMENT_FUNCTION(scatter_blocks)(bundles, b, part, (const Pack(*)[9])sum, contributions);
        }
    }
}

// What corners have of a vector at nodes, less what corner 0 has: no matrix here feels the difference but by rounding.
LANES_INLINE void ELEMENT_FUNCTION(corner_motion)(const ElementBundles *bundles, int32_t b, const double *v,
                                                  Lanes motion[ELEMENT_CORNERS][3])
{
    const int32_t(*nodes)[LANE_COUNT] =
        (const int32_t(*)[LANE_COUNT])bundles->nodes + (size_t)ELEMENT_CORNERS * (size_t)b;
    for (int c = 0; c < ELEMENT_CORNERS; ++c)
        for (int l = 0; l < LANE_COUNT; ++l)
            for (int k = 0; k < 3; ++k)
                motion[c][k][l] =
                    v[3 * (size_t)nodes[c][l] + (size_t)k] - v[3 * (size_t)nodes[0][l] + (size_t)k];
}

// f = K v at the corners; returns v.f.
LANES_INLINE Pack ELEMENT_FUNCTION(corner_product)(const Pack K[ELEMENT_PAIRS][9],
                                                   const Pack v[ELEMENT_CORNERS][3],
                                                   Pack f[ELEMENT_CORNERS][3])
{
    Pack sum = pack_set(0.0);
    int mixed = ELEMENT_CORNERS;
    memset(f, 0, ELEMENT_CORNERS * sizeof *f);
    for (int a = 0; a < ELEMENT_CORNERS; ++a)
        for (int b = a; b < ELEMENT_CORNERS; ++b) {
            const Pack *block = K[a == b ? a : mixed++];
            for (int i = 0; i < 3; ++i)
                for (int k = 0; k < 3; ++k) {
                    f[a][i] += block[3 * i + k] * v[b][k];
                    if (a != b)
                        f[b][k] += block[3 * i + k] * v[a][i];
                }
        }
    for (int k = 0; k < 3 * ELEMENT_CORNERS; ++k)
        sum += v[k / 3][k % 3] * f[k / 3][k % 3];
    return sum;
}

// Of the power law at y, lane by lane.
LANES_INLINE Pack ELEMENT_FUNCTION(viscosity)(const Damping *law, Pack y)
{
    Pack viscosity = pack_set(0.0); // what a compiler does not see: every lane is set
    for (int l = 0; l < PACK_COUNT; ++l)
        viscosity[l] = power_law_viscosity(law, y[l]);
    return viscosity;
}

static void ELEMENT_FUNCTION(damping_forces)(ElementBundles *bundles, int32_t first, int32_t end, int side,
                                             const double *x, const double *v, double powers[DAMPING_TYPES])
{
    memset(powers, 0, DAMPING_TYPES * sizeof *powers);
    for (int32_t b = first; b < end; ++b) {
        Lanes velocity[ELEMENT_CORNERS][3] = {0}, force[ELEMENT_CORNERS][3] = {0};
        ELEMENT_FUNCTION(Damped) at;
        if (!ELEMENT_FUNCTION(is_damped_by)(bundles, b, side, false) &&
            !ELEMENT_FUNCTION(is_damped_by)(bundles, b, side, true)) {
            ELEMENT_FUNCTION(scatter_forces)(bundles, b, (const Lanes(*)[3])force);
            continue;
        }
        ELEMENT_FUNCTION(damped_bundle)(bundles, b, x, &at);
        ELEMENT_FUNCTION(corner_motion)(bundles, b, v, velocity);
        EACH_DAMPING(bundles, b, side, entry)
        {
            for (int part = 0; part < PACKS_PER_LANES; ++part) {
                Pack K[ELEMENT_PAIRS][9], w[ELEMENT_CORNERS][3], f[ELEMENT_CORNERS][3],
                    own[ELEMENT_CORNERS][3], valid, volume;
                packs_load(velocity[0], part, 3 * ELEMENT_CORNERS, w[0]);
                packs_load(force[0], part, 3 * ELEMENT_CORNERS, f[0]);
                packs_load(&bundles->valid[b], part, 1, &valid);
                packs_load(&bundles->volumes[b], part, 1, &volume);
                ELEMENT_FUNCTION(damping_blocks_at)(bundles, b, &at, entry, part, K);
                Pack factor = pack_set(1.0),
                     power = ELEMENT_FUNCTION(corner_product)((const Pack(*)[9])K, (const Pack(*)[3])w, own);
                if (entry->type == DAMPING_POWER_LAW)
                    factor = ELEMENT_FUNCTION(viscosity)(entry, power / volume);
                for (int k = 0; k < 3 * ELEMENT_CORNERS; ++k)
                    f[k / 3][k % 3] += factor * own[k / 3][k % 3];
                power *= valid * factor;
                for (int l = 0; l < PACK_COUNT; ++l)
                    powers[entry->type] += power[l];
                packs_store(f[0], part, 3 * ELEMENT_CORNERS, force[0]);
            }
        }
        ELEMENT_FUNCTION(scatter_forces)(bundles, b, (const Lanes(*)[3])force);
    }
}

// ---------------------------------------------------------------- dR/dx

// R of an entry at a shape, W.
LANES_INLINE void ELEMENT_FUNCTION(damping_potential)(const ElementBundles *bundles, int32_t b,
                                                      const ELEMENT_FUNCTION(Damped) * at,
                                                      const Damping *entry, const Lanes (*velocity)[3],
                                                      Lanes *potential)
{
    for (int part = 0; part < PACKS_PER_LANES; ++part) {
        Pack K[ELEMENT_PAIRS][9], w[ELEMENT_CORNERS][3], f[ELEMENT_CORNERS][3], volume;
        packs_load(velocity[0], part, 3 * ELEMENT_CORNERS, w[0]);
        packs_load(&bundles->volumes[b], part, 1, &volume);
        ELEMENT_FUNCTION(damping_blocks_at)(bundles, b, at, entry, part, K);
        Pack R = ELEMENT_FUNCTION(corner_product)((const Pack(*)[9])K, (const Pack(*)[3])w, f);
        if (entry->type == DAMPING_POWER_LAW)
            for (int l = 0; l < PACK_COUNT; ++l)
                R[l] = volume[l] * power_law_density(entry, R[l] / volume[l]);
        else
            R *= 0.5;
        packs_store(&R, part, 1, potential);
    }
}

/// The ways of D x along which R changes with the shape: those of its entries, but for what knows principal stretches alone those of the
/// stretches. Principal axes have no derivative where stretches are equal, and R sees them in its velocities.
LANES_INLINE int ELEMENT_FUNCTION(shape_ways)(const Damping *entry)
{
    return entry->type == DAMPING_PRINCIPAL_STRAIN || entry->type == DAMPING_SPLINE ? ELEMENT_COLUMNS
                                                                                    : ELEMENT_SIZE;
}

LANES_INLINE void ELEMENT_FUNCTION(shape_way)(const ELEMENT_FUNCTION(Damped) * at, int way, bool is_stretch,
                                              Lanes direction[ELEMENT_SIZE])
{
#if ELEMENT_DAMPING == DAMPED
    if (is_stretch) {
        ELEMENT_FUNCTION(dyad)(&at->local, way, direction);
        return;
    }
#endif
    (void)at, (void)is_stretch;
    for (int k = 0; k < ELEMENT_SIZE; ++k)
        direction[k] = lanes_set(k == way ? 1.0 : 0.0);
}

// Adds `factor` dR/dF at the velocities to t, by central differences: to 1e-10 of R/|F|.
static void ELEMENT_FUNCTION(add_shape_stress)(const ElementBundles *bundles, int32_t b,
                                               const ELEMENT_FUNCTION(Damped) * at, const Damping *entry,
                                               double factor, const Lanes (*velocity)[3],
                                               Lanes t[ELEMENT_SIZE])
{
    const int ways = ELEMENT_FUNCTION(shape_ways)(entry);
    Lanes size = lanes_set(0);
    for (int k = 0; k < ELEMENT_SIZE; ++k)
        size += at->f[0][k] * at->f[0][k];
    size = lanes_sqrt(size);
    const Lanes step = 1e-5 * lanes_select(lanes_less(lanes_set(0), size), size, lanes_set(1));
    for (int way = 0; way < ways; ++way) {
        Lanes direction[ELEMENT_SIZE], values[2] = {0};
        ELEMENT_FUNCTION(shape_way)(at, way, ways < ELEMENT_SIZE, direction);
        for (int end = 0; end < 2; ++end) {
            ELEMENT_FUNCTION(Damped) moved;
            for (int k = 0; k < ELEMENT_SIZE; ++k)
                moved.f[0][k] = at->f[0][k] + (end == 0 ? -step : step) * direction[k];
            ELEMENT_FUNCTION(damped_decompose)
            (bundles, b, (const Lanes(*)[ELEMENT_SIZE])moved.f, &moved.local);
            ELEMENT_FUNCTION(damping_potential)(bundles, b, &moved, entry, velocity, &values[end]);
        }
        for (int k = 0; k < ELEMENT_SIZE; ++k)
            t[k] += factor * (values[1] - values[0]) / (2.0 * step) * direction[k];
    }
}

static void ELEMENT_FUNCTION(damping_shape_forces)(ElementBundles *bundles, int32_t first, int32_t end,
                                                   int side, const double *x, const double *v,
                                                   const double *before, double duration)
{
    for (int32_t b = first; b < end; ++b) {
        Lanes velocity[ELEMENT_CORNERS][3] = {0}, earlier[ELEMENT_CORNERS][3] = {0}, t[ELEMENT_SIZE];
        ELEMENT_FUNCTION(Damped) at;
        ELEMENT_FUNCTION(damped_bundle)(bundles, b, x, &at);
        ELEMENT_FUNCTION(corner_motion)(bundles, b, v, velocity);
        ELEMENT_FUNCTION(corner_motion)(bundles, b, before, earlier);
        for (int k = 0; k < ELEMENT_SIZE; ++k)
            t[k] = lanes_set(0);
        EACH_DAMPING(bundles, b, side, entry)
        {
            if (entry->form == FORM_LAGGED)
                continue;
            ELEMENT_FUNCTION(add_shape_stress)
            (bundles, b, &at, entry, duration, (const Lanes(*)[3])velocity, t);
            if (entry->form == FORM_SECOND_ORDER)
                ELEMENT_FUNCTION(add_shape_stress)
            (bundles, b, &at, entry, -duration, (const Lanes(*)[3])earlier, t);
        }
        ELEMENT_FUNCTION(scatter_corners)(bundles, b, t);
    }
}

// ---------------------------------------------------------------- power law

#if ELEMENT_DAMPING == DAMPED

// Force and Hessian over v of one law at corners' velocities; the Hessian times `scale`. K comes with the blocks of w y.
LANES_INLINE void ELEMENT_FUNCTION(power_law_hessian)(const Damping *law, Pack volume, double scale,
                                                      const Pack v[ELEMENT_CORNERS][3],
                                                      Pack K[ELEMENT_PAIRS][9], Pack f[ELEMENT_CORNERS][3])
{
    const Pack zero = pack_set(0.0);
    const Pack y = ELEMENT_FUNCTION(corner_product)((const Pack(*)[9])K, v, f) / volume;
    const Pack viscosity = ELEMENT_FUNCTION(viscosity)(law, y);
    const PackMask moves = pack_less(pack_set(power_law_floor(law)), y);
    const Pack along = pack_select(
        moves, (law->exponent - 1) * scale * viscosity / (volume * pack_select(moves, y, pack_set(1.0))),
        zero);
    int mixed = ELEMENT_CORNERS;
    for (int a = 0; a < ELEMENT_CORNERS; ++a)
        for (int b = a; b < ELEMENT_CORNERS; ++b) {
            Pack *block = K[a == b ? a : mixed++];
            for (int i = 0; i < 3; ++i)
                for (int k = 0; k < 3; ++k)
                    block[3 * i + k] = scale * viscosity * block[3 * i + k] + along * f[a][i] * f[b][k];
        }
    for (int k = 0; k < 3 * ELEMENT_CORNERS; ++k)
        f[k / 3][k % 3] *= viscosity;
}

static void ELEMENT_FUNCTION(power_law_hessians)(ElementBundles *bundles, int32_t first, int32_t end,
                                                 int side, const double *x, const double *v, double scale,
                                                 double *contributions)
{
    for (int32_t b = first; b < end; ++b) {
        Lanes velocity[ELEMENT_CORNERS][3] = {0}, force[ELEMENT_CORNERS][3] = {0};
        ELEMENT_FUNCTION(Damped) at;
        if (!ELEMENT_FUNCTION(is_damped_by)(bundles, b, side, true)) {
            ELEMENT_FUNCTION(clear_blocks)(bundles, b, contributions);
            ELEMENT_FUNCTION(scatter_forces)(bundles, b, (const Lanes(*)[3])force);
            continue;
        }
        ELEMENT_FUNCTION(damped_bundle)(bundles, b, x, &at);
        ELEMENT_FUNCTION(corner_motion)(bundles, b, v, velocity);
        for (int part = 0; part < PACKS_PER_LANES; ++part) {
            Pack sum[ELEMENT_PAIRS][9], K[ELEMENT_PAIRS][9], w[ELEMENT_CORNERS][3], f[ELEMENT_CORNERS][3],
                all[ELEMENT_CORNERS][3], volume;
            memset(sum, 0, sizeof sum);
            memset(all, 0, sizeof all);
            packs_load(velocity[0], part, 3 * ELEMENT_CORNERS, w[0]);
            packs_load(&bundles->volumes[b], part, 1, &volume);
            EACH_DAMPING(bundles, b, side, entry)
            if (entry->type == DAMPING_POWER_LAW) {
                ELEMENT_FUNCTION(damping_blocks_at)(bundles, b, &at, entry, part, K);
                ELEMENT_FUNCTION(power_law_hessian)(entry, volume, scale, (const Pack(*)[3])w, K, f);
                for (int k = 0; k < 9 * ELEMENT_PAIRS; ++k)
                    sum[k / 9][k % 9] += K[k / 9][k % 9];
                for (int k = 0; k < 3 * ELEMENT_CORNERS; ++k)
                    all[k / 3][k % 3] += f[k / 3][k % 3];
            }
            packs_store(all[0], part, 3 * ELEMENT_CORNERS, force[0]);
            ELEMENT_FUNCTION(scatter_blocks)(bundles, b, part, (const Pack(*)[9])sum, contributions);
        }
        ELEMENT_FUNCTION(scatter_forces)(bundles, b, (const Lanes(*)[3])force);
    }
}

// Adds one law of one pack: y = y0 + s along + s^2 across at the step s.
static void ELEMENT_FUNCTION(try_power_law)(const Damping *law, double volume, double y, double along,
                                            double across, int count, const double steps[NEWTON_TRIALS],
                                            double duration, TrialSums *sums)
{
    const double weight = duration * volume, viscosity = power_law_viscosity(law, y);
    for (int i = 0; i < count; ++i) {
        const double s = steps[i], end = fmax(y + s * (along + s * across), 0);
        trial_add(sums, i, weight * power_law_change(law, y, s * (along + s * across)),
                  weight * power_law_viscosity(law, end) * (0.5 * along + s * across),
                  0.5 * weight * viscosity * s * (fabs(along) + s * across));
    }
}

static void ELEMENT_FUNCTION(power_law_trials)(const ElementBundles *bundles, int32_t first, int32_t end,
                                               int side, const double *x, const double *v, const double *d,
                                               double duration, int count, const double steps[NEWTON_TRIALS],
                                               TrialSums *sums)
{
    memset(sums, 0, sizeof *sums);
    for (int32_t b = first; b < end; ++b) {
        Lanes velocity[ELEMENT_CORNERS][3] = {0}, change[ELEMENT_CORNERS][3] = {0};
        ELEMENT_FUNCTION(Damped) at;
        if (!ELEMENT_FUNCTION(is_damped_by)(bundles, b, side, true))
            continue;
        ELEMENT_FUNCTION(damped_bundle)(bundles, b, x, &at);
        ELEMENT_FUNCTION(corner_motion)(bundles, b, v, velocity);
        ELEMENT_FUNCTION(corner_motion)(bundles, b, d, change);
        for (int part = 0; part < PACKS_PER_LANES; ++part)
            EACH_DAMPING(bundles, b, side, entry)
            {
                Pack K[ELEMENT_PAIRS][9], w[ELEMENT_CORNERS][3], dw[ELEMENT_CORNERS][3],
                    f[ELEMENT_CORNERS][3], df[ELEMENT_CORNERS][3], volume, mixed = pack_set(0.0);
                if (entry->type != DAMPING_POWER_LAW)
                    continue;
                packs_load(velocity[0], part, 3 * ELEMENT_CORNERS, w[0]);
                packs_load(change[0], part, 3 * ELEMENT_CORNERS, dw[0]);
                packs_load(&bundles->volumes[b], part, 1, &volume);
                ELEMENT_FUNCTION(damping_blocks_at)(bundles, b, &at, entry, part, K);
                const Pack y =
                    ELEMENT_FUNCTION(corner_product)((const Pack(*)[9])K, (const Pack(*)[3])w, f) / volume;
                const Pack across =
                    ELEMENT_FUNCTION(corner_product)((const Pack(*)[9])K, (const Pack(*)[3])dw, df) / volume;
                for (int k = 0; k < 3 * ELEMENT_CORNERS; ++k)
                    mixed += dw[k / 3][k % 3] * f[k / 3][k % 3];
                mixed *= 2.0 / volume;
                for (int l = 0; l < PACK_COUNT; ++l)
                    if (bundles->valid[b][part * PACK_COUNT + l] > 0)
                        ELEMENT_FUNCTION(try_power_law)
                (entry, volume[l], y[l], mixed[l], across[l], count, steps, duration, sums);
            }
    }
}

#endif

#include "device/cpu/terms/damping_copy_kernels.h"

#undef EACH_DAMPING
