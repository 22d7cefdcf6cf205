// An affine body by four control nodes; twin of src/physics/element/affine.h. kappa is times the volume here, J.
#ifndef COMMON_PHYSICS_ELEMENT_AFFINE_GLSL
#define COMMON_PHYSICS_ELEMENT_AFFINE_GLSL

#include "common/elements/principal_axes.glsl"
#include "common/physics/energy/inversion.glsl"
#include "common/physics/energy/stvk.glsl"
#include "common/svd3.glsl"

#define ELEMENT_CORNERS 4
#define ELEMENT_COLUMNS 3
#define ELEMENT_CAN_INVERT 1
#define ELEMENT_EXACT 1 ///< A^T A - 1 is all there is: a rounding of A in single precision would be 100 Pa at kappa = 1e8 Pa
#define ELEMENT_HESSIAN PRINCIPAL_HESSIAN
#define ELEMENT_AXES PRINCIPAL_AXES
#define ELEMENT_DATA AFFINE_DATA

struct ElementLocal {
    real a[9]; ///< A
    real strain[6]; ///< A^T A - 1: 00 11 22 01 02 12
    real u[9], sigma[3], v[9]; ///< A = U diag(sigma) V^T
};

void element_decompose(Exact f[9], out ElementLocal local)
{
    for (int k = 0; k < 9; ++k)
        local.a[k] = exact_value(f[k]);
    for (int k = 0; k < 6; ++k) {
        const int i = k < 3 ? k : k == 5 ? 1 : 0, j = k < 3 ? k : k == 3 ? 1 : 2;
        Exact sum = exact(k < 3 ? real(-1.0) : real(0.0));
        for (int row = 0; row < 3; ++row)
            sum = exact_add(sum, exact_multiply(f[3 * row + i], f[3 * row + j]));
        local.strain[k] = exact_value(sum);
    }
    svd3(local.a, local.u, local.sigma, local.v);
}

real element_energy(ElementMaterial material, ElementLocal local)
{
    real squares = real(0.0);
    for (int k = 0; k < 6; ++k)
        squares += (k < 3 ? real(1.0) : real(2.0)) * local.strain[k] * local.strain[k];
    return material.kappa * squares;
}

void element_stress(ElementMaterial material, ElementLocal local, out real p[9])
{
    const real factor = real(4.0) * material.kappa;
    for (int i = 0; i < 3; ++i) {
        const real a = local.a[3 * i], b = local.a[3 * i + 1], c = local.a[3 * i + 2];
        p[3 * i] = factor * (a * local.strain[0] + b * local.strain[3] + c * local.strain[4]);
        p[3 * i + 1] = factor * (a * local.strain[3] + b * local.strain[1] + c * local.strain[5]);
        p[3 * i + 2] = factor * (a * local.strain[4] + b * local.strain[5] + c * local.strain[2]);
    }
}

void element_slope(ElementMaterial material, ElementLocal local, real change[9], out real slope, out real magnitude)
{
    real p[9], stress_sq = real(0.0), size_sq = real(0.0);
    element_stress(material, local, p);
    slope = real(0.0);
    for (int k = 0; k < 9; ++k) {
        slope += p[k] * change[k];
        stress_sq += p[k] * p[k];
        size_sq += local.a[k] * local.a[k];
    }
    magnitude = sqrt(stress_sq) * sqrt(size_sq);
}

void element_prox(ElementMaterial material, ElementLocal local, real rho, out real z[9])
{
    real projected[3];
    stvk_prox(local.sigma, real(4.0) * material.kappa, real(0.0), rho, projected);
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
    stvk_hessian(local.sigma, real(4.0) * material.kappa, real(0.0), hessian);
    if (project)
        energy_hessian_project(hessian);
}

void element_block(uint at, uint row, uint column, out real block[9])
{
    principal_block(at, row, column, block);
}

#endif
