// Angles between points of bodies; twin of src/physics/element/joint.h, where the formulas are explained. kappa is times the volume here,
// J; lambda is the angle at rest.
#ifndef COMMON_PHYSICS_ELEMENT_JOINT_GLSL
#define COMMON_PHYSICS_ELEMENT_JOINT_GLSL

#extension GL_EXT_control_flow_attributes : require
#include "common/real_math.glsl"

#define ELEMENT_CORNERS 12
#define ELEMENT_COLUMNS 3
#define ELEMENT_CAN_INVERT 0
#define ELEMENT_EXACT 1 ///< how far a stiff axis is off is far below the rounding of its place
#define ELEMENT_HESSIAN 45 ///< its rows from the diagonal on
#define ELEMENT_AXES 33 ///< G_1, G_2, ...
#define ELEMENT_DATA JOINT_DATA

#include "common/elements/corner_shape.glsl"
#include "common/physics/element/violation.glsl"

#ifdef VELA_F64
#define JOINT_PARALLEL 1e-10lf
#define JOINT_SHORTEST 1e-70lf
#else
#define JOINT_PARALLEL 1e-5
#define JOINT_SHORTEST 1e-15
#endif

struct ElementLocal {
    real f[9]; ///< D x
    real products[2]; ///< y_r.y_2
};

struct JointValues {
    real value[2];
    real slope[2][9];
};

void element_decompose(Exact f[9], out ElementLocal local)
{
    for (int k = 0; k < 9; ++k)
        local.f[k] = exact_value(f[k]);
    for (int r = 0; r < 2; ++r) {
        Exact sum = exact_multiply(f[r], f[2]);
        sum = exact_add(sum, exact_multiply(f[3 + r], f[5]));
        local.products[r] = exact_value(exact_add(sum, exact_multiply(f[6 + r], f[8])));
    }
}

real joint_dot(ElementLocal local, int j, int l)
{
    return local.f[j] * local.f[l] + local.f[3 + j] * local.f[3 + l] + local.f[6 + j] * local.f[6 + l];
}

void joint_axis(ElementLocal local, inout JointValues values)
{
    for (int r = 0; r < 2; ++r) {
        values.value[r] = local.products[r];
        for (int i = 0; i < 3; ++i) {
            values.slope[r][3 * i + r] = local.f[3 * i + 2];
            values.slope[r][3 * i + 2] = local.f[3 * i + r];
        }
    }
}

void joint_turn(ElementMaterial material, ElementLocal local, inout JointValues values)
{
    const real along = local.products[0], across = local.products[1], size = along * along + across * across,
               inverse = size > JOINT_SHORTEST ? real(1.0) / size : real(0.0);
    values.value[0] = real_atan2(across, along) - material.lambda;
    for (int i = 0; i < 9; i += 3) {
        values.slope[0][i] = -across * local.f[i + 2] * inverse;
        values.slope[0][i + 1] = along * local.f[i + 2] * inverse;
        values.slope[0][i + 2] = (along * local.f[i + 1] - across * local.f[i]) * inverse;
    }
}

/// y_0 and y_1, the plane between them, and the directions in it across each, away from the other.
struct JointPlane {
    real inverse_length[2]; ///< 0 where there is no length
    real3 along[2], normal, away[2];
    real sine, cosine;
};

/// Any unit vector across a unit vector.
real3 joint_across(real3 u)
{
    const real x = abs(u.x), y = abs(u.y), z = abs(u.z);
    const real3 e = x <= y && x <= z ? real3(1.0, 0.0, 0.0) : y <= z ? real3(0.0, 1.0, 0.0) : real3(0.0, 0.0, 1.0);
    const real3 out_vector = cross(u, e);
    const real square = dot(out_vector, out_vector);
    return square > real(0.0) ? out_vector / sqrt(square) : real3(0.0);
}

void joint_plane(ElementLocal local, out JointPlane plane)
{
    for (int j = 0; j < 2; ++j) {
        const real square = joint_dot(local, j, j);
        plane.inverse_length[j] = square > JOINT_SHORTEST ? real(1.0) / sqrt(square) : real(0.0);
        plane.along[j] = real3(local.f[j], local.f[3 + j], local.f[6 + j]) * plane.inverse_length[j];
    }
    plane.normal = cross(plane.along[0], plane.along[1]);
    plane.sine = length(plane.normal);
    plane.cosine = dot(plane.along[0], plane.along[1]);
    plane.normal = plane.sine > JOINT_PARALLEL ? plane.normal / plane.sine : joint_across(plane.along[0]);
    plane.away[0] = cross(plane.along[0], plane.normal);
    plane.away[1] = cross(plane.normal, plane.along[1]);
}

