/// Triangles of a shell: D x is the deformation gradient F, 3 x 2, in axes of the flattened rest triangle, and psi a density in its two
/// singular values under plane stress (theory.md section 3, "Shells, springs"): the third stretch is free.
///
///     stvk         mu sum e_i^2 + lambda'/2 (sum e_i)^2, e_i = (s_i^2 - 1)/2, lambda' = 2 mu lambda/(lambda + 2 mu)
///     neo_hookean  that of physics/energy/neo_hookean.h at the s_2 where it is least: with u = s_2^2,
///                  mu (u - 1) + lambda log(s_0 s_1 s_2) = 0, psi_i = mu (s_i^2 - u)/s_i
///
/// A triangle has no inside: the values are at least 0, and only neo_hookean is infinite, where the area is 0. Twin:
/// shaders/common/physics/element/membrane.glsl.
#ifndef PHYSICS_ELEMENT_MEMBRANE_H
#define PHYSICS_ELEMENT_MEMBRANE_H

#include "physics/element/material.h"
#include "physics/energy/energy.h"

#include <math.h>

enum { MEMBRANE_MAX_ITERATIONS = 60 };

/// Instead of a division by 0.
#define MEMBRANE_TINY 1e-150
/// The least s - 1 that a logarithm is taken of.
#define MEMBRANE_NOTHING (-1 + 0x1p-53)
/// A second column this short, over the first, has no direction of its own.
#define MEMBRANE_FLAT 1e-14
/// Shear that is rounding, over the columns' squares: equal stretches keep the axes of the rest triangle, whatever rounds them.
#define MEMBRANE_EQUAL 1e-14

/// F = U diag(1 + x) V^T, x_0 >= x_1: U 3 x 3, its last column the normal; V 2 x 2. From F^T F - 1 the x have no rounding of F's size.
typedef struct MembraneLocal {
    Lanes u[9], excess[2], v[4];
} MembraneLocal;

