/// Angles between points of bodies: constraints of hinges and angles with compliance (theory.md section 10). Each column y_j of D x is a
/// weighted sum of up to twelve nodes, and psi = kappa/2 sum of e_r^2, w kappa = 1/compliance. `energy_model` is the formula, JOINT_* of
/// abi/constraint.h:
///
///     JOINT_AXIS     e_r = y_r.y_2, r = 0, 1: what lies on a hinge's axis in one body stays there in the other, m
///     JOINT_TURN_*   the angle of y_2 from y_0 towards y_1 less `rest`, rad: a limit of a hinge, as far as it is violated
///     JOINT_ANGLE*   the angle between y_0 and y_1 less `rest`, rad
///
/// What the second derivatives of e have are products c (p q^T + q p^T) of vectors over D x. Projected, the negative eigenvalue of each
/// becomes 0: c/2 of the same, and |c|/2 (|q|/|p| p p^T + |p|/|q| q q^T), so that the sum is not less than the true matrix, and what it
/// adds goes to 0 with e. Twin: shaders/common/physics/element/joint.glsl.
#ifndef PHYSICS_ELEMENT_JOINT_H
#define PHYSICS_ELEMENT_JOINT_H

#include "physics/element/column_blocks.h"
#include "physics/element/material.h"
#include "physics/element/violation.h"

/// Vectors that are this close to parallel, as a sine, have no plane between them.
#define JOINT_PARALLEL 1e-10
/// Squares of lengths below this have no inverse, m^2, and of it squared neither.
#define JOINT_SHORTEST 1e-70

typedef struct JointLocal {
    Lanes rest; ///< rad; not from D x
    Lanes f[9]; ///< D x: component i of y_j at 3 i + j
} JointLocal;

/// What is violated, e, and by how much D x changes it.
typedef struct JointValues {
    Lanes value[2];
    Lanes slope[2][9];
} JointValues;

LANES_INLINE void joint_decompose(int count, const Lanes (*f)[9], JointLocal *local)
{
    for (int n = 0; n < count; ++n) {
        local[n].rest = lanes_set(0);
        for (int k = 0; k < 9; ++k)
            local[n].f[k] = f[n][k];
    }
}

LANES_INLINE Lanes joint_dot(const JointLocal *local, int j, int l)
{
    const Lanes *f = local->f;
    return f[j] * f[l] + f[3 + j] * f[3 + l] + f[6 + j] * f[6 + l];
}

LANES_INLINE void joint_axis(const JointLocal *local, JointValues *values)
{
    for (int r = 0; r < 2; ++r) {
        values->value[r] = joint_dot(local, r, 2);
        for (int i = 0; i < 3; ++i) {
            values->slope[r][3 * i + r] = local->f[3 * i + 2];
            values->slope[r][3 * i + 2] = local->f[3 * i + r];
        }
    }
}

// y_2 across the axis has the components `along` y_0 and `across` it.
LANES_INLINE void joint_turn(const JointLocal *local, JointValues *values)
{
    const Lanes along = joint_dot(local, 2, 0), across = joint_dot(local, 2, 1), zero = lanes_set(0),
                size = along * along + across * across;
    const Lanes inverse = lanes_select(lanes_less(lanes_set(JOINT_SHORTEST), size), 1.0 / size, zero);
    values->value[0] = lanes_atan2(across, along) - local->rest;
    for (int i = 0; i < 3; ++i) {
        const Lanes *y = local->f + 3 * i;
        values->slope[0][3 * i] = -across * y[2] * inverse;
        values->slope[0][3 * i + 1] = along * y[2] * inverse;
        values->slope[0][3 * i + 2] = (along * y[1] - across * y[0]) * inverse;
    }
}

/// y_0 and y_1, the plane between them, and the directions in it across each, away from the other.
typedef struct JointPlane {
    Lanes inverse_length[2]; ///< 0 where there is no length
    Lanes along[2][3], normal[3], away[2][3];
    Lanes sine, cosine;
} JointPlane;