void joint_angle(ElementMaterial material, JointPlane plane, inout JointValues values)
{
    values.value[0] = real_atan2(plane.sine, plane.cosine) - material.lambda;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 2; ++j)
            values.slope[0][3 * i + j] = plane.away[j][i] * plane.inverse_length[j];
}

void joint_values(ElementMaterial material, ElementLocal local, out JointValues values)
{
    values.value[1] = real(0.0);
    for (int k = 0; k < 9; ++k)
        values.slope[0][k] = values.slope[1][k] = real(0.0);
    if (ENERGY_MODEL == JOINT_AXIS)
        joint_axis(local, values);
    else if (ENERGY_MODEL < JOINT_ANGLE)
        joint_turn(material, local, values);
    else {
        JointPlane plane;
        joint_plane(local, plane);
        joint_angle(material, plane, values);
    }
    values.value[0] = violation_of(values.value[0]);
}

real element_energy(ElementMaterial material, ElementLocal local)
{
    JointValues values;
    joint_values(material, local, values);
    return real(0.5) * material.kappa * (values.value[0] * values.value[0] + values.value[1] * values.value[1]);
}

void element_stress(ElementMaterial material, ElementLocal local, out real p[9])
{
    JointValues values;
    joint_values(material, local, values);
    for (int k = 0; k < 9; ++k)
        p[k] = material.kappa * (values.value[0] * values.slope[0][k] + values.value[1] * values.slope[1][k]);
}

void element_slope(ElementMaterial material, ElementLocal local, real change[9], out real slope, out real magnitude)
{
    JointValues values;
    joint_values(material, local, values);
    slope = magnitude = real(0.0);
    for (int r = 0; r < 2; ++r) {
        const real force = material.kappa * values.value[r];
        real along = real(0.0), slope_sq = real(0.0), size_sq = real(0.0);
        for (int k = 0; k < 9; ++k) {
            along += values.slope[r][k] * change[k];
            slope_sq += values.slope[r][k] * values.slope[r][k];
            size_sq += local.f[k] * local.f[k];
        }
        slope += force * along;
        magnitude += abs(force) * sqrt(slope_sq) * sqrt(size_sq);
    }
}

/// 0: ADMM takes no constraints.
void element_prox(ElementMaterial material, ElementLocal local, real rho, out real z[9])
{
    for (int k = 0; k < 9; ++k)
        z[k] = real(0.0);
}

/// A joint is no material that stretches.
real element_stretch(ElementLocal local)
{
    return real(1.0);
}

// ---------------------------------------------------------------- Hessian

void element_axes(uint at, ElementLocal local, real g[33])
{
    for (uint k = 0u; k < 33u; ++k)
        element_data_set(at + k, g[k]);
}

/// matrix += c (p q^T + q p^T), or what that is if projected. |p| and |q| are `p_size` and `q_size`.
void joint_add_product(real c, real p[9], real q[9], real p_size, real q_size, bool project, inout real matrix[45])
{
    const real kept = project ? real(0.5) * c : c, added = project ? real(0.5) * abs(c) : real(0.0);
    const real of_p = p_size > real(0.0) ? added * q_size / p_size : real(0.0),
               of_q = q_size > real(0.0) ? added * p_size / q_size : real(0.0);
    for (int k = 0, at = 0; k < 9; ++k)
        for (int l = k; l < 9; ++l, ++at)
            matrix[at] += kept * (p[k] * q[l] + q[k] * p[l]) + of_p * (p[k] * p[l]) + of_q * (q[k] * q[l]);
}

real joint_norm(real v[9])
{
    real sum = v[0] * v[0];
    for (int k = 1; k < 9; ++k)
        sum += v[k] * v[k];
    return sqrt(sum);
}

void joint_clear(out real v[9])
{
    for (int k = 0; k < 9; ++k)
        v[k] = real(0.0);
}

// There are few joints, and hundreds of operations in a product: one after the other, or drivers compile for seconds.

void joint_axis_curvature(real value[2], bool project, inout real matrix[45])
{
    [[dont_unroll]] for (int n = 0; n < 6; ++n) {
        const int r = n < 3 ? 0 : 1, i = n - 3 * r;
        real p[9], q[9];
        for (int k = 0; k < 9; ++k) {
            p[k] = k == 3 * i + r ? real(1.0) : real(0.0);
            q[k] = k == 3 * i + 2 ? real(1.0) : real(0.0);
        }
        joint_add_product(r == 0 ? value[0] : value[1], p, q, real(1.0), real(1.0), project, matrix);
    }
}