LANES_INLINE Lanes membrane_dot(const Lanes a[3], const Lanes b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// A unit vector across a unit vector.
LANES_INLINE void membrane_across(const Lanes u[3], Lanes out[3])
{
    const Lanes zero = lanes_set(0), x = lanes_abs(u[0]), y = lanes_abs(u[1]), z = lanes_abs(u[2]);
    const LaneMask first = lanes_less_equal(x, y) & lanes_less_equal(x, z),
                   second = ~first & lanes_less_equal(y, z);
    const Lanes across[3] = {
        lanes_select(first, zero, lanes_select(second, -u[2], u[1])),
        lanes_select(first, u[2], lanes_select(second, zero, -u[0])),
        lanes_select(first, -u[1], lanes_select(second, u[0], zero)),
    };
    const Lanes size = lanes_sqrt(membrane_dot(across, across));
    for (int i = 0; i < 3; ++i)
        out[i] = across[i] / size;
}

// The rotation that makes the symmetric matrix (p, g/2; g/2, q) with d = q - p diagonal: its tangent, and cosine.
LANES_INLINE Lanes membrane_turn(Lanes d, Lanes g, Lanes *cosine)
{
    const Lanes zero = lanes_set(0), one = lanes_set(1), sum = lanes_abs(d) + lanes_sqrt(d * d + g * g);
    const Lanes t = lanes_select(lanes_less(zero, sum), lanes_copysign(one, d) * g / sum, zero);
    *cosine = one / lanes_sqrt(1.0 + t * t);
    return t;
}

// Columns a, b of F, and of V below, turned by the angle.
LANES_INLINE void membrane_turn_columns(Lanes t, Lanes c, Lanes a[5], Lanes b[5])
{
    const Lanes s = c * t;
    for (int i = 0; i < 5; ++i) {
        const Lanes first = c * a[i] - s * b[i];
        b[i] = s * a[i] + c * b[i];
        a[i] = first;
    }
}

// The eigenvectors of Green's strain; where one column is less than half as long as the other its direction is found once more, by a
// rotation of the columns themselves.
LANES_INLINE void membrane_decompose(int count, const Lanes (*f)[6], MembraneLocal *local)
{
    const Lanes zero = lanes_set(0), one = lanes_set(1);
    for (int n = 0; n < count; ++n) {
        Lanes a[5] = {f[n][0], f[n][2], f[n][4], one, zero}, b[5] = {f[n][1], f[n][3], f[n][5], zero, one};
        Lanes c, e[2], length[2];
        const Lanes rounding = MEMBRANE_EQUAL * (membrane_dot(a, a) + membrane_dot(b, b));
        Lanes shear = 0.5 * membrane_dot(a, b);
        shear = lanes_select(lanes_less(rounding, lanes_abs(shear)), shear, zero);
        e[0] = 0.5 * ((a[0] * a[0] - 1.0) + a[1] * a[1] + a[2] * a[2]);
        e[1] = 0.5 * ((b[0] * b[0] - 1.0) + b[1] * b[1] + b[2] * b[2]);
        const Lanes t = membrane_turn(e[1] - e[0], 2.0 * shear, &c);
        membrane_turn_columns(t, c, a, b);
        e[0] -= t * shear, e[1] += t * shear;

        const Lanes aa = membrane_dot(a, a), bb = membrane_dot(b, b);
        const LaneMask apart = lanes_less(lanes_min(aa, bb), 0.25 * lanes_max(aa, bb));
        const Lanes again = membrane_turn(bb - aa, 2.0 * membrane_dot(a, b), &c);
        membrane_turn_columns(lanes_select(apart, again, zero), lanes_select(apart, c, one), a, b);
        length[0] = lanes_sqrt(membrane_dot(a, a)), length[1] = lanes_sqrt(membrane_dot(b, b));
        for (int k = 0; k < 2; ++k)
            e[k] = lanes_select(apart, 0.5 * (length[k] - 1.0) * (length[k] + 1.0), e[k]);

        const LaneMask swap = lanes_less(e[0], e[1]);
        for (int i = 0; i < 5; ++i) {
            const Lanes larger = lanes_select(swap, b[i], a[i]);
            b[i] = lanes_select(swap, a[i], b[i]);
            a[i] = larger;
        }
        const Lanes longer = lanes_select(swap, length[1], length[0]),
                    other = lanes_select(swap, length[0], length[1]);
        local[n].excess[0] = 2.0 * lanes_select(swap, e[1], e[0]) / (longer + 1.0);
        local[n].excess[1] = 2.0 * lanes_select(swap, e[0], e[1]) / (other + 1.0);
        const LaneMask none = lanes_less_equal(longer, zero),
                       flat = lanes_less_equal(other, MEMBRANE_FLAT * longer);
        Lanes axes[2][3], across[3];
        for (int i = 0; i < 3; ++i)
            axes[0][i] = lanes_select(none, i == 0 ? one : zero, a[i] / longer);
        membrane_across(axes[0], across);
        for (int i = 0; i < 3; ++i)
            axes[1][i] = lanes_select(flat, across[i], b[i] / other);
        for (int i = 0; i < 3; ++i) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            local[n].u[3 * i] = axes[0][i], local[n].u[3 * i + 1] = axes[1][i];
            local[n].u[3 * i + 2] = axes[0][j] * axes[1][k] - axes[0][k] * axes[1][j];
        }
        for (int j = 0; j < 2; ++j)
            local[n].v[2 * j] = a[3 + j], local[n].v[2 * j + 1] = b[3 + j];
    }
}

// U diag(s) V^T
LANES_INLINE void membrane_compose(const MembraneLocal *local, const Lanes s[2], Lanes m[6])
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 2; ++j)
            m[2 * i + j] =
                local->u[3 * i] * s[0] * local->v[2 * j] + local->u[3 * i + 1] * s[1] * local->v[2 * j + 1];
}

/// lambda' of plane stress, Pa; 0 of no material.
LANES_INLINE Pack membrane_lambda_pack(Pack kappa, Pack lambda)
{
    return 2.0 * kappa * lambda / pack_max(lambda + 2.0 * kappa, pack_set(MEMBRANE_TINY));
}

