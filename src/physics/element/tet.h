/// Tetrahedra: D x is the deformation gradient F, and the density an isotropic energy of physics/energy in its signed singular
/// values. What each function is for, physics/element/kinds.h says. Twin: shaders/common/physics/element/tet.glsl.
#ifndef PHYSICS_ELEMENT_TET_H
#define PHYSICS_ELEMENT_TET_H

#include "base/svd3.h"
#include "physics/element/material.h"
#include "physics/energy/energy.h"
#include "physics/energy/inversion.h"
#include "physics/energy/projected_hessian.h"
#include "physics/energy/strain_energy.h"

#include <string.h>

/// F = U diag(sigma) V^T.
typedef struct TetLocal {
    Lanes u[9], sigma[3], v[9];
} TetLocal;

// Of one bundle of eight or of two side by side, with the same bits.
LANES_INLINE void tet_decompose(int count, const Lanes (*f)[9], TetLocal *local)
{
    if (count < 2) {
        svd3(f[0], local->u, local->sigma, local->v);
        return;
    }
    Lanes u[2][9], sigma[2][3], v[2][9];
    svd3_two(f, u, sigma, v);
    for (int n = 0; n < 2; ++n) {
        memcpy(local[n].u, u[n], sizeof u[n]);
        memcpy(local[n].sigma, sigma[n], sizeof sigma[n]);
        memcpy(local[n].v, v[n], sizeof v[n]);
    }
}

// U diag(s) V^T
LANES_INLINE void tet_compose(const TetLocal *local, const Lanes s[3], Lanes m[9])
{
    const Lanes *u = local->u, *v = local->v;
    for (int i = 0; i < 3; ++i) {
        const Lanes a = u[3 * i] * s[0], b = u[3 * i + 1] * s[1], c = u[3 * i + 2] * s[2];
        for (int j = 0; j < 3; ++j)
            m[3 * i + j] = a * v[3 * j] + b * v[3 * j + 1] + c * v[3 * j + 2];
    }
}

LANES_INLINE Lanes tet_density(const ElementMaterial *material, const TetLocal *local)
{
    return energy_density_above_rest(material->energy_model, local->sigma, lanes_set(material->kappa),
                                     lanes_set(material->lambda));
}

LANES_INLINE void tet_stress(const ElementMaterial *material, const TetLocal *local, Lanes p[9])
{
    Lanes stress[3];
    energy_stress(material->energy_model, local->sigma, lanes_set(material->kappa),
                  lanes_set(material->lambda), stress);
    tet_compose(local, stress, p);
}

LANES_INLINE void tet_slope(const ElementMaterial *material, const TetLocal *local, const Lanes D[9],
                            Lanes *slope, Lanes *magnitude)
{
    const Lanes *u = local->u, *v = local->v;
    Lanes stress[3];
    energy_stress(material->energy_model, local->sigma, lanes_set(material->kappa),
                  lanes_set(material->lambda), stress);
    *slope = *magnitude = lanes_set(0);
    for (int m = 0; m < 3; ++m) {
        Lanes along = lanes_set(0); // u_m . D v_m
        for (int i = 0; i < 3; ++i)
            along += u[3 * i + m] * (D[3 * i] * v[m] + D[3 * i + 1] * v[3 + m] + D[3 * i + 2] * v[6 + m]);
        *slope += stress[m] * along;
        *magnitude += lanes_abs(stress[m] * local->sigma[m]);
    }
}

// ---------------------------------------------------------------- without singular values

static inline bool tet_has_strain_form(const ElementMaterial *material)
{
    return energy_has_strain_form(material->energy_model);
}

/// tet_density and tet_determinant.
LANES_INLINE Lanes tet_strain_density(const ElementMaterial *material, const Lanes f[9], Lanes *det)
{
    Lanes density;
    for (int part = 0; part < PACKS_PER_LANES; ++part) {
        Pack F[9], value;
        StrainState state;
        packs_load(f, part, 9, F);
        strain_state(F, &state);
        value = strain_density(&state, pack_set(material->kappa), pack_set(material->lambda));
        packs_store(&value, part, 1, &density);
        packs_store(&state.det, part, 1, det);
    }
    return density;
}