void joint_turn_curvature(real y[9], real c, real s, real value, bool project, inout real matrix[45])
{
    const real size = c * c + s * s, inverse = size > JOINT_SHORTEST ? real(1.0) / size : real(0.0);
    [[dont_unroll]] for (int n = 0; n < 4; ++n) {
        real p[9], q[9];
        joint_clear(p);
        joint_clear(q);
        for (int i = 0; i < 3; ++i) {
            p[3 * i + 2] = n == i ? real(1.0) : real(0.0);
            q[3 * i] = n == i ? -s : real(0.0);
            q[3 * i + 1] = n == i ? c : real(0.0);
        }
        if (n == 3)
            for (int i = 0; i < 9; i += 3) {
                p[i] = c * y[i + 2];
                p[i + 1] = s * y[i + 2];
                p[i + 2] = c * y[i] + s * y[i + 1];
                q[i] = -s * y[i + 2];
                q[i + 1] = c * y[i + 2];
                q[i + 2] = c * y[i + 1] - s * y[i];
            }
        joint_add_product(n < 3 ? value * inverse : -value * inverse * inverse, p, q,
                          n < 3 ? real(1.0) : joint_norm(p), n < 3 ? sqrt(size) : joint_norm(q), project, matrix);
    }
}

void joint_angle_curvature(JointPlane plane, real value, bool project, inout real matrix[45])
{
    real p[9], q[9];
    joint_clear(p);
    joint_clear(q);
    for (int i = 0; i < 3; ++i) {
        p[3 * i] = q[3 * i] = plane.normal[i] * plane.inverse_length[0];
        p[3 * i + 1] = plane.normal[i] * plane.inverse_length[1];
        q[3 * i + 1] = -p[3 * i + 1];
    }
    const bool is_plane = plane.sine > JOINT_PARALLEL, is_stretched = plane.cosine < real(0.0);
    const real limit = abs(value) < real(4.0) * JOINT_PARALLEL ? real(1.0) : real(0.0);
    real of_p = is_plane ? value * (plane.cosine - real(1.0)) / (real(2.0) * plane.sine) : is_stretched ? limit : real(0.0),
         of_q = is_plane ? value * (plane.cosine + real(1.0)) / (real(2.0) * plane.sine) : is_stretched ? real(0.0) : limit;
    if (project) {
        of_p = max(of_p, real(0.0));
        of_q = max(of_q, real(0.0));
    }
    for (int k = 0, at = 0; k < 9; ++k)
        for (int l = k; l < 9; ++l, ++at)
            matrix[at] += of_p * (p[k] * p[l]) + of_q * (q[k] * q[l]);
    [[dont_unroll]] for (int j = 0; j < 2; ++j) {
        const real3 along = j == 0 ? plane.along[0] : plane.along[1], away = j == 0 ? plane.away[0] : plane.away[1];
        const real over = j == 0 ? plane.inverse_length[0] : plane.inverse_length[1];
        for (int i = 0; i < 3; ++i)
            for (int l = 0; l < 3; ++l) {
                p[3 * i + l] = l == j ? along[i] : real(0.0);
                q[3 * i + l] = l == j ? away[i] : real(0.0);
            }
        joint_add_product(-value * over * over, p, q, real(1.0), real(1.0), project, matrix);
    }
}

void element_hessian(ElementMaterial material, ElementLocal local, bool project, out real hessian[45])
{
    JointValues values;
    joint_values(material, local, values);
    const real counts = violation_counts(values.value[0]);
    for (int k = 0, at = 0; k < 9; ++k)
        for (int l = k; l < 9; ++l, ++at)
            hessian[at] = counts * (values.slope[0][k] * values.slope[0][l]) + values.slope[1][k] * values.slope[1][l];
    if (ENERGY_MODEL == JOINT_AXIS)
        joint_axis_curvature(values.value, project, hessian);
    else if (ENERGY_MODEL < JOINT_ANGLE)
        joint_turn_curvature(local.f, local.products[0], local.products[1], values.value[0], project, hessian);
    else {
        JointPlane plane;
        joint_plane(local, plane);
        joint_angle_curvature(plane, values.value[0], project, hessian);
    }
    for (int k = 0; k < ELEMENT_HESSIAN; ++k)
        hessian[k] *= material.kappa;
}

/// Of row k and column l of the Hessian.
real joint_entry(uint at, uint k, uint l)
{
    const uint low = min(k, l), high = max(k, l);
    return element_data(at + 9u * low - low * (low + 1u) / 2u + high);
}

void element_block(uint at, uint row, uint column, out real block[9])
{
    const uint shapes = at + ELEMENT_HESSIAN;
    for (uint k = 0u; k < 9u; ++k)
        block[k] = real(0.0);
    [[dont_unroll]] for (uint j = 0u; j < 3u; ++j)
        [[dont_unroll]] for (uint l = 0u; l < 3u; ++l) {
            const real weight = element_shape(shapes, row, j) * element_shape(shapes, column, l);
            for (uint k = 0u; k < 9u; ++k)
                block[k] += weight * joint_entry(at, 3u * (k / 3u) + j, 3u * (k % 3u) + l);
        }
}

#endif
