/// What holds two points of bodies at a distance, or together: a constraint of length with compliance (theory.md section 10). Its one
/// column y is the way from one point to the other, each a weighted sum of up to four nodes, and psi = kappa/2 e^2, e = |y| - rest, with
/// w kappa = 1/compliance, N/m. A rest of 0 holds them together. `energy_model` is FORMULA_* of abi/constraint.h: an inequality has e = 0
/// where it is met. Twin: shaders/common/physics/element/link.glsl.
#ifndef PHYSICS_ELEMENT_LINK_H
#define PHYSICS_ELEMENT_LINK_H

#include "physics/element/column_blocks.h"
#include "physics/element/material.h"
#include "physics/element/violation.h"

/// y = length axis. Points at one place have no axis between them.
typedef struct LinkLocal {
    Lanes rest; ///< m; not from D x
    Lanes length, axis[3];
} LinkLocal;

LANES_INLINE void link_decompose(int count, const Lanes (*f)[3], LinkLocal *local)
{
    const Lanes zero = lanes_set(0);
    for (int n = 0; n < count; ++n) {
        local[n].rest = zero;
        local[n].length = lanes_sqrt(f[n][0] * f[n][0] + f[n][1] * f[n][1] + f[n][2] * f[n][2]);
        const LaneMask has_axis = lanes_less(zero, local[n].length);
        for (int i = 0; i < 3; ++i)
            local[n].axis[i] = lanes_select(has_axis, f[n][i] / local[n].length, zero);
    }
}

// e, m.
LANES_INLINE Lanes link_extension(const ElementMaterial *material, const LinkLocal *local)
{
    return violation_of(material->energy_model, local->length - local->rest);
}

LANES_INLINE Lanes link_density(const ElementMaterial *material, const LinkLocal *local)
{
    const Lanes extension = link_extension(material, local);
    return 0.5 * material->kappa * extension * extension;
}

LANES_INLINE void link_stress(const ElementMaterial *material, const LinkLocal *local, Lanes p[3])
{
    const Lanes force = material->kappa * link_extension(material, local);
    for (int i = 0; i < 3; ++i)
        p[i] = force * local->axis[i];
}

LANES_INLINE void link_slope(const ElementMaterial *material, const LinkLocal *local, const Lanes D[3],
                             Lanes *slope, Lanes *magnitude)
{
    const Lanes force = material->kappa * link_extension(material, local);
    *slope = force * (local->axis[0] * D[0] + local->axis[1] * D[1] + local->axis[2] * D[2]);
    *magnitude = lanes_abs(force) * (local->length + local->rest);
}

/// psi'' along the axis.
static inline double link_stiffness(const ElementMaterial *material)
{
    return material->kappa;
}

/// 0: the scene reader refuses constraints with ADMM.
LANES_INLINE void link_prox(const ElementMaterial *material, const LinkLocal *local, Lanes volume, Lanes rho,
                            Lanes z[3])
{
    (void)material, (void)local, (void)volume, (void)rho;
    for (int k = 0; k < 3; ++k)
        z[k] = lanes_set(0);
}

/// A link is no material that stretches.
LANES_INLINE Lanes link_stretch(const LinkLocal *local)
{
    (void)local;
    return lanes_set(1);
}

/// d2psi/dy2 = kappa (u u^T + e/|y| (1 - u u^T)) where e counts, the second factor at least 0 if projected.
LANES_INLINE void link_hessian(const ElementMaterial *material, const LinkLocal *local, int part,
                               const Pack G[7], Pack volume, bool project, Pack K[36][9])
{
    Pack length, rest, extension, u[3], matrix[9];
    const Lanes extensions = link_extension(material, local);
    packs_load(&local->length, part, 1, &length), packs_load(&local->rest, part, 1, &rest);
    packs_load(&extensions, part, 1, &extension), packs_load(local->axis, part, 3, u);
    const Pack zero = pack_set(0.0), counts = violation_counts(material->energy_model, extension);
    // Points that are held together push back alike in all directions, at one place too.
    Pack across = pack_select(pack_less(zero, length), extension / length,
                              pack_select(pack_less(zero, rest), zero, counts));
    if (project)
        across = pack_max(across, zero);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            matrix[3 * i + k] =
                material->kappa * ((counts - across) * (u[i] * u[k]) + (i == k ? across : zero));
    column_blocks(matrix, G, 8, 1, volume, K);
}

#endif
