// Bending at an inner edge of a shell by its angle; twin of src/physics/element/hinge.h, where the formulas are explained. kappa is
// times the volume here, J; lambda is the angle at rest.
#ifndef COMMON_PHYSICS_ELEMENT_HINGE_GLSL
#define COMMON_PHYSICS_ELEMENT_HINGE_GLSL

#include "common/real_math.glsl"

#define ELEMENT_CORNERS 4
#define ELEMENT_COLUMNS 3
#define ELEMENT_CAN_INVERT 0
#define ELEMENT_EXACT 0
#define ELEMENT_HESSIAN 3 ///< kappa, the moment, whether the matrix is projected
#define ELEMENT_AXES 23 ///< e, rho_a, t_a, q_a, 1/r_a, 1/L, the diagonal of G
#define ELEMENT_DATA HINGE_DATA

#ifdef VELA_F64
#define HINGE_SHORTEST 1e-12lf
#else
#define HINGE_SHORTEST 1e-6
#endif

struct ElementLocal {
    real angle;
    real3 axis, height[2], turn[2];
    real inverse_length, foot[2], inverse_reach[2]; ///< all inverses 0 where there is no angle
};

void element_decompose(real f[9], out ElementLocal local)
{
    const real3 edge = real3(f[0], f[3], f[6]);
    const real size = length(edge);
    real reach[2];
    bool folds = size > real(0.0);
    local.inverse_length = folds ? real(1.0) / size : real(0.0);
    local.axis = edge * local.inverse_length;
    for (int a = 0; a < 2; ++a) {
        const real3 wing = real3(f[1 + a], f[4 + a], f[7 + a]);
        const real along = dot(wing, local.axis);
        local.height[a] = wing - along * local.axis;
        local.foot[a] = along * local.inverse_length;
        reach[a] = length(local.height[a]);
        folds = folds && reach[a] > HINGE_SHORTEST * size;
    }
    local.inverse_length = folds ? local.inverse_length : real(0.0);
    for (int a = 0; a < 2; ++a) {
        local.inverse_reach[a] = folds ? real(1.0) / reach[a] : real(0.0);
        local.foot[a] = folds ? local.foot[a] : real(0.0);
        local.height[a] *= local.inverse_reach[a];
        local.turn[a] = cross(local.axis, local.height[a]);
    }
    local.angle = real_atan2(-dot(local.axis, cross(local.height[0], local.height[1])), -dot(local.turn[0], local.turn[1]));
}

/// theta - rest, 0 where there is no angle.
real element_fold(ElementMaterial material, ElementLocal local)
{
    return local.inverse_length > real(0.0) ? local.angle - material.lambda : real(0.0);
}

real element_energy(ElementMaterial material, ElementLocal local)
{
    const real fold = element_fold(material, local);
    return real(0.5) * material.kappa * fold * fold;
}

/// dtheta/dF
void element_gradient(ElementLocal local, out real gradient[9])
{
    for (int i = 0; i < 3; ++i) {
        const real first = local.turn[0][i] * local.inverse_reach[0], second = local.turn[1][i] * local.inverse_reach[1];
        gradient[3 * i] = local.foot[0] * first - local.foot[1] * second;
        gradient[3 * i + 1] = -first;
        gradient[3 * i + 2] = second;
    }
}

void element_stress(ElementMaterial material, ElementLocal local, out real p[9])
{
    const real moment = material.kappa * element_fold(material, local);
    element_gradient(local, p);
    for (int k = 0; k < 9; ++k)
        p[k] *= moment;
}

void element_slope(ElementMaterial material, ElementLocal local, real change[9], out real slope, out real magnitude)
{
    real gradient[9], along = real(0.0);
    element_gradient(local, gradient);
    for (int k = 0; k < 9; ++k)
        along += gradient[k] * change[k];
    const real moment = material.kappa * element_fold(material, local);
    slope = moment * along;
    magnitude = abs(moment) * (real(4.0) + abs(local.foot[0]) + abs(local.foot[1]));
}

