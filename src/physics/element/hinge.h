/// Bending at an inner edge of a shell, "discrete shells" (theory.md section 3): the angle theta by which the two triangles are folded.
/// Corners 0, 1 are the edge, 2 and 3 the opposite corners; the columns of D x are e_0 = x_1 - x_0, e_1 = x_2 - x_0, e_2 = x_3 - x_0, each
/// times a number (G_a has nothing but column a), and psi = kappa/2 (theta - rest)^2, kappa in Pa. theta depends on directions
/// only, so with the volume w = t^3 |e|^2/(12 A), A the area of both triangles, and kappa = E/(1 - nu^2) that is
/// k_b (3 |e|^2/A) (theta - rest)^2 with k_b = E t^3/(72 (1 - nu^2)).
///
/// With the edge's direction e and length L, q_a the part of the edge at which the height r_a rho_a of wing a stands, and
/// t_a = e x rho_a: theta = phi_2 - phi_1 - pi, and by u_a = de_a - q_a de_0
///
///     dphi_a = t_a.u_a/r_a
///     d2phi_a = -2 (rho_a.u_a)(t_a.u_a)/r_a^2 - 2 (e.u_a)(t_a.de_0)/(L r_a) - (t_a.de_0)(rho_a.de_0)/L^2
///
/// Twin: shaders/common/physics/element/hinge.glsl.
#ifndef PHYSICS_ELEMENT_HINGE_H
#define PHYSICS_ELEMENT_HINGE_H

#include "base/lanes.h"
#include "physics/element/material.h"

/// A height this short, over the edge, has no direction, and the hinge no angle: it does nothing then.
#define HINGE_SHORTEST 1e-12

typedef struct HingeLocal {
    Lanes rest;                      ///< theta at rest; not from D x
    Lanes angle;                     ///< theta
    Lanes axis[3], inverse_length;   ///< e, 1/L
    Lanes height[2][3], turn[2][3];  ///< rho_a, t_a
    Lanes foot[2], inverse_reach[2]; ///< q_a, 1/r_a; all inverses 0 where there is no angle
} HingeLocal;

LANES_INLINE Lanes hinge_dot(const Lanes a[3], const Lanes b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

LANES_INLINE void hinge_cross(const Lanes a[3], const Lanes b[3], Lanes out[3])
{
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = a[j] * b[k] - a[k] * b[j];
    }
}

LANES_INLINE void hinge_decompose(int count, const Lanes (*f)[9], HingeLocal *local)
{
    const Lanes zero = lanes_set(0), one = lanes_set(1);
    for (int n = 0; n < count; ++n) {
        HingeLocal *to = &local[n];
        Lanes edge[3], reach[2], across[3];
        for (int i = 0; i < 3; ++i)
            edge[i] = f[n][3 * i];
        const Lanes length = lanes_sqrt(hinge_dot(edge, edge));
        LaneMask folds = lanes_less(zero, length);
        to->inverse_length = lanes_select(folds, one / length, zero);
        for (int i = 0; i < 3; ++i)
            to->axis[i] = edge[i] * to->inverse_length;
        for (int a = 0; a < 2; ++a) {
            Lanes wing[3];
            for (int i = 0; i < 3; ++i)
                wing[i] = f[n][3 * i + 1 + a];
            const Lanes along = hinge_dot(wing, to->axis);
            for (int i = 0; i < 3; ++i)
                to->height[a][i] = wing[i] - along * to->axis[i];
            to->foot[a] = along * to->inverse_length;
            reach[a] = lanes_sqrt(hinge_dot(to->height[a], to->height[a]));
            folds &= lanes_less(HINGE_SHORTEST * length, reach[a]);
        }
        to->inverse_length = lanes_select(folds, to->inverse_length, zero);
        for (int a = 0; a < 2; ++a) {
            to->inverse_reach[a] = lanes_select(folds, one / reach[a], zero);
            to->foot[a] = lanes_select(folds, to->foot[a], zero);
            for (int i = 0; i < 3; ++i)
                to->height[a][i] *= to->inverse_reach[a];
            hinge_cross(to->axis, to->height[a], to->turn[a]);
        }
        hinge_cross(to->height[0], to->height[1], across);
        to->angle = lanes_atan2(-hinge_dot(to->axis, across), -hinge_dot(to->turn[0], to->turn[1]));
        to->rest = zero;
    }
}

// theta - rest, 0 where there is no angle.
LANES_INLINE Lanes hinge_fold(const HingeLocal *local)
{
    const Lanes zero = lanes_set(0);
    return lanes_select(lanes_less(zero, local->inverse_length), local->angle - local->rest, zero);
}

LANES_INLINE Lanes hinge_density(const ElementMaterial *material, const HingeLocal *local)
{
    const Lanes fold = hinge_fold(local);
    return 0.5 * material->kappa * fold * fold;
}

// dtheta/dF
LANES_INLINE void hinge_gradient(const HingeLocal *local, Lanes gradient[9])
{
    for (int i = 0; i < 3; ++i) {
        const Lanes first = local->turn[0][i] * local->inverse_reach[0],
                    second = local->turn[1][i] * local->inverse_reach[1];
        gradient[3 * i] = local->foot[0] * first - local->foot[1] * second;
        gradient[3 * i + 1] = -first;
        gradient[3 * i + 2] = second;
    }
}

LANES_INLINE void hinge_stress(const ElementMaterial *material, const HingeLocal *local, Lanes p[9])
{
    const Lanes moment = material->kappa * hinge_fold(local);
    hinge_gradient(local, p);
    for (int k = 0; k < 9; ++k)
        p[k] *= moment;
}