/// d = u - 1 at which kappa d + lambda (log(1 + d)/2 + log(z_0 z_1)) = 0, z_i the larger root of z^2 - b_i z - r (1 + d) = 0, that is
/// z = b + r (1 + d)/z, b_i = 1 + x_i >= 0: the square of the third stretch, beside stretches b_i where r = 0, beside those of the prox
/// else. The left side increases and is concave in d, so Newton's method goes up to the root from the left, where
/// min(1, (z_0 z_1)^-2 at d = 0) - 1 lies. `z` are the stretches there.
LANES_INLINE Pack membrane_thickening_pack(const Pack x[2], Pack r, Pack kappa, Pack lambda, Pack z[2])
{
    const Pack zero = pack_set(0.0), tiny = pack_set(MEMBRANE_TINY), one = pack_set(1.0);
    const Pack b[2] = {pack_max(1.0 + x[0], zero), pack_max(1.0 + x[1], zero)};
    Pack slope[2];
    for (int i = 0; i < 2; ++i)
        z[i] = pack_max(larger_root(b[i], r, &slope[i]), tiny);
    const Pack area = pack_max(z[0] * z[1], tiny);
    Pack d = pack_select(pack_less(one, area), 1.0 / (area * area) - 1.0, zero);
    PackMask active = ~(PackMask){0};
    for (int iteration = 0; iteration < MEMBRANE_MAX_ITERATIONS && pack_any(active); ++iteration) {
        const Pack u = pack_max(1.0 + d, tiny);
        Pack logarithm = 0.5 * pack_log1p(pack_max(d, pack_set(MEMBRANE_NOTHING))), growth = 0.5 / u;
        for (int i = 0; i < 2; ++i) {
            z[i] = pack_max(larger_root(b[i], r * u, &slope[i]), tiny);
            logarithm += pack_log1p(pack_max(x[i] + r * u / z[i], pack_set(MEMBRANE_NOTHING)));
            growth += r / pack_max(z[i] * slope[i], tiny);
        }
        const Pack step = -(kappa * d + lambda * logarithm) / (kappa + lambda * growth);
        d = pack_select(active, d + step, d);
        active &= pack_less(1e-9 * pack_max(1.0 + d, tiny), pack_abs(step)); // its square is what is left
    }
    for (int i = 0; i < 2; ++i)
        z[i] = larger_root(b[i], r * pack_max(1.0 + d, tiny), &slope[i]);
    return d;
}

// u - 1 of neo_hookean.
LANES_INLINE Pack membrane_free_stretch_pack(const Pack x[2], Pack kappa, Pack lambda)
{
    Pack z[2];
    return membrane_thickening_pack(x, pack_set(0.0), kappa, lambda, z);
}

/// Green's strains e_i = (s_i^2 - 1)/2 of s_i = 1 + x_i, and their sum.
LANES_INLINE Pack membrane_strain_pack(const Pack x[2], Pack e[2])
{
    e[0] = x[0] * (0.5 * x[0] + 1.0);
    e[1] = x[1] * (0.5 * x[1] + 1.0);
    return e[0] + e[1];
}

/// psi at the stretches 1 + x_i, Pa, 0 at rest.
LANES_INLINE Pack membrane_principal_energy_pack(int model, const Pack x[2], Pack kappa, Pack lambda)
{
    Pack e[2];
    const Pack trace = membrane_strain_pack(x, e);
    if (model == ENERGY_STVK)
        return kappa * (e[0] * e[0] + e[1] * e[1]) +
               0.5 * membrane_lambda_pack(kappa, lambda) * trace * trace;
    const Pack nothing = pack_set(MEMBRANE_NOTHING), d = membrane_free_stretch_pack(x, kappa, lambda);
    const Pack thickness = pack_log1p(pack_max(d, nothing));
    Pack sum = 0.5 * (d - thickness), logarithm = 0.5 * thickness;
    for (int i = 0; i < 2; ++i) {
        const Pack part = pack_log1p(pack_max(x[i], nothing));
        sum += 0.5 * x[i] * x[i] + (x[i] - part);
        logarithm += part;
    }
    const PackMask spanned = pack_less(pack_set(-1.0), x[0]) & pack_less(pack_set(-1.0), x[1]);
    return pack_select(spanned, kappa * sum + 0.5 * lambda * logarithm * logarithm, pack_set(INFINITY));
}

/// psi_i, Pa.
LANES_INLINE void membrane_principal_stress_pack(int model, const Pack x[2], Pack kappa, Pack lambda,
                                                 Pack stress[2])
{
    Pack e[2];
    const Pack trace = membrane_strain_pack(x, e);
    if (model == ENERGY_STVK) {
        const Pack pressure = membrane_lambda_pack(kappa, lambda) * trace;
        for (int i = 0; i < 2; ++i)
            stress[i] = (2.0 * kappa * e[i] + pressure) * (1.0 + x[i]);
        return;
    }
    const Pack d = membrane_free_stretch_pack(x, kappa, lambda);
    for (int i = 0; i < 2; ++i)
        stress[i] = kappa * (2.0 * e[i] - d) / pack_max(1.0 + x[i], pack_set(MEMBRANE_TINY));
}

