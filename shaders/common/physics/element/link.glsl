// What holds two points of bodies at a distance, or together; twin of src/physics/element/link.h. kappa is times the volume here, N/m;
// lambda is the length at rest.
#ifndef COMMON_PHYSICS_ELEMENT_LINK_GLSL
#define COMMON_PHYSICS_ELEMENT_LINK_GLSL

#define ELEMENT_CORNERS 8
#define ELEMENT_COLUMNS 1
#define ELEMENT_CAN_INVERT 0
#define ELEMENT_EXACT 1 ///< how far a stiff link is off is far below the rounding of its length
#define ELEMENT_HESSIAN 2 ///< second derivatives along the axis and across it
#define ELEMENT_AXES 10 ///< the axis, G_1, G_2, ...
#define ELEMENT_DATA LINK_DATA

#include "common/elements/corner_shape.glsl"
#include "common/physics/element/violation.glsl"

/// y = size axis.
struct ElementLocal {
    real size;
    real3 axis;
    Exact square;
};

void element_decompose(Exact f[3], out ElementLocal local)
{
    local.square = exact_multiply(f[0], f[0]);
    for (int i = 1; i < 3; ++i)
        local.square = exact_add(local.square, exact_multiply(f[i], f[i]));
    const real3 v = real3(exact_value(f[0]), exact_value(f[1]), exact_value(f[2]));
    local.size = length(v);
    local.axis = local.size > real(0.0) ? v / local.size : real3(0.0);
}

/// |y| - rest as far as it counts, from the difference of their squares.
real element_extension(ElementMaterial material, ElementLocal local)
{
    const Exact rest = exact(material.lambda);
    const real both = local.size + material.lambda;
    const real value = exact_value(exact_add(local.square, exact_negative(exact_multiply(rest, rest))));
    return both > real(0.0) ? violation_of(value / both) : real(0.0);
}

real element_energy(ElementMaterial material, ElementLocal local)
{
    const real extension = element_extension(material, local);
    return real(0.5) * material.kappa * extension * extension;
}

void element_stress(ElementMaterial material, ElementLocal local, out real p[3])
{
    const real force = material.kappa * element_extension(material, local);
    for (int i = 0; i < 3; ++i)
        p[i] = force * local.axis[i];
}

void element_slope(ElementMaterial material, ElementLocal local, real change[3], out real slope, out real magnitude)
{
    const real force = material.kappa * element_extension(material, local);
    slope = force * dot(local.axis, real3(change[0], change[1], change[2]));
    magnitude = abs(force) * (local.size + material.lambda);
}

/// 0: ADMM takes no constraints.
void element_prox(ElementMaterial material, ElementLocal local, real rho, out real z[3])
{
    for (int k = 0; k < 3; ++k)
        z[k] = real(0.0);
}

/// A link is no material that stretches.
real element_stretch(ElementLocal local)
{
    return real(1.0);
}

// ---------------------------------------------------------------- Hessian

void element_axes(uint at, ElementLocal local, real g[7])
{
    for (uint i = 0u; i < 3u; ++i)
        element_data_set(at + i, local.axis[i]);
    for (uint k = 0u; k < 7u; ++k)
        element_data_set(at + 3u + k, g[k]);
}

void element_hessian(ElementMaterial material, ElementLocal local, bool project, out real hessian[2])
{
    const real extension = element_extension(material, local), counts = violation_counts(extension);
    // Points that are held together push back alike in all directions, at one place too.
    const real across = local.size > real(0.0)        ? extension / local.size
                        : material.lambda > real(0.0) ? real(0.0)
                                                      : counts;
    hessian[0] = material.kappa * counts;
    hessian[1] = material.kappa * (project ? max(across, real(0.0)) : across);
}

void element_block(uint at, uint row, uint column, out real block[9])
{
    const uint shapes = at + ELEMENT_HESSIAN + 3u;
    const real weight = element_shape(shapes, row, 0u) * element_shape(shapes, column, 0u);
    const real along = weight * element_data(at), across = weight * element_data(at + 1u);
    for (uint i = 0u; i < 3u; ++i)
        for (uint k = 0u; k < 3u; ++k)
            block[3u * i + k] = (along - across) * element_data(at + ELEMENT_HESSIAN + i) *
                                    element_data(at + ELEMENT_HESSIAN + k) +
                                (i == k ? across : real(0.0));
}

#endif
