// Bending at an inner edge of a shell, quadratic in positions; twin of src/physics/element/quadratic_hinge.h. kappa is times the
// volume here, J.
#ifndef COMMON_PHYSICS_ELEMENT_QUADRATIC_HINGE_GLSL
#define COMMON_PHYSICS_ELEMENT_QUADRATIC_HINGE_GLSL

#define ELEMENT_CORNERS 4
#define ELEMENT_COLUMNS 1
#define ELEMENT_CAN_INVERT 0
#define ELEMENT_EXACT 1 ///< what is left of the sum is far below the rounding of its parts
#define ELEMENT_HESSIAN 1 ///< kappa
#define ELEMENT_AXES 3 ///< G_1, G_2, G_3
#define ELEMENT_DATA QUADRATIC_HINGE_DATA

struct ElementLocal {
    real3 f;
};

void element_decompose(Exact f[3], out ElementLocal local)
{
    local.f = real3(exact_value(f[0]), exact_value(f[1]), exact_value(f[2]));
}

real element_energy(ElementMaterial material, ElementLocal local)
{
    return real(0.5) * material.kappa * dot(local.f, local.f);
}

void element_stress(ElementMaterial material, ElementLocal local, out real p[3])
{
    for (int i = 0; i < 3; ++i)
        p[i] = material.kappa * local.f[i];
}

void element_slope(ElementMaterial material, ElementLocal local, real change[3], out real slope, out real magnitude)
{
    slope = material.kappa * dot(local.f, real3(change[0], change[1], change[2]));
    magnitude = real(4.0) * material.kappa * length(local.f);
}

void element_prox(ElementMaterial material, ElementLocal local, real rho, out real z[3])
{
    const real share = rho / (rho + material.kappa);
    for (int i = 0; i < 3; ++i)
        z[i] = share * local.f[i];
}

/// A hinge stretches nothing.
real element_stretch(ElementLocal local)
{
    return real(1.0);
}

void element_axes(uint at, ElementLocal local, real g[3])
{
    for (uint k = 0u; k < 3u; ++k)
        element_data_set(at + k, g[k]);
}

void element_hessian(ElementMaterial material, ElementLocal local, bool project, out real hessian[1])
{
    hessian[0] = material.kappa;
}

real quadratic_hinge_shape(uint at, uint corner)
{
    const uint place = at + ELEMENT_HESSIAN;
    return corner == 0u ? -(element_data(place) + element_data(place + 1u) + element_data(place + 2u))
                        : element_data(place + corner - 1u);
}

void element_block(uint at, uint row, uint column, out real block[9])
{
    const real weight = element_data(at) * quadratic_hinge_shape(at, row) * quadratic_hinge_shape(at, column);
    for (int k = 0; k < 9; ++k)
        block[k] = k % 4 == 0 ? weight : real(0.0);
}

#endif
