/// Bending of a shell's triangle by the plate's energy (theory.md section 3, "Plate bending"): t^3 A/24 times the plane stress energy of
/// its curvatures, which are those of Morley's triangle whose slopes at mid-edges come from the nodes around, twelve in all
/// (model/plates.h). The columns of D x are combinations of them, times the root of the area A, so that the sum of their squares is that
/// energy over E/(1 - nu^2): psi = kappa/2 |D x|^2, kappa = E/(1 - nu^2) in Pa, with the volume w = t^3/12. Twin:
/// shaders/common/physics/element/plate.glsl.
#ifndef PHYSICS_ELEMENT_PLATE_H
#define PHYSICS_ELEMENT_PLATE_H

#include "physics/element/quadratic_form.h"

typedef struct PlateLocal {
    Lanes f[9]; ///< D x
} PlateLocal;

LANES_INLINE void plate_decompose(int count, const Lanes (*f)[9], PlateLocal *local)
{
    for (int n = 0; n < count; ++n)
        for (int k = 0; k < 9; ++k)
            local[n].f[k] = f[n][k];
}

LANES_INLINE Lanes plate_density(const ElementMaterial *material, const PlateLocal *local)
{
    return quadratic_form_density(material, local->f, 9);
}

LANES_INLINE void plate_stress(const ElementMaterial *material, const PlateLocal *local, Lanes p[9])
{
    quadratic_form_stress(material, local->f, 9, p);
}

LANES_INLINE void plate_slope(const ElementMaterial *material, const PlateLocal *local, const Lanes D[9],
                              Lanes *slope, Lanes *magnitude)
{
    quadratic_form_slope(material, local->f, D, 9, slope, magnitude);
}

/// psi'', Pa.
static inline double plate_stiffness(const ElementMaterial *material)
{
    return material->kappa;
}

LANES_INLINE void plate_prox(const ElementMaterial *material, const PlateLocal *local, Lanes volume,
                             Lanes rho, Lanes z[9])
{
    quadratic_form_prox(material, local->f, 9, volume, rho, z);
}

/// Bending stretches nothing.
LANES_INLINE Lanes plate_stretch(const PlateLocal *local)
{
    (void)local;
    return lanes_set(1);
}

LANES_INLINE void plate_hessian(const ElementMaterial *material, const PlateLocal *local, int part,
                                const Pack G[33], Pack volume, bool project, Pack K[78][9])
{
    (void)local, (void)part, (void)project;
    quadratic_form_hessian(material, G, 12, 3, volume, K);
}

#endif
