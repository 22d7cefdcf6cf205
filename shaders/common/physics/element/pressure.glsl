// The volume that a pressure works on; twin of src/physics/element/pressure.h. kappa, the pressure, is times the volume here, J.
#ifndef COMMON_PHYSICS_ELEMENT_PRESSURE_GLSL
#define COMMON_PHYSICS_ELEMENT_PRESSURE_GLSL

#include "common/elements/principal_axes.glsl"
#include "common/svd3.glsl"

#define ELEMENT_CORNERS 4
#define ELEMENT_COLUMNS 3
#define ELEMENT_CAN_INVERT 0
#define ELEMENT_EXACT 0
#define ELEMENT_HESSIAN PRINCIPAL_HESSIAN
#define ELEMENT_AXES PRINCIPAL_AXES
#define ELEMENT_DATA PRESSURE_DATA

struct ElementLocal {
    real f[9];
    real cofactor[9]; ///< d det F/dF
    real u[9], sigma[3], v[9]; ///< F = U diag(sigma) V^T
};

void element_decompose(real f[9], out ElementLocal local)
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const int next = 3 * ((i + 1) % 3), last = 3 * ((i + 2) % 3), a = (j + 1) % 3, b = (j + 2) % 3;
            local.cofactor[3 * i + j] = f[next + a] * f[last + b] - f[next + b] * f[last + a];
        }
    for (int k = 0; k < 9; ++k)
        local.f[k] = f[k];
    svd3(f, local.u, local.sigma, local.v);
}

real element_energy(ElementMaterial material, ElementLocal local)
{
    return -material.kappa * (local.f[0] * local.cofactor[0] + local.f[1] * local.cofactor[1] +
                              local.f[2] * local.cofactor[2] - real(1.0));
}

void element_stress(ElementMaterial material, ElementLocal local, out real p[9])
{
    for (int k = 0; k < 9; ++k)
        p[k] = -material.kappa * local.cofactor[k];
}

void element_slope(ElementMaterial material, ElementLocal local, real change[9], out real slope, out real magnitude)
{
    real cofactor_sq = real(0.0), size_sq = real(0.0);
    slope = real(0.0);
    for (int k = 0; k < 9; ++k) {
        slope += -material.kappa * local.cofactor[k] * change[k];
        cofactor_sq += local.cofactor[k] * local.cofactor[k];
        size_sq += local.f[k] * local.f[k];
    }
    magnitude = abs(material.kappa) * sqrt(cofactor_sq) * sqrt(size_sq);
}

/// There is none (see the twin).
void element_prox(ElementMaterial material, ElementLocal local, real rho, out real z[9])
{
    for (int k = 0; k < 9; ++k)
        z[k] = local.f[k];
}

/// The largest principal stretch.
real element_stretch(ElementLocal local)
{
    return local.sigma[0];
}

// ---------------------------------------------------------------- Hessian

void element_axes(uint at, ElementLocal local, real g[9])
{
    principal_axes(at, local.u, local.v, g);
}

/// Of psi = -p s_0 s_1 s_2: psi_ij = -p s_k, twist -p s_k, flip p s_k.
void element_hessian(ElementMaterial material, ElementLocal local, bool project, out real hessian[12])
{
    for (int k = 0; k < 3; ++k) {
        const real change = material.kappa * local.sigma[2 - k];
        hessian[k] = real(0.0);
        hessian[3 + k] = hessian[6 + k] = -change;
        hessian[9 + k] = change;
    }
    if (project)
        energy_hessian_project(hessian);
}

void element_block(uint at, uint row, uint column, out real block[9])
{
    principal_block(at, row, column, block);
}

#endif
