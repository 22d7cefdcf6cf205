/// The volume that a pressure works on: psi = -p (det F - 1), p = kappa in Pa, positive outwards. Summed over tetrahedra that fill a
/// body it is -p times the change of its volume, so the forces inside cancel, and what remains is p on its surface. Twin:
/// shaders/common/physics/element/pressure.glsl.
#ifndef PHYSICS_ELEMENT_PRESSURE_H
#define PHYSICS_ELEMENT_PRESSURE_H

#include "physics/element/tet.h"

typedef struct PressureLocal {
    Lanes f[9];         ///< F
    Lanes cofactor[9];  ///< d det F/dF
    TetLocal principal; ///< F = U diag(sigma) V^T, for the Hessian
} PressureLocal;

LANES_INLINE void pressure_decompose(int count, const Lanes (*f)[9], PressureLocal *local)
{
    TetLocal principal[2];
    tet_decompose(count, f, principal);
    for (int n = 0; n < count; ++n) {
        memcpy(local[n].f, f[n], sizeof local[n].f);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                const Lanes *next = f[n] + 3 * ((i + 1) % 3), *last = f[n] + 3 * ((i + 2) % 3);
                local[n].cofactor[3 * i + j] =
                    next[(j + 1) % 3] * last[(j + 2) % 3] - next[(j + 2) % 3] * last[(j + 1) % 3];
            }
        local[n].principal = principal[n];
    }
}

LANES_INLINE Lanes pressure_density(const ElementMaterial *material, const PressureLocal *local)
{
    const Lanes *f = local->f, *c = local->cofactor;
    return -material->kappa * (f[0] * c[0] + f[1] * c[1] + f[2] * c[2] - 1.0);
}

LANES_INLINE void pressure_stress(const ElementMaterial *material, const PressureLocal *local, Lanes p[9])
{
    for (int k = 0; k < 9; ++k)
        p[k] = -material->kappa * local->cofactor[k];
}

LANES_INLINE void pressure_slope(const ElementMaterial *material, const PressureLocal *local,
                                 const Lanes D[9], Lanes *slope, Lanes *magnitude)
{
    Lanes cofactor_sq = lanes_set(0), size_sq = cofactor_sq;
    *slope = cofactor_sq;
    for (int k = 0; k < 9; ++k) {
        *slope += -material->kappa * local->cofactor[k] * D[k];
        cofactor_sq += local->cofactor[k] * local->cofactor[k];
        size_sq += local->f[k] * local->f[k];
    }
    *magnitude = lanes_abs(lanes_set(material->kappa)) * lanes_sqrt(cofactor_sq) * lanes_sqrt(size_sq);
}

/// The largest second derivative at rest, Pa.
static inline double pressure_stiffness(const ElementMaterial *material)
{
    return material->kappa < 0 ? -material->kappa : material->kappa;
}

/// There is none: the energy falls without bound as the volume grows. ADMM takes no pressures, and what it would ask for is F.
LANES_INLINE void pressure_prox(const ElementMaterial *material, const PressureLocal *local, Lanes volume,
                                Lanes rho, Lanes z[9])
{
    (void)material, (void)volume, (void)rho;
    memcpy(z, local->f, 9 * sizeof *z);
}

/// The largest principal stretch.
LANES_INLINE Lanes pressure_stretch(const PressureLocal *local)
{
    return tet_stretch(&local->principal);
}

// ---------------------------------------------------------------- Hessian

/// Of psi = -p s_0 s_1 s_2: psi_ij = -p s_k, twist -p s_k, flip p s_k (theory.md section 3).
LANES_INLINE void pressure_hessian(const ElementMaterial *material, const PressureLocal *local, int part,
                                   const Pack G[9], Pack volume, bool project, Pack K[10][9])
{
    Pack U[9], V[9], s[3], hessian[12];
    packs_load(local->principal.u, part, 9, U), packs_load(local->principal.v, part, 9, V);
    packs_load(local->principal.sigma, part, 3, s);
    for (int k = 0; k < 3; ++k) {
        const Pack change = material->kappa * s[2 - k];
        hessian[k] = pack_set(0.0);
        hessian[3 + k] = hessian[ENERGY_HESSIAN_TWIST + k] = -change;
        hessian[ENERGY_HESSIAN_FLIP + k] = change;
    }
    if (project)
        energy_hessian_project_pack(hessian);
    hessian_expand_pack(hessian, U, V, G, volume, K);
}

#endif
