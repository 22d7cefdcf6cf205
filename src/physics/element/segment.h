/// A segment of a cable between two nodes: D x = (x_1 - x_0)/l_0, one column, and psi = kappa/2 (|F| - 1)^2, kappa Young's
/// modulus, Pa. With the volume w = A l_0 that is k/2 (l - l_0)^2, k = kappa A/l_0 (theory.md section 3, "Spring / cable
/// segment"). Twin: shaders/common/physics/element/segment.glsl.
#ifndef PHYSICS_ELEMENT_SEGMENT_H
#define PHYSICS_ELEMENT_SEGMENT_H

#include "base/lanes.h"
#include "physics/element/material.h"

/// F = length axis. A segment of length 0 has no axis: it neither pulls nor pushes.
typedef struct SegmentLocal {
    Lanes length, axis[3];
    Lanes strain; ///< length - 1, from |F|^2 - 1: in single precision that is where the digits are
} SegmentLocal;

LANES_INLINE void segment_decompose(int count, const Lanes (*f)[3], SegmentLocal *local)
{
    const Lanes zero = lanes_set(0);
    for (int n = 0; n < count; ++n) {
        const Lanes square = f[n][0] * f[n][0] + f[n][1] * f[n][1] + f[n][2] * f[n][2];
        const Lanes length = lanes_sqrt(square);
        const LaneMask has_axis = lanes_less(zero, length);
        local[n].length = length;
        local[n].strain = (square - 1.0) / (length + 1.0);
        for (int i = 0; i < 3; ++i)
            local[n].axis[i] = lanes_select(has_axis, f[n][i] / length, zero);
    }
}

LANES_INLINE Lanes segment_density(const ElementMaterial *material, const SegmentLocal *local)
{
    return 0.5 * material->kappa * local->strain * local->strain;
}

LANES_INLINE void segment_stress(const ElementMaterial *material, const SegmentLocal *local, Lanes p[3])
{
    for (int i = 0; i < 3; ++i)
        p[i] = material->kappa * local->strain * local->axis[i];
}

LANES_INLINE void segment_slope(const ElementMaterial *material, const SegmentLocal *local, const Lanes D[3],
                                Lanes *slope, Lanes *magnitude)
{
    const Lanes tension = material->kappa * local->strain;
    *slope = tension * (local->axis[0] * D[0] + local->axis[1] * D[1] + local->axis[2] * D[2]);
    *magnitude = lanes_abs(tension) * local->length;
}

/// psi'' along the axis, Pa.
static inline double segment_stiffness(const ElementMaterial *material)
{
    return material->kappa;
}

/// The length goes to (rho |S| + w kappa)/(rho + w kappa), the axis stays.
LANES_INLINE void segment_prox(const ElementMaterial *material, const SegmentLocal *local, Lanes volume,
                               Lanes rho, Lanes z[3])
{
    const Lanes stiffness = volume * material->kappa;
    const Lanes length = (rho * local->length + stiffness) / (rho + stiffness);
    for (int i = 0; i < 3; ++i)
        z[i] = length * local->axis[i];
}

/// d2psi/dF2 = kappa (u u^T + (1 - 1/|F|) (1 - u u^T)), the second factor at least 0 if projected; blocks of the pairs 00, 11, 01.
LANES_INLINE void segment_hessian(const ElementMaterial *material, const SegmentLocal *local, int part,
                                  const Pack G[1], Pack volume, bool project, Pack K[3][9])
{
    Pack length, strain, u[3];
    packs_load(&local->length, part, 1, &length), packs_load(&local->strain, part, 1, &strain);
    packs_load(local->axis, part, 3, u);
    const Pack zero = pack_set(0.0);
    Pack across = pack_select(pack_less(zero, length), strain / length, zero);
    if (project)
        across = pack_max(across, zero);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            const Pack along = u[i] * u[k], other = i == k ? 1.0 - along : -along;
            const Pack value = volume * material->kappa * G[0] * G[0] * (along + across * other);
            K[0][3 * i + k] = K[1][3 * i + k] = value;
            K[2][3 * i + k] = -value;
        }
}

/// The stretch, as the list of one.
LANES_INLINE void segment_stretches(const SegmentLocal *local, int part, Pack s[1])
{
    packs_load(&local->length, part, 1, s);
}

/// The axis, as the dyad of the one stretch.
LANES_INLINE void segment_dyad(const SegmentLocal *local, int k, Lanes m[3])
{
    (void)k;
    for (int i = 0; i < 3; ++i)
        m[i] = local->axis[i];
}

/// Blocks of root^2 psi'' s'^2 (theory.md section 7, principal strain).
LANES_INLINE void segment_principal_damping(const ElementMaterial *material, const SegmentLocal *local,
                                            int part, const Pack root[1], const Pack G[1], Pack volume,
                                            Pack K[3][9])
{
    Pack u[3];
    packs_load(local->axis, part, 3, u);
    const Pack stiffness = volume * material->kappa * (root[0] * root[0]) * (G[0] * G[0]);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            K[0][3 * i + k] = K[1][3 * i + k] = stiffness * u[i] * u[k];
            K[2][3 * i + k] = -K[0][3 * i + k];
        }
}

LANES_INLINE Lanes segment_stretch(const SegmentLocal *local)
{
    return local->length;
}

#endif