// Any unit vector across a unit vector.
LANES_INLINE void joint_across(const Lanes u[3], Lanes out[3])
{
    // Crossed with the axis of the smallest component, of the first one if there are several.
    const Lanes zero = lanes_set(0), one = lanes_set(1), x = lanes_abs(u[0]), y = lanes_abs(u[1]),
                z = lanes_abs(u[2]);
    const LaneMask first = lanes_less_equal(x, y) & lanes_less_equal(x, z),
                   second = ~first & lanes_less_equal(y, z);
    const Lanes e[3] = {lanes_select(first, one, zero), lanes_select(second, one, zero),
                        lanes_select(first | second, zero, one)};
    Lanes square = zero;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = u[j] * e[k] - u[k] * e[j];
        square += out[i] * out[i];
    }
    for (int i = 0; i < 3; ++i)
        out[i] = lanes_select(lanes_less(zero, square), out[i] / lanes_sqrt(square), zero);
}

LANES_OUTLINE void joint_plane(const JointLocal *local, JointPlane *plane)
{
    const Lanes zero = lanes_set(0);
    Lanes any[3];
    for (int j = 0; j < 2; ++j) {
        const Lanes square = joint_dot(local, j, j);
        plane->inverse_length[j] =
            lanes_select(lanes_less(lanes_set(JOINT_SHORTEST), square), 1.0 / lanes_sqrt(square), zero);
        for (int i = 0; i < 3; ++i)
            plane->along[j][i] = local->f[3 * i + j] * plane->inverse_length[j];
    }
    plane->sine = plane->cosine = zero;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        plane->normal[i] = plane->along[0][j] * plane->along[1][k] - plane->along[0][k] * plane->along[1][j];
        plane->sine += plane->normal[i] * plane->normal[i];
        plane->cosine += plane->along[0][i] * plane->along[1][i];
    }
    plane->sine = lanes_sqrt(plane->sine);
    const LaneMask is_plane = lanes_less(lanes_set(JOINT_PARALLEL), plane->sine);
    joint_across(plane->along[0], any);
    for (int i = 0; i < 3; ++i)
        plane->normal[i] = lanes_select(is_plane, plane->normal[i] / plane->sine, any[i]);
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        plane->away[0][i] = plane->along[0][j] * plane->normal[k] - plane->along[0][k] * plane->normal[j];
        plane->away[1][i] = plane->normal[j] * plane->along[1][k] - plane->normal[k] * plane->along[1][j];
    }
}

LANES_INLINE void joint_angle(const JointLocal *local, const JointPlane *plane, JointValues *values)
{
    values->value[0] = lanes_atan2(plane->sine, plane->cosine) - local->rest;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 2; ++j)
            values->slope[0][3 * i + j] = plane->away[j][i] * plane->inverse_length[j];
        values->slope[0][3 * i + 2] = lanes_set(0);
    }
}

LANES_OUTLINE void joint_values(const ElementMaterial *material, const JointLocal *local, JointValues *values)
{
    JointPlane plane;
    values->value[1] = lanes_set(0);
    for (int k = 0; k < 9; ++k)
        values->slope[0][k] = values->slope[1][k] = lanes_set(0);
    if (material->energy_model == JOINT_AXIS)
        joint_axis(local, values);
    else if (material->energy_model < JOINT_ANGLE)
        joint_turn(local, values);
    else {
        joint_plane(local, &plane);
        joint_angle(local, &plane, values);
    }
    values->value[0] = violation_of(material->energy_model, values->value[0]);
}

LANES_INLINE Lanes joint_density(const ElementMaterial *material, const JointLocal *local)
{
    JointValues values;
    joint_values(material, local, &values);
    return 0.5 * material->kappa * (values.value[0] * values.value[0] + values.value[1] * values.value[1]);
}

LANES_INLINE void joint_stress(const ElementMaterial *material, const JointLocal *local, Lanes p[9])
{
    JointValues values;
    joint_values(material, local, &values);
    for (int k = 0; k < 9; ++k)
        p[k] =
            material->kappa * (values.value[0] * values.slope[0][k] + values.value[1] * values.slope[1][k]);
}

LANES_INLINE void joint_slope(const ElementMaterial *material, const JointLocal *local, const Lanes D[9],
                              Lanes *slope, Lanes *magnitude)
{
    JointValues values;
    joint_values(material, local, &values);
    *slope = *magnitude = lanes_set(0);
    for (int r = 0; r < 2; ++r) {
        const Lanes force = material->kappa * values.value[r];
        Lanes along = lanes_set(0), slope_sq = along, size_sq = along;
        for (int k = 0; k < 9; ++k) {
            along += values.slope[r][k] * D[k];
            slope_sq += values.slope[r][k] * values.slope[r][k];
            size_sq += local->f[k] * local->f[k];
        }
        *slope += force * along;
        *magnitude += lanes_abs(force) * lanes_sqrt(slope_sq) * lanes_sqrt(size_sq);
    }
}