/// Second derivatives, Pa: psi_00 psi_11 psi_01, twist, flip, and psi_i/s_i of both, along the normal.
LANES_INLINE void membrane_principal_hessian_pack(int model, const Pack x[2], Pack kappa, Pack lambda,
                                                  Pack hessian[7])
{
    const Pack a = 1.0 + x[0], b = 1.0 + x[1], excess = x[0] + a * x[1]; // a b - 1
    Pack e[2];
    const Pack trace = membrane_strain_pack(x, e);
    if (model == ENERGY_STVK) {
        const Pack plane = membrane_lambda_pack(kappa, lambda), pressure = plane * trace;
        for (int i = 0; i < 2; ++i) {
            const Pack square = 1.0 + 2.0 * e[i];
            hessian[i] = 2.0 * kappa * (square + e[i]) + plane * square + pressure;
            hessian[5 + i] = 2.0 * kappa * e[i] + pressure;
        }
        hessian[2] = plane * a * b;
        hessian[3] = kappa * ((a - b) * (a - b) + excess) + pressure;
        hessian[4] = kappa * (1.0 + 2.0 * e[0] + a * b + 2.0 * e[1]) + pressure;
        return;
    }
    // psi_ij - psi_i2 psi_2j/psi_22, psi_22 = 2 mu + lambda/u
    const Pack tiny = pack_set(MEMBRANE_TINY), d = membrane_free_stretch_pack(x, kappa, lambda), u = 1.0 + d;
    const Pack plane = 2.0 * kappa * lambda * u / (2.0 * kappa * u + lambda), product = pack_max(a * b, tiny);
    for (int i = 0; i < 2; ++i) {
        const Pack square = pack_max((1.0 + x[i]) * (1.0 + x[i]), tiny);
        hessian[i] = kappa + (kappa * u + plane) / square;
        hessian[5 + i] = kappa * (2.0 * e[i] - d) / square;
    }
    hessian[2] = plane / product;
    hessian[3] = kappa * (excess - d) / product;
    hessian[4] = kappa * (1.0 + u / product);
}

/// Negative eigenvalues become 0: those of the 2x2 block of the stretches in closed form.
LANES_INLINE void membrane_project_pack(Pack hessian[7])
{
    const Pack zero = pack_set(0.0), half = pack_set(0.5);
    const Pack mean = half * (hessian[0] + hessian[1]), away = half * (hessian[0] - hessian[1]);
    const Pack radius = pack_sqrt(away * away + hessian[2] * hessian[2]);
    const Pack low = mean - radius, high = mean + radius;
    // The matrix less its negative part, low times the projection to the eigenvector of `low`.
    const PackMask negative = pack_less(low, zero) & pack_less(zero, radius);
    const Pack share = pack_select(negative, pack_max(high, zero) / (2.0 * radius), zero);
    const Pack kept = pack_select(pack_less(low, zero), zero, pack_set(1.0));
    hessian[0] = pack_select(negative, share * (radius + away), kept * hessian[0]);
    hessian[1] = pack_select(negative, share * (radius - away), kept * hessian[1]);
    hessian[2] = pack_select(negative, share * hessian[2], kept * hessian[2]);
    for (int k = 3; k < 7; ++k)
        hessian[k] = pack_max(hessian[k], zero);
}

// ---------------------------------------------------------------- what a kind has

LANES_INLINE Lanes membrane_density(const ElementMaterial *material, const MembraneLocal *local)
{
    Lanes density;
    for (int part = 0; part < PACKS_PER_LANES; ++part) {
        Pack x[2];
        packs_load(local->excess, part, 2, x);
        const Pack result = membrane_principal_energy_pack(
            material->energy_model, x, pack_set(material->kappa), pack_set(material->lambda));
        packs_store(&result, part, 1, &density);
    }
    return density;
}

