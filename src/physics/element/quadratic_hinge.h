/// Bending at an inner edge of a shell that is flat at rest, quadratic in positions (theory.md section 3, "Quadratic bending"; Bergou
/// 2006): D x = sum K_a x_a/|e|, one column, K the cotangent weights of the edge's two triangles, of the length of the fold's angle, and
/// psi = kappa/2 |D x|^2, kappa in Pa. With the volume w of physics/element/hinge.h small angles cost as much as there. The
/// Hessian is constant. Twin: shaders/common/physics/element/quadratic_hinge.glsl.
#ifndef PHYSICS_ELEMENT_QUADRATIC_HINGE_H
#define PHYSICS_ELEMENT_QUADRATIC_HINGE_H

#include "base/lanes.h"
#include "physics/element/material.h"

typedef struct QuadraticHingeLocal {
    Lanes f[3]; ///< D x
} QuadraticHingeLocal;

LANES_INLINE void quadratic_hinge_decompose(int count, const Lanes (*f)[3], QuadraticHingeLocal *local)
{
    for (int n = 0; n < count; ++n)
        for (int i = 0; i < 3; ++i)
            local[n].f[i] = f[n][i];
}

LANES_INLINE Lanes quadratic_hinge_density(const ElementMaterial *material, const QuadraticHingeLocal *local)
{
    const Lanes *f = local->f;
    return 0.5 * material->kappa * (f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
}

LANES_INLINE void quadratic_hinge_stress(const ElementMaterial *material, const QuadraticHingeLocal *local,
                                         Lanes p[3])
{
    for (int i = 0; i < 3; ++i)
        p[i] = material->kappa * local->f[i];
}

/// D x is what is left of a sum whose parts are of the size of 1.
LANES_INLINE void quadratic_hinge_slope(const ElementMaterial *material, const QuadraticHingeLocal *local,
                                        const Lanes D[3], Lanes *slope, Lanes *magnitude)
{
    const Lanes *f = local->f;
    *slope = material->kappa * (f[0] * D[0] + f[1] * D[1] + f[2] * D[2]);
    *magnitude = 4.0 * material->kappa * lanes_sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
}

/// psi'', Pa.
static inline double quadratic_hinge_stiffness(const ElementMaterial *material)
{
    return material->kappa;
}

LANES_INLINE void quadratic_hinge_prox(const ElementMaterial *material, const QuadraticHingeLocal *local,
                                       Lanes volume, Lanes rho, Lanes z[3])
{
    const Lanes share = rho / (rho + volume * material->kappa);
    for (int i = 0; i < 3; ++i)
        z[i] = share * local->f[i];
}

/// A hinge stretches nothing.
LANES_INLINE Lanes quadratic_hinge_stretch(const QuadraticHingeLocal *local)
{
    (void)local;
    return lanes_set(1);
}

LANES_INLINE void quadratic_hinge_hessian(const ElementMaterial *material, const QuadraticHingeLocal *local,
                                          int part, const Pack G[3], Pack volume, bool project, Pack K[10][9])
{
    static const int first[10] = {0, 1, 2, 3, 0, 0, 0, 1, 1, 2}, second[10] = {0, 1, 2, 3, 1, 2, 3, 2, 3, 3};
    const Pack g[4] = {-(G[0] + G[1] + G[2]), G[0], G[1], G[2]};
    (void)local, (void)part, (void)project;
    for (int pair = 0; pair < 10; ++pair)
        for (int k = 0; k < 9; ++k)
            K[pair][k] =
                k % 4 == 0 ? volume * material->kappa * g[first[pair]] * g[second[pair]] : pack_set(0.0);
}

#endif
