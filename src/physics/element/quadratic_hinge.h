/// Bending at an inner edge of a shell that is flat at rest, quadratic in positions (theory.md section 3, "Quadratic bending"; Bergou
/// 2006): D x = sum K_a x_a/|e|, one column, K the cotangent weights of the edge's two triangles, of the length of the fold's angle, and
/// psi = kappa/2 |D x|^2, kappa in Pa. With the volume w of physics/element/hinge.h small angles cost as much as there. The
/// Hessian is constant. Twin: shaders/common/physics/element/quadratic_hinge.glsl.
#ifndef PHYSICS_ELEMENT_QUADRATIC_HINGE_H
#define PHYSICS_ELEMENT_QUADRATIC_HINGE_H

#include "physics/element/quadratic_form.h"

typedef struct QuadraticHingeLocal {
    Lanes f[3]; ///< D x
} QuadraticHingeLocal;

LANES_INLINE void quadratic_hinge_decompose(int count, const Lanes (*f)[3], QuadraticHingeLocal *local)
{
    for (int n = 0; n < count; ++n)
        for (int k = 0; k < 3; ++k)
            local[n].f[k] = f[n][k];
}

LANES_INLINE Lanes quadratic_hinge_density(const ElementMaterial *material, const QuadraticHingeLocal *local)
{
    return quadratic_form_density(material, local->f, 3);
}

LANES_INLINE void quadratic_hinge_stress(const ElementMaterial *material, const QuadraticHingeLocal *local,
                                         Lanes p[3])
{
    quadratic_form_stress(material, local->f, 3, p);
}

LANES_INLINE void quadratic_hinge_slope(const ElementMaterial *material, const QuadraticHingeLocal *local,
                                        const Lanes D[3], Lanes *slope, Lanes *magnitude)
{
    quadratic_form_slope(material, local->f, D, 3, slope, magnitude);
}

/// psi'', Pa.
static inline double quadratic_hinge_stiffness(const ElementMaterial *material)
{
    return material->kappa;
}

LANES_INLINE void quadratic_hinge_prox(const ElementMaterial *material, const QuadraticHingeLocal *local,
                                       Lanes volume, Lanes rho, Lanes z[3])
{
    quadratic_form_prox(material, local->f, 3, volume, rho, z);
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
    (void)local, (void)part, (void)project;
    quadratic_form_hessian(material, G, 4, 1, volume, K);
}

#endif