/// The angle is good to some roundings, times how much longer the wings are than high.
LANES_INLINE void hinge_slope(const ElementMaterial *material, const HingeLocal *local, const Lanes D[9],
                              Lanes *slope, Lanes *magnitude)
{
    Lanes gradient[9], along = lanes_set(0);
    hinge_gradient(local, gradient);
    for (int k = 0; k < 9; ++k)
        along += gradient[k] * D[k];
    const Lanes moment = material->kappa * hinge_fold(local);
    *slope = moment * along;
    *magnitude = lanes_abs(moment) * (4.0 + lanes_abs(local->foot[0]) + lanes_abs(local->foot[1]));
}

/// Of the order of the second derivative at rest with wings as high as the edge is long, Pa. ADMM takes no hinges.
static inline double hinge_stiffness(const ElementMaterial *material)
{
    return 4 * material->kappa;
}

/// 0: the scene reader refuses hinges with ADMM, for they have no prox in closed form.
LANES_INLINE void hinge_prox(const ElementMaterial *material, const HingeLocal *local, Lanes volume,
                             Lanes rho, Lanes z[9])
{
    (void)material, (void)local, (void)volume, (void)rho;
    for (int k = 0; k < 9; ++k)
        z[k] = lanes_set(0);
}

/// A hinge stretches nothing.
LANES_INLINE Lanes hinge_stretch(const HingeLocal *local)
{
    (void)local;
    return lanes_set(1);
}

// ---------------------------------------------------------------- Hessian

/// What the second derivatives of theta have, times kappa (theta - rest): c (p w^T + w p^T) with p and w at right angles, of two
/// eigenvalues +-c |p| |w|. Projected, the negative one becomes 0: c/2 of the same, and |c|/2 (|w|/|p| p p^T + |p|/|w| w w^T). So the
/// sum is not less than the true matrix, and what it adds goes to 0 with the fold.
LANES_INLINE void hinge_hessian(const ElementMaterial *material, const HingeLocal *local, int part,
                                const Pack G[9], Pack volume, bool project, Pack K[10][9])
{
    static const int first[10] = {0, 1, 2, 3, 0, 0, 0, 1, 1, 2}, second[10] = {0, 1, 2, 3, 1, 2, 3, 2, 3, 3};
    const Lanes folds = hinge_fold(local);
    Pack e[3], rho[2][3], t[2][3], q[2], reach[2], over, fold;
    packs_load(local->axis, part, 3, e), packs_load(local->foot, part, 2, q);
    packs_load(local->inverse_reach, part, 2, reach), packs_load(&local->inverse_length, part, 1, &over);
    packs_load(&folds, part, 1, &fold);
    for (int a = 0; a < 2; ++a)
        packs_load(local->height[a], part, 3, rho[a]), packs_load(local->turn[a], part, 3, t[a]);
    const Pack kappa = volume * material->kappa, moment = kappa * fold, zero = pack_set(0.0);
    const double kept = project ? 0.5 : 1, added = project ? 0.5 : 0;
    for (int pair = 0; pair < 10; ++pair) {
        Pack x[3], y[3]; // how corners move e_0, e_1, e_2
        for (int k = 0; k < 3; ++k) {
            x[k] = first[pair] == 0 ? -G[4 * k] : first[pair] == k + 1 ? G[4 * k] : zero;
            y[k] = second[pair] == 0 ? -G[4 * k] : second[pair] == k + 1 ? G[4 * k] : zero;
        }
        Pack alpha[2], beta[2], along[3], other[3];
        for (int a = 0; a < 2; ++a)
            alpha[a] = x[1 + a] - q[a] * x[0], beta[a] = y[1 + a] - q[a] * y[0];
        for (int i = 0; i < 3; ++i) {
            along[i] = t[1][i] * (alpha[1] * reach[1]) - t[0][i] * (alpha[0] * reach[0]);
            other[i] = t[1][i] * (beta[1] * reach[1]) - t[0][i] * (beta[0] * reach[0]);
        }
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k)
                K[pair][3 * i + k] = kappa * along[i] * other[k];
        for (int a = 0; a < 2; ++a) {
            const Pack sign = (a == 0 ? 1.0 : -1.0) * moment, both = alpha[a] * beta[a], root = x[0] * y[0];
            const Pack size = pack_sqrt(1.0 + q[a] * q[a]);
            const Pack c0 = sign * reach[a] * reach[a], c1 = sign * over * reach[a],
                       c2 = 0.5 * sign * over * over;
            const Pack crossed = kept * (both * c0 + root * c2),
                       straight = added * (both * pack_abs(c0) + root * pack_abs(c2));
            const Pack axial = added * both * pack_abs(c1) / size,
                       turned = added * root * pack_abs(c1) * size, left = kept * alpha[a] * y[0] * c1,
                       right = kept * x[0] * beta[a] * c1;
            for (int i = 0; i < 3; ++i)
                for (int k = 0; k < 3; ++k)
                    K[pair][3 * i + k] += crossed * (rho[a][i] * t[a][k] + t[a][i] * rho[a][k]) +
                                          straight * (rho[a][i] * rho[a][k] + t[a][i] * t[a][k]) +
                                          axial * e[i] * e[k] + turned * t[a][i] * t[a][k] +
                                          left * e[i] * t[a][k] + right * t[a][i] * e[k];
        }
    }
}

#endif
