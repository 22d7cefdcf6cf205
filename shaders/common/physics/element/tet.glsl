// Tetrahedra: what the kernels of elements are made of (common/elements/kind.glsl says what each function does. Twin:
// src/physics/element/tet.h). D x is the deformation gradient F, and the density an isotropic energy of physics/energy in its signed
// singular values.
#ifndef COMMON_PHYSICS_ELEMENT_TET_GLSL
#define COMMON_PHYSICS_ELEMENT_TET_GLSL

#include "common/elements/principal_axes.glsl"
#include "common/physics/energy/energy.glsl"
#include "common/physics/energy/inversion.glsl"
#include "common/physics/energy/projected_hessian.glsl"
#include "common/svd3.glsl"

#define ELEMENT_CORNERS 4
#define ELEMENT_COLUMNS 3
#define ELEMENT_CAN_INVERT 1
#define ELEMENT_EXACT 0
#define ELEMENT_HESSIAN PRINCIPAL_HESSIAN
#define ELEMENT_AXES PRINCIPAL_AXES
#define ELEMENT_DATA TET_DATA
#define FORM_AXES 18 ///< U, V^T G_1 .. V^T G_3
#define FORM_STRIDE 3u ///< numbers of a row of U

#include "common/elements/principal_form.glsl"

/// F = U diag(sigma) V^T.
struct ElementLocal {
    real u[9], sigma[3], v[9];
};

void element_decompose(real f[9], out ElementLocal local)
{
    svd3(f, local.u, local.sigma, local.v);
}

real element_energy(ElementMaterial material, ElementLocal local)
{
    return energy_density_above_rest(ENERGY_MODEL, local.sigma, material.kappa, material.lambda);
}

void element_stress(ElementMaterial material, ElementLocal local, out real p[9])
{
    real stress[3];
    energy_stress(ENERGY_MODEL, local.sigma, material.kappa, material.lambda, stress);
    piola_stress(local.u, stress, local.v, p);
}

void element_slope(ElementMaterial material, ElementLocal local, real change[9], out real slope, out real magnitude)
{
    real stress[3];
    energy_stress(ENERGY_MODEL, local.sigma, material.kappa, material.lambda, stress);
    real pull = real(0.0);
    slope = real(0.0);
    for (int k = 0; k < 3; ++k) {
        real along = real(0.0); // u_k . D v_k
        for (int row = 0; row < 3; ++row)
            for (int column = 0; column < 3; ++column)
                along += local.u[3 * row + k] * change[3 * row + column] * local.v[3 * column + k];
        slope += stress[k] * along;
        pull += abs(stress[k]);
    }
    // The stretches are good to some roundings of the largest.
    magnitude = pull * local.sigma[0];
}

void element_prox(ElementMaterial material, ElementLocal local, real rho, out real z[9])
{
    real projected[3];
    energy_prox(ENERGY_MODEL, local.sigma, material.kappa, material.lambda, rho, projected);
    piola_stress(local.u, projected, local.v, z);
}

/// The largest principal stretch.
real element_stretch(ElementLocal local)
{
    return local.sigma[0];
}

real element_determinant(ElementLocal local)
{
    return local.sigma[0] * local.sigma[1] * local.sigma[2];
}

real element_bound(real f[9], real change[9])
{
    return inversion_bound(f, change);
}

// ---------------------------------------------------------------- Hessian

void element_axes(uint at, ElementLocal local, real g[9])
{
    principal_axes(at, local.u, local.v, g);
}

void element_hessian(ElementMaterial material, ElementLocal local, bool project, out real hessian[12])
{
    energy_hessian(ENERGY_MODEL, local.sigma, material.kappa, material.lambda, hessian);
    if (project)
        energy_hessian_project(hessian);
}

void element_block(uint at, uint row, uint column, out real block[9])
{
    principal_block(at, row, column, block);
}

/// Principal stretches.
void element_stretches(ElementLocal local, out real s[3])
{
    s = local.sigma;
}

/// u_k v_k^T
void element_dyad(ElementLocal local, int k, out real m[9])
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            m[3 * i + j] = local.u[3 * i + k] * local.v[3 * j + k];
}

// ---------------------------------------------------------------- damping

void element_stretch_move(inout ElementLocal local, int k, real way)
{
    local.sigma[k] += way;
}

void element_form(real hessian[12], out real form[FORM_SIZE])
{
    hessian_in_axes(hessian, form);
}

void element_form_axes(uint at, ElementLocal local, real g[9])
{
    for (uint k = 0u; k < 9u; ++k)
        element_data_set(at + k, local.u[k]);
    principal_shapes(at + 9u, local.v, g);
}

void element_form_turn(ElementLocal local, out real u[9], out real v[9])
{
    u = local.u;
    v = local.v;
}

/// V^T G of a corner.
real3 tet_form_shape(uint at, uint corner)
{
    real3 g = real3(0.0);
    for (uint a = 1u; a < 4u; ++a) {
        const uint place = at + FORM_SIZE + 6u + 3u * a;
        const real3 other = real3(element_data(place), element_data(place + 1u), element_data(place + 2u));
        g += corner == 0u ? -other : corner == a ? other : real3(0.0);
    }
    return g;
}

void element_form_block(uint at, uint row, uint column, out real block[9])
{
    real form[FORM_SIZE], u[9];
    for (uint k = 0u; k < FORM_SIZE; ++k)
        form[k] = element_data(at + k);
    for (uint k = 0u; k < 9u; ++k)
        u[k] = element_data(at + FORM_SIZE + k);
    axes_block(form, u, tet_form_shape(at, row), tet_form_shape(at, column), block);
}

#endif