/// tet_density and tet_slope.
LANES_INLINE Lanes tet_strain_slope(const ElementMaterial *material, const Lanes f[9], const Lanes d[9],
                                    Lanes *slope, Lanes *magnitude)
{
    const Pack kappa = pack_set(material->kappa), lambda = pack_set(material->lambda);
    Lanes density;
    for (int part = 0; part < PACKS_PER_LANES; ++part) {
        Pack F[9], D[9], value, along, size;
        StrainState state;
        packs_load(f, part, 9, F), packs_load(d, part, 9, D);
        strain_state(F, &state);
        value = strain_density(&state, kappa, lambda);
        strain_slope(&state, F, D, kappa, lambda, &along, &size);
        packs_store(&value, part, 1, &density);
        packs_store(&along, part, 1, slope);
        packs_store(&size, part, 1, magnitude);
    }
    return density;
}

// ---------------------------------------------------------------- ADMM

/// psi_11 at rest, Pa (theory.md section 5, "Choice of rho").
static inline double tet_stiffness(const ElementMaterial *material)
{
    return energy_psi11(material->energy_model, material->kappa, material->lambda);
}

// Prox on the signed singular values (theory.md section 5).
LANES_INLINE void tet_prox(const ElementMaterial *material, const TetLocal *local, Lanes volume, Lanes rho,
                           Lanes z[9])
{
    Lanes projected[3];
    energy_prox(material->energy_model, local->sigma, volume * material->kappa, volume * material->lambda,
                rho, projected);
    tet_compose(local, projected, z);
}

// ---------------------------------------------------------------- stretch and inversion

/// The largest principal stretch.
LANES_INLINE Lanes tet_stretch(const TetLocal *local)
{
    return local->sigma[0];
}

LANES_INLINE Lanes tet_determinant(const TetLocal *local)
{
    return local->sigma[0] * local->sigma[1] * local->sigma[2];
}

LANES_INLINE Pack tet_bound(const Pack F[9], const Pack D[9], PackMask wanted)
{
    return inversion_bound(F, D, wanted);
}

// ---------------------------------------------------------------- Hessian

LANES_INLINE void tet_hessian(const ElementMaterial *material, const TetLocal *local, int part,
                              const Pack G[9], Pack volume, bool project, Pack K[10][9])
{
    Pack U[9], V[9], s[3], hessian[12];
    packs_load(local->u, part, 9, U), packs_load(local->v, part, 9, V), packs_load(local->sigma, part, 3, s);
    energy_hessian_pack(material->energy_model, s, pack_set(material->kappa), pack_set(material->lambda),
                        hessian);
    if (project)
        energy_hessian_project_pack(hessian);
    hessian_expand_pack(hessian, U, V, G, volume, K);
}

/// Principal stretches.
LANES_INLINE void tet_stretches(const TetLocal *local, int part, Pack s[3])
{
    packs_load(local->sigma, part, 3, s);
}

/// u_k v_k^T of the k-th stretch.
LANES_INLINE void tet_dyad(const TetLocal *local, int k, Lanes m[9])
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            m[3 * i + j] = local->u[3 * i + k] * local->v[3 * j + k];
}

/// Blocks of sum root_i root_j psi_ij s_i' s_j', psi_ij projected (theory.md section 7, principal strain).
LANES_INLINE void tet_principal_damping(const ElementMaterial *material, const TetLocal *local, int part,
                                        const Pack root[3], const Pack G[9], Pack volume, Pack K[10][9])
{
    static const int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};
    Pack U[9], V[9], s[3], hessian[12];
    packs_load(local->u, part, 9, U), packs_load(local->v, part, 9, V), packs_load(local->sigma, part, 3, s);
    energy_hessian_pack(material->energy_model, s, pack_set(material->kappa), pack_set(material->lambda),
                        hessian);
    energy_hessian_project_pack(hessian);
    for (int k = 0; k < 6; ++k)
        hessian[k] *= root[first[k]] * root[second[k]];
    for (int k = ENERGY_HESSIAN_TWIST; k < ENERGY_HESSIAN_SIZE; ++k)
        hessian[k] = pack_set(0.0);
    hessian_expand_pack(hessian, U, V, G, volume, K);
}

#endif