LANES_INLINE void membrane_pulls(const ElementMaterial *material, const MembraneLocal *local, Lanes stress[2])
{
    for (int part = 0; part < PACKS_PER_LANES; ++part) {
        Pack x[2], result[2];
        packs_load(local->excess, part, 2, x);
        membrane_principal_stress_pack(material->energy_model, x, pack_set(material->kappa),
                                       pack_set(material->lambda), result);
        packs_store(result, part, 2, stress);
    }
}

LANES_INLINE void membrane_stress(const ElementMaterial *material, const MembraneLocal *local, Lanes p[6])
{
    Lanes stress[2];
    membrane_pulls(material, local, stress);
    membrane_compose(local, stress, p);
}

LANES_INLINE void membrane_slope(const ElementMaterial *material, const MembraneLocal *local,
                                 const Lanes D[6], Lanes *slope, Lanes *magnitude)
{
    const Lanes *u = local->u, *v = local->v;
    Lanes stress[2];
    membrane_pulls(material, local, stress);
    *slope = lanes_set(0);
    for (int m = 0; m < 2; ++m) {
        Lanes along = lanes_set(0); // u_m . D v_m
        for (int i = 0; i < 3; ++i)
            along += u[3 * i + m] * (D[2 * i] * v[m] + D[2 * i + 1] * v[2 + m]);
        *slope += stress[m] * along;
    }
    // The stretches are good to some roundings of the larger.
    *magnitude = (lanes_abs(stress[0]) + lanes_abs(stress[1])) * (1.0 + local->excess[0]);
}

/// psi_00 at rest, Pa: E/(1 - nu^2).
static inline double membrane_stiffness(const ElementMaterial *material)
{
    return 2 * material->kappa +
           membrane_lambda_pack(pack_set(material->kappa), pack_set(material->lambda))[0];
}

/// On the singular values (theory.md section 5). Of neo_hookean w psi_i + rho (z_i - q_i) = 0 is z^2 - b z - r u = 0 with
/// b = rho q_i/(w mu + rho) and r = w mu/(w mu + rho), which leaves the equation of the thickness.
LANES_INLINE void membrane_prox(const ElementMaterial *material, const MembraneLocal *local, Lanes volume,
                                Lanes rho, Lanes z[6])
{
    Lanes projected[2];
    for (int part = 0; part < PACKS_PER_LANES; ++part) {
        Pack x[2], w, weight, result[2];
        packs_load(local->excess, part, 2, x);
        packs_load(&volume, part, 1, &w), packs_load(&rho, part, 1, &weight);
        const Pack kappa = w * material->kappa, lambda = w * material->lambda;
        if (material->energy_model == ENERGY_STVK) {
            const Pack q[2] = {1.0 + x[0], 1.0 + x[1]};
            stvk_prox_some(2, q, kappa, membrane_lambda_pack(kappa, lambda), weight, result);
        } else {
            const Pack share = kappa / (kappa + weight), ratio = weight / (kappa + weight);
            const Pack pulled[2] = {ratio * x[0] - share, ratio * x[1] - share}; // b - 1
            membrane_thickening_pack(pulled, share, kappa, lambda, result);
        }
        packs_store(result, part, 2, projected);
    }
    membrane_compose(local, projected, z);
}

/// The larger principal stretch.
LANES_INLINE Lanes membrane_stretch(const MembraneLocal *local)
{
    return 1.0 + local->excess[0];
}

// ---------------------------------------------------------------- Hessian

