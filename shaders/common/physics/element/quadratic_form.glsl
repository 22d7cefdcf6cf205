// What kinds of element have in common whose density is kappa/2 |D x|^2; twin of src/physics/element/quadratic_form.h. kappa is times the
// volume here, J. Define ELEMENT_CORNERS and ELEMENT_COLUMNS before.
#ifndef COMMON_PHYSICS_ELEMENT_QUADRATIC_FORM_GLSL
#define COMMON_PHYSICS_ELEMENT_QUADRATIC_FORM_GLSL

#define ELEMENT_HESSIAN 1 ///< kappa
#define ELEMENT_AXES ((ELEMENT_CORNERS - 1) * ELEMENT_COLUMNS) ///< G_1, G_2, ...
#define FORM_SIZE (3 * ELEMENT_COLUMNS)

#include "common/elements/corner_shape.glsl"

struct ElementLocal {
    real f[FORM_SIZE];
};

void element_decompose(Exact f[FORM_SIZE], out ElementLocal local)
{
    for (int k = 0; k < FORM_SIZE; ++k)
        local.f[k] = exact_value(f[k]);
}

real element_square(ElementLocal local)
{
    real sum = local.f[0] * local.f[0];
    for (int k = 1; k < FORM_SIZE; ++k)
        sum += local.f[k] * local.f[k];
    return sum;
}

real element_energy(ElementMaterial material, ElementLocal local)
{
    return real(0.5) * material.kappa * element_square(local);
}

void element_stress(ElementMaterial material, ElementLocal local, out real p[FORM_SIZE])
{
    for (int k = 0; k < FORM_SIZE; ++k)
        p[k] = material.kappa * local.f[k];
}

void element_slope(ElementMaterial material, ElementLocal local, real change[FORM_SIZE], out real slope, out real magnitude)
{
    real sum = local.f[0] * change[0];
    for (int k = 1; k < FORM_SIZE; ++k)
        sum += local.f[k] * change[k];
    slope = material.kappa * sum;
    magnitude = real(4.0) * material.kappa * sqrt(element_square(local));
}

void element_prox(ElementMaterial material, ElementLocal local, real rho, out real z[FORM_SIZE])
{
    const real share = rho / (rho + material.kappa);
    for (int k = 0; k < FORM_SIZE; ++k)
        z[k] = share * local.f[k];
}

/// Bending stretches nothing.
real element_stretch(ElementLocal local)
{
    return real(1.0);
}

void element_axes(uint at, ElementLocal local, real g[ELEMENT_AXES])
{
    for (uint k = 0u; k < ELEMENT_AXES; ++k)
        element_data_set(at + k, g[k]);
}

void element_hessian(ElementMaterial material, ElementLocal local, bool project, out real hessian[1])
{
    hessian[0] = material.kappa;
}

void element_block(uint at, uint row, uint column, out real block[9])
{
    real sum = real(0.0);
    for (uint j = 0u; j < ELEMENT_COLUMNS; ++j)
        sum += element_shape(at + ELEMENT_HESSIAN, row, j) * element_shape(at + ELEMENT_HESSIAN, column, j);
    for (int k = 0; k < 9; ++k)
        block[k] = k % 4 == 0 ? element_data(at) * sum : real(0.0);
}

#endif
