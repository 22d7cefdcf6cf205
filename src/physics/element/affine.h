/// An affine body by four control nodes: D x = A, the matrix of its motion x = A X + t, and psi = kappa |A A^T - 1|^2, kappa in Pa,
/// finite everywhere (theory.md section 9). That is Saint Venant-Kirchhoff's energy with mu = 4 kappa and lambda = 0; |A^T A - 1|
/// is the same number. Twin: shaders/common/physics/element/affine.glsl.
#ifndef PHYSICS_ELEMENT_AFFINE_H
#define PHYSICS_ELEMENT_AFFINE_H

#include "physics/element/tet.h"

typedef struct AffineLocal {
    Lanes a[9];      ///< A
    Lanes strain[6]; ///< A^T A - 1: 00 11 22 01 02 12. From the singular values it would have their rounding.
    TetLocal principal; ///< A = U diag(sigma) V^T, for the Hessian's projection and the prox
} AffineLocal;

LANES_INLINE void affine_decompose(int count, const Lanes (*f)[9], AffineLocal *local)
{
    static const int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};
    TetLocal principal[2];
    tet_decompose(count, f, principal);
    for (int n = 0; n < count; ++n) {
        memcpy(local[n].a, f[n], sizeof local[n].a);
        for (int k = 0; k < 6; ++k) {
            const Lanes *a = f[n] + first[k], *b = f[n] + second[k];
            local[n].strain[k] = (a[0] * b[0] - (k < 3 ? 1.0 : 0.0)) + a[3] * b[3] + a[6] * b[6];
        }
        local[n].principal = principal[n];
    }
}

LANES_INLINE Lanes affine_density(const ElementMaterial *material, const AffineLocal *local)
{
    const Lanes *e = local->strain;
    return material->kappa *
           (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + 2.0 * (e[3] * e[3] + e[4] * e[4] + e[5] * e[5]));
}

/// P = 4 kappa A (A^T A - 1)
LANES_INLINE void affine_stress(const ElementMaterial *material, const AffineLocal *local, Lanes p[9])
{
    const Lanes *e = local->strain, factor = lanes_set(4 * material->kappa);
    for (int i = 0; i < 3; ++i) {
        const Lanes *row = local->a + 3 * i;
        p[3 * i] = factor * (row[0] * e[0] + row[1] * e[3] + row[2] * e[4]);
        p[3 * i + 1] = factor * (row[0] * e[3] + row[1] * e[1] + row[2] * e[5]);
        p[3 * i + 2] = factor * (row[0] * e[4] + row[1] * e[5] + row[2] * e[2]);
    }
}

LANES_INLINE void affine_slope(const ElementMaterial *material, const AffineLocal *local, const Lanes D[9],
                               Lanes *slope, Lanes *magnitude)
{
    Lanes p[9], stress_sq = lanes_set(0), size_sq = stress_sq;
    affine_stress(material, local, p);
    *slope = lanes_set(0);
    for (int k = 0; k < 9; ++k) {
        *slope += p[k] * D[k];
        stress_sq += p[k] * p[k];
        size_sq += local->a[k] * local->a[k];
    }
    *magnitude = lanes_sqrt(stress_sq) * lanes_sqrt(size_sq);
}

/// psi_11 at rest, Pa.
static inline double affine_stiffness(const ElementMaterial *material)
{
    return 8 * material->kappa;
}

LANES_INLINE void affine_prox(const ElementMaterial *material, const AffineLocal *local, Lanes volume,
                              Lanes rho, Lanes z[9])
{
    Lanes projected[3];
    energy_prox(ENERGY_STVK, local->principal.sigma, 4 * material->kappa * volume, lanes_set(0), rho,
                projected);
    tet_compose(&local->principal, projected, z);
}

// ---------------------------------------------------------------- stretch and inversion

/// The largest principal stretch.
LANES_INLINE Lanes affine_stretch(const AffineLocal *local)
{
    return tet_stretch(&local->principal);
}

LANES_INLINE Lanes affine_determinant(const AffineLocal *local)
{
    return tet_determinant(&local->principal);
}

LANES_INLINE Pack affine_bound(const Pack F[9], const Pack D[9], PackMask wanted)
{
    return inversion_bound(F, D, wanted);
}

// ---------------------------------------------------------------- Hessian

LANES_INLINE void affine_hessian(const ElementMaterial *material, const AffineLocal *local, int part,
                                 const Pack G[9], Pack volume, bool project, Pack K[10][9])
{
    const ElementMaterial stvk = {ENERGY_STVK, 4 * material->kappa, 0};
    tet_hessian(&stvk, &local->principal, part, G, volume, project, K);
}

#endif