/// 0: ADMM takes no hinges.
void element_prox(ElementMaterial material, ElementLocal local, real rho, out real z[9])
{
    for (int k = 0; k < 9; ++k)
        z[k] = real(0.0);
}

/// A hinge stretches nothing.
real element_stretch(ElementLocal local)
{
    return real(1.0);
}

// ---------------------------------------------------------------- Hessian

void element_axes(uint at, ElementLocal local, real g[9])
{
    for (int i = 0; i < 3; ++i) {
        const uint k = at + uint(i);
        element_data_set(k, local.axis[i]);
        for (int a = 0; a < 2; ++a) {
            element_data_set(k + 3u + 3u * uint(a), local.height[a][i]);
            element_data_set(k + 9u + 3u * uint(a), local.turn[a][i]);
        }
        element_data_set(k + 20u, g[4 * i]);
    }
    for (int a = 0; a < 2; ++a) {
        element_data_set(at + 15u + uint(a), local.foot[a]);
        element_data_set(at + 17u + uint(a), local.inverse_reach[a]);
    }
    element_data_set(at + 19u, local.inverse_length);
}

void element_hessian(ElementMaterial material, ElementLocal local, bool project, out real hessian[3])
{
    hessian[0] = material.kappa;
    hessian[1] = material.kappa * element_fold(material, local);
    hessian[2] = project ? real(1.0) : real(0.0);
}

real3 hinge_vector(uint at)
{
    return real3(element_data(at), element_data(at + 1u), element_data(at + 2u));
}

/// How a corner moves e_0, e_1, e_2.
real3 hinge_shape(uint axes, uint corner)
{
    const real3 g = hinge_vector(axes + 20u);
    return corner == 0u   ? -g
           : corner == 1u ? real3(g.x, real(0.0), real(0.0))
           : corner == 2u ? real3(real(0.0), g.y, real(0.0))
                          : real3(real(0.0), real(0.0), g.z);
}

void element_block(uint at, uint row, uint column, out real block[9])
{
    const uint axes = at + ELEMENT_HESSIAN;
    const real3 e = hinge_vector(axes), x = hinge_shape(axes, row), y = hinge_shape(axes, column);
    const bool project = element_data(at + 2u) > real(0.0);
    const real kept = project ? real(0.5) : real(1.0), added = project ? real(0.5) : real(0.0);
    const real kappa = element_data(at), moment = element_data(at + 1u), over = element_data(axes + 19u);
    real3 along = real3(0.0), other = real3(0.0);
    for (int k = 0; k < 9; ++k)
        block[k] = real(0.0);
    for (uint a = 0u; a < 2u; ++a) {
        const real3 rho = hinge_vector(axes + 3u + 3u * a), t = hinge_vector(axes + 9u + 3u * a);
        const real q = element_data(axes + 15u + a), reach = element_data(axes + 17u + a), sign = a == 0u ? moment : -moment;
        const real alpha = x[1u + a] - q * x[0], beta = y[1u + a] - q * y[0], both = alpha * beta, root = x[0] * y[0];
        along += (a == 0u ? -alpha : alpha) * reach * t;
        other += (a == 0u ? -beta : beta) * reach * t;
        const real size = sqrt(real(1.0) + q * q);
        const real c0 = sign * reach * reach, c1 = sign * over * reach, c2 = real(0.5) * sign * over * over;
        const real crossed = kept * (both * c0 + root * c2), straight = added * (both * abs(c0) + root * abs(c2));
        const real axial = added * both * abs(c1) / size, turned = added * root * abs(c1) * size,
                   left = kept * alpha * y[0] * c1, right = kept * x[0] * beta * c1;
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k)
                block[3 * i + k] += crossed * (rho[i] * t[k] + t[i] * rho[k]) + straight * (rho[i] * rho[k] + t[i] * t[k]) +
                                    axial * e[i] * e[k] + turned * t[i] * t[k] + left * e[i] * t[k] + right * t[i] * e[k];
    }
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            block[3 * i + k] += kappa * along[i] * other[k];
}

#endif
