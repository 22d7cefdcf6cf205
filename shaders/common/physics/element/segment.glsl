// A segment of a cable between two nodes; twin of src/physics/element/segment.h. kappa is times the volume here, J.
#ifndef COMMON_PHYSICS_ELEMENT_SEGMENT_GLSL
#define COMMON_PHYSICS_ELEMENT_SEGMENT_GLSL

#define ELEMENT_CORNERS 2
#define ELEMENT_COLUMNS 1
#define ELEMENT_CAN_INVERT 0
#define ELEMENT_EXACT 1 ///< a stiff cable's strain is far below the rounding of its length
#define ELEMENT_HESSIAN 2 ///< second derivatives along the axis and across it
#define ELEMENT_AXES 4 ///< the axis, G_1
#define ELEMENT_DATA SEGMENT_DATA
#define FORM_AXES ELEMENT_AXES
#define FORM_STRIDE 1u ///< numbers of a row of U

#include "common/elements/principal_form.glsl"

/// F = size axis.
struct ElementLocal {
    real size;
    real3 axis;
    real strain; ///< size - 1
};

void element_decompose(Exact f[3], out ElementLocal local)
{
    Exact strain = exact(real(-1.0)); // |F|^2 - 1
    for (int i = 0; i < 3; ++i)
        strain = exact_add(strain, exact_multiply(f[i], f[i]));
    const real3 v = real3(exact_value(f[0]), exact_value(f[1]), exact_value(f[2]));
    local.size = length(v);
    local.axis = local.size > real(0.0) ? v / local.size : real3(0.0);
    local.strain = exact_value(strain) / (local.size + real(1.0));
}

real element_energy(ElementMaterial material, ElementLocal local)
{
    return real(0.5) * material.kappa * local.strain * local.strain;
}

void element_stress(ElementMaterial material, ElementLocal local, out real p[3])
{
    for (int i = 0; i < 3; ++i)
        p[i] = material.kappa * local.strain * local.axis[i];
}

void element_slope(ElementMaterial material, ElementLocal local, real change[3], out real slope, out real magnitude)
{
    const real tension = material.kappa * local.strain;
    slope = tension * dot(local.axis, real3(change[0], change[1], change[2]));
    magnitude = abs(tension) * local.size;
}

void element_prox(ElementMaterial material, ElementLocal local, real rho, out real z[3])
{
    const real size = (rho * local.size + material.kappa) / (rho + material.kappa);
    for (int i = 0; i < 3; ++i)
        z[i] = size * local.axis[i];
}

void element_axes(uint at, ElementLocal local, real g[1])
{
    for (uint i = 0u; i < 3u; ++i)
        element_data_set(at + i, local.axis[i]);
    element_data_set(at + 3u, g[0]);
}

void element_hessian(ElementMaterial material, ElementLocal local, bool project, out real hessian[2])
{
    const real across = local.size > real(0.0) ? local.strain / local.size : real(0.0);
    hessian[0] = material.kappa;
    hessian[1] = material.kappa * (project ? max(across, real(0.0)) : across);
}

void element_block(uint at, uint row, uint column, out real block[9])
{
    const real g = element_data(at + ELEMENT_HESSIAN + 3u), weight = row == column ? g * g : -g * g;
    const real along = weight * element_data(at), across = weight * element_data(at + 1u);
    for (uint i = 0u; i < 3u; ++i)
        for (uint k = 0u; k < 3u; ++k)
            block[3u * i + k] = (along - across) * element_data(at + ELEMENT_HESSIAN + i) *
                                    element_data(at + ELEMENT_HESSIAN + k) +
                                (i == k ? across : real(0.0));
}

/// The stretch, as the list of one.
void element_stretches(ElementLocal local, out real s[1])
{
    s[0] = local.size;
}

/// The axis.
void element_dyad(ElementLocal local, int k, out real m[3])
{
    m = real[3](local.axis.x, local.axis.y, local.axis.z);
}

real element_stretch(ElementLocal local)
{
    return local.size;
}

// ---------------------------------------------------------------- damping

void element_stretch_move(inout ElementLocal local, int k, real way)
{
    local.size += way;
    local.strain += way;
}

// The two numbers of the Hessian are those of a form.

void element_form(real hessian[2], out real form[FORM_SIZE])
{
    form = hessian;
}

void element_form_axes(uint at, ElementLocal local, real g[1])
{
    element_axes(at, local, g);
}

void element_form_turn(ElementLocal local, out real u[3], out real v[1])
{
    for (int i = 0; i < 3; ++i)
        u[i] = local.axis[i];
    v[0] = real(1.0);
}

void element_form_block(uint at, uint row, uint column, out real block[9])
{
    element_block(at, row, column, block);
}

#endif