/// Blocks of the pairs 00 11 22 01 02 12. In the axes of F the Hessian has psi_ik on (ii)(kk), (flip + twist)/2 on (ik)(ik),
/// (flip - twist)/2 on (ik)(ki), and psi_i/s_i along the normal.
LANES_INLINE void membrane_expand(const MembraneLocal *local, int part, Pack h[7], const Pack G[4],
                                  Pack volume, Pack K[6][9])
{
    static const int pair_of[2][2] = {{1, 5}, {5, 2}};
    Pack U[9], V[4], g[2][2];
    packs_load(local->u, part, 9, U), packs_load(local->v, part, 4, V);
    for (int k = 0; k < 7; ++k)
        h[k] *= volume;
    const Pack straight = 0.5 * (h[4] + h[3]), crossed = 0.5 * (h[4] - h[3]);
    for (int a = 0; a < 2; ++a)
        for (int j = 0; j < 2; ++j)
            g[a][j] = G[2 * a] * V[j] + G[2 * a + 1] * V[2 + j];
    for (int a = 0; a < 2; ++a)
        for (int b = a; b < 2; ++b) {
            const Pack *p = g[a], *q = g[b];
            const Pack first = h[0] * p[0] * q[0] + straight * p[1] * q[1],
                       second = h[1] * p[1] * q[1] + straight * p[0] * q[0],
                       upper = h[2] * p[0] * q[1] + crossed * p[1] * q[0],
                       lower = h[2] * p[1] * q[0] + crossed * p[0] * q[1],
                       normal = h[5] * p[0] * q[0] + h[6] * p[1] * q[1];
            for (int i = 0; i < 3; ++i)
                for (int k = 0; k < 3; ++k) {
                    const Pack *m = U + 3 * i, *n = U + 3 * k;
                    K[pair_of[a][b]][3 * i + k] = m[0] * (first * n[0] + upper * n[1]) +
                                                  m[1] * (lower * n[0] + second * n[1]) +
                                                  normal * m[2] * n[2];
                }
        }
    // G_0 = -(G_1 + G_2)
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            const int at = 3 * i + k, turned = 3 * k + i;
            K[3][at] = -(K[1][at] + K[5][turned]);
            K[4][at] = -(K[5][at] + K[2][at]);
            K[0][at] = (K[1][at] + K[5][turned]) + (K[5][at] + K[2][at]);
        }
}

LANES_INLINE void membrane_hessian(const ElementMaterial *material, const MembraneLocal *local, int part,
                                   const Pack G[4], Pack volume, bool project, Pack K[6][9])
{
    Pack x[2], h[7];
    packs_load(local->excess, part, 2, x);
    membrane_principal_hessian_pack(material->energy_model, x, pack_set(material->kappa),
                                    pack_set(material->lambda), h);
    if (project)
        membrane_project_pack(h);
    membrane_expand(local, part, h, G, volume, K);
}

/// Principal stretches.
LANES_INLINE void membrane_stretches(const MembraneLocal *local, int part, Pack s[2])
{
    packs_load(local->excess, part, 2, s);
    for (int k = 0; k < 2; ++k)
        s[k] += 1.0;
}

/// u_k v_k^T of the k-th stretch.
LANES_INLINE void membrane_dyad(const MembraneLocal *local, int k, Lanes m[6])
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 2; ++j)
            m[2 * i + j] = local->u[3 * i + k] * local->v[2 * j + k];
}

/// Blocks of sum root_i root_j psi_ij s_i' s_j', psi_ij projected (theory.md section 7, principal strain).
LANES_INLINE void membrane_principal_damping(const ElementMaterial *material, const MembraneLocal *local,
                                             int part, const Pack root[2], const Pack G[4], Pack volume,
                                             Pack K[6][9])
{
    Pack x[2], h[7];
    packs_load(local->excess, part, 2, x);
    membrane_principal_hessian_pack(material->energy_model, x, pack_set(material->kappa),
                                    pack_set(material->lambda), h);
    membrane_project_pack(h);
    h[0] *= root[0] * root[0], h[1] *= root[1] * root[1], h[2] *= root[0] * root[1];
    for (int k = 3; k < 7; ++k)
        h[k] = pack_set(0.0);
    membrane_expand(local, part, h, G, volume, K);
}

/// The third stretch, which leaves no stress across: of stvk by e_2 = -lambda/(lambda + 2 mu) (e_0 + e_1), at least 0. To be shown.
LANES_INLINE Lanes membrane_thickness(const ElementMaterial *material, const MembraneLocal *local)
{
    const double share = material->lambda / (material->lambda + 2 * material->kappa);
    Lanes thickness;
    for (int part = 0; part < PACKS_PER_LANES; ++part) {
        Pack x[2], e[2], u;
        packs_load(local->excess, part, 2, x);
        if (material->energy_model == ENERGY_STVK)
            u = 1.0 - 2.0 * share * membrane_strain_pack(x, e);
        else
            u = 1.0 + membrane_free_stretch_pack(x, pack_set(material->kappa), pack_set(material->lambda));
        u = pack_sqrt(pack_max(u, pack_set(0.0)));
        packs_store(&u, part, 1, &thickness);
    }
    return thickness;
}

#endif