/// Of the order of the second derivative where the columns are of the size of 1.
static inline double joint_stiffness(const ElementMaterial *material)
{
    return material->kappa;
}

/// 0: the scene reader refuses constraints with ADMM.
LANES_INLINE void joint_prox(const ElementMaterial *material, const JointLocal *local, Lanes volume,
                             Lanes rho, Lanes z[9])
{
    (void)material, (void)local, (void)volume, (void)rho;
    for (int k = 0; k < 9; ++k)
        z[k] = lanes_set(0);
}

/// A joint is no material that stretches.
LANES_INLINE Lanes joint_stretch(const JointLocal *local)
{
    (void)local;
    return lanes_set(1);
}

// ---------------------------------------------------------------- Hessian

/// matrix += c (p q^T + q p^T), or what that is if projected. |p| and |q| are `p_size` and `q_size`.
LANES_OUTLINE void joint_add_product(Pack c, const Pack p[9], const Pack q[9], Pack p_size, Pack q_size,
                                     bool project, Pack matrix[81])
{
    const Pack zero = pack_set(0.0), kept = project ? 0.5 * c : c, added = project ? 0.5 * pack_abs(c) : zero;
    const Pack of_p = pack_select(pack_less(zero, p_size), added * q_size / p_size, zero),
               of_q = pack_select(pack_less(zero, q_size), added * p_size / q_size, zero);
    for (int k = 0; k < 9; ++k)
        for (int l = 0; l < 9; ++l)
            matrix[9 * k + l] +=
                kept * (p[k] * q[l] + q[k] * p[l]) + of_p * (p[k] * p[l]) + of_q * (q[k] * q[l]);
}

LANES_INLINE Pack joint_norm(const Pack v[9])
{
    Pack sum = v[0] * v[0];
    for (int k = 1; k < 9; ++k)
        sum += v[k] * v[k];
    return pack_sqrt(sum);
}

LANES_INLINE void joint_clear(Pack v[9])
{
    for (int k = 0; k < 9; ++k)
        v[k] = pack_set(0.0);
}

// d2(y_r.y_2) = 2 dy_r.dy_2.
LANES_OUTLINE void joint_axis_curvature(const Pack value[2], bool project, Pack matrix[81])
{
    const Pack one = pack_set(1.0);
    for (int r = 0; r < 2; ++r)
        for (int i = 0; i < 3; ++i) {
            Pack p[9], q[9];
            joint_clear(p), joint_clear(q);
            p[3 * i + r] = q[3 * i + 2] = one;
            joint_add_product(value[r], p, q, one, one, project, matrix);
        }
}

// With c and s, y_2's components, and r^2 = c^2 + s^2:
// d2 theta = 2 dy_2.(c dy_1 - s dy_0)/r^2 - 2 (c dc + s ds)(c ds - s dc)/r^4.
LANES_OUTLINE void joint_turn_curvature(const Pack y[9], Pack value, bool project, Pack matrix[81])
{
    const Pack zero = pack_set(0.0), one = pack_set(1.0);
    Pack c = zero, s = zero, p[9], q[9];
    for (int i = 0; i < 3; ++i) {
        c += y[3 * i] * y[3 * i + 2];
        s += y[3 * i + 1] * y[3 * i + 2];
    }
    const Pack size = c * c + s * s,
               inverse = pack_select(pack_less(pack_set(JOINT_SHORTEST), size), 1.0 / size, zero);
    for (int i = 0; i < 3; ++i) {
        joint_clear(p), joint_clear(q);
        p[3 * i + 2] = one, q[3 * i] = -s, q[3 * i + 1] = c;
        joint_add_product(value * inverse, p, q, one, pack_sqrt(size), project, matrix);
    }
    for (int i = 0; i < 3; ++i) {
        const Pack *at = y + 3 * i;
        p[3 * i] = c * at[2], p[3 * i + 1] = s * at[2], p[3 * i + 2] = c * at[0] + s * at[1];
        q[3 * i] = -s * at[2], q[3 * i + 1] = c * at[2], q[3 * i + 2] = c * at[1] - s * at[0];
    }
    joint_add_product(-value * inverse * inverse, p, q, joint_norm(p), joint_norm(q), project, matrix);
}

