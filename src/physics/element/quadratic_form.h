/// What kinds of element have in common whose density is psi = kappa/2 |D x|^2, kappa in Pa: all of their formulas. `size` is 3 columns,
/// and the Hessian is constant. Twin: shaders/common/physics/element/quadratic_form.glsl.
#ifndef PHYSICS_ELEMENT_QUADRATIC_FORM_H
#define PHYSICS_ELEMENT_QUADRATIC_FORM_H

#include "base/lanes.h"
#include "physics/element/material.h"

LANES_INLINE Lanes quadratic_form_square(const Lanes *f, int size)
{
    Lanes sum = f[0] * f[0];
    for (int k = 1; k < size; ++k)
        sum += f[k] * f[k];
    return sum;
}

LANES_INLINE Lanes quadratic_form_density(const ElementMaterial *material, const Lanes *f, int size)
{
    return 0.5 * material->kappa * quadratic_form_square(f, size);
}

LANES_INLINE void quadratic_form_stress(const ElementMaterial *material, const Lanes *f, int size, Lanes *p)
{
    for (int k = 0; k < size; ++k)
        p[k] = material->kappa * f[k];
}

/// D x is what is left of a sum whose parts are of the size of 1.
LANES_INLINE void quadratic_form_slope(const ElementMaterial *material, const Lanes *f, const Lanes *D,
                                       int size, Lanes *slope, Lanes *magnitude)
{
    Lanes sum = f[0] * D[0];
    for (int k = 1; k < size; ++k)
        sum += f[k] * D[k];
    *slope = material->kappa * sum;
    *magnitude = 4.0 * material->kappa * lanes_sqrt(quadratic_form_square(f, size));
}

LANES_INLINE void quadratic_form_prox(const ElementMaterial *material, const Lanes *f, int size, Lanes volume,
                                      Lanes rho, Lanes *z)
{
    const Lanes share = rho / (rho + volume * material->kappa);
    for (int k = 0; k < size; ++k)
        z[k] = share * f[k];
}

/// Blocks of the pairs of corners as element_pair has them: w kappa G_a.G_b on the diagonal.
LANES_INLINE void quadratic_form_hessian(const ElementMaterial *material, const Pack *G, int corners,
                                         int columns, Pack volume, Pack (*K)[9])
{
    Pack g[ELEMENT_CORNERS_MOST][ELEMENT_COLUMNS_MOST];
    for (int j = 0; j < columns; ++j) {
        g[0][j] = pack_set(0.0);
        for (int a = 1; a < corners; ++a) {
            g[a][j] = G[columns * (a - 1) + j];
            g[0][j] = g[0][j] - g[a][j];
        }
    }
    int pair = corners;
    for (int a = 0; a < corners; ++a)
        for (int b = a; b < corners; ++b) {
            Pack sum = g[a][0] * g[b][0];
            for (int j = 1; j < columns; ++j)
                sum += g[a][j] * g[b][j];
            Pack *block = K[a == b ? a : pair++];
            for (int k = 0; k < 9; ++k)
                block[k] = k % 4 == 0 ? volume * material->kappa * sum : pack_set(0.0);
        }
}

#endif