// Out of their plane, with p = (n/|y_0|, n/|y_1|) and q = (n/|y_0|, -n/|y_1|): -tan(theta/2)/2 p p^T + cot(theta/2)/2 q q^T; in it each
// vector turns its own direction: -(u m^T + m u^T)/|y|^2. Stretched out, with theta at its end, e cot and e tan keep a limit.
LANES_OUTLINE void joint_angle_curvature(const JointPlane *plane, int part, Pack value, bool project,
                                         Pack matrix[81])
{
    const Pack zero = pack_set(0.0), one = pack_set(1.0), least = pack_set(JOINT_PARALLEL);
    Pack sine, cosine, over[2], u[2][3], away[2][3], normal[3], p[9], q[9];
    packs_load(&plane->sine, part, 1, &sine), packs_load(&plane->cosine, part, 1, &cosine);
    packs_load(plane->inverse_length, part, 2, over), packs_load(plane->normal, part, 3, normal);
    for (int j = 0; j < 2; ++j)
        packs_load(plane->along[j], part, 3, u[j]), packs_load(plane->away[j], part, 3, away[j]);
    joint_clear(p), joint_clear(q);
    for (int i = 0; i < 3; ++i) {
        p[3 * i] = q[3 * i] = normal[i] * over[0];
        p[3 * i + 1] = normal[i] * over[1], q[3 * i + 1] = -p[3 * i + 1];
    }
    const PackMask is_plane = pack_less(least, sine), is_small = pack_less(pack_abs(value), 4.0 * least);
    const PackMask is_stretched = pack_less(cosine, zero);
    const Pack limit = pack_select(is_small, one, zero);
    Pack of_p = pack_select(is_plane, value * (cosine - 1.0) / (2.0 * sine),
                            pack_select(is_stretched, limit, zero)),
         of_q = pack_select(is_plane, value * (cosine + 1.0) / (2.0 * sine),
                            pack_select(is_stretched, zero, limit));
    if (project)
        of_p = pack_max(of_p, zero), of_q = pack_max(of_q, zero);
    for (int k = 0; k < 9; ++k)
        for (int l = 0; l < 9; ++l)
            matrix[9 * k + l] += of_p * (p[k] * p[l]) + of_q * (q[k] * q[l]);
    for (int j = 0; j < 2; ++j) {
        joint_clear(p), joint_clear(q);
        for (int i = 0; i < 3; ++i)
            p[3 * i + j] = u[j][i], q[3 * i + j] = away[j][i];
        joint_add_product(-value * over[j] * over[j], p, q, one, one, project, matrix);
    }
}

LANES_INLINE void joint_hessian(const ElementMaterial *material, const JointLocal *local, int part,
                                const Pack G[33], Pack volume, bool project, Pack K[78][9])
{
    JointValues values;
    joint_values(material, local, &values);
    Pack value[2], slope[2][9], y[9], matrix[81];
    packs_load(values.value, part, 2, value), packs_load(local->f, part, 9, y);
    for (int r = 0; r < 2; ++r)
        packs_load(values.slope[r], part, 9, slope[r]);
    const Pack counts = violation_counts(material->energy_model, value[0]);
    for (int k = 0; k < 9; ++k)
        for (int l = 0; l < 9; ++l)
            matrix[9 * k + l] = counts * (slope[0][k] * slope[0][l]) + slope[1][k] * slope[1][l];
    if (material->energy_model == JOINT_AXIS)
        joint_axis_curvature(value, project, matrix);
    else if (material->energy_model < JOINT_ANGLE)
        joint_turn_curvature(y, value[0], project, matrix);
    else {
        JointPlane plane;
        joint_plane(local, &plane);
        joint_angle_curvature(&plane, part, value[0], project, matrix);
    }
    for (int k = 0; k < 81; ++k)
        matrix[k] *= material->kappa;
    column_blocks(matrix, G, 12, 3, volume, K);
}

#endif
