/// Bending of a cable at an inner vertex (theory.md section 3, "Cable bending"). Corner 0 is the vertex, 1 the one before, 2 the one
/// after; the columns of D x are the two edges e = (x_0 - x_1)/lbar and e' = (x_2 - x_0)/lbar, and psi = kappa/2 |kb|^2, kappa in Pa,
/// kb = 2 e x e'/(|e||e'| + e.e'): psi = 2 kappa t^2, t the tangent of half the angle theta between the edges. With the volume
/// w = I/lbar that is EI/(2 lbar) |kb|^2.
///
/// With the edges' directions u and v, d = v - u and s = u + v are at right angles, |d| = 2 sin(theta/2), |s| = 2 cos(theta/2):
/// neither small nor nearly folded angles lose digits. Twin: shaders/common/physics/element/bend.glsl.
#ifndef PHYSICS_ELEMENT_BEND_H
#define PHYSICS_ELEMENT_BEND_H

#include "base/lanes.h"
#include "physics/element/material.h"

/// An edge this short has no direction, and the vertex no angle: it does nothing then. Of lbar.
#define BEND_SHORTEST 1e-12
/// |s|^2 of a cable that is folded back to rounding: psi stays finite, 1e33 kappa.
#define BEND_FOLDED 0x1p-106
/// |u x v|^2 from which on the edges' plane is known. Below it any will do: psi'' is the same in all, but for 1e-13.
#define BEND_PLANE_SQ 1e-26
/// Instead of a division by 0.
#define BEND_TINY 1e-150
#define BEND_PROX_STEP 1e-10

typedef struct BendLocal {
    Lanes length[2], inverse[2]; ///< |e|, |e'|, and one over them, or 0 where there is no angle
    Lanes u[3], v[3];            ///< e, e' = length times these
    Lanes difference[3], sum[3]; ///< d, s
    Lanes tangent_sq;            ///< t^2
} BendLocal;

LANES_INLINE Lanes bend_dot(const Lanes a[3], const Lanes b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

LANES_INLINE void bend_decompose(int count, const Lanes (*f)[6], BendLocal *local)
{
    const Lanes zero = lanes_set(0), one = lanes_set(1), shortest = lanes_set(BEND_SHORTEST);
    for (int n = 0; n < count; ++n) {
        Lanes e[2][3];
        for (int i = 0; i < 3; ++i)
            e[0][i] = f[n][2 * i], e[1][i] = f[n][2 * i + 1];
        const Lanes a = lanes_sqrt(bend_dot(e[0], e[0])), b = lanes_sqrt(bend_dot(e[1], e[1]));
        const LaneMask bent = lanes_less(shortest, a) & lanes_less(shortest, b);
        local[n].length[0] = a, local[n].length[1] = b;
        local[n].inverse[0] = lanes_select(bent, one / a, zero);
        local[n].inverse[1] = lanes_select(bent, one / b, zero);
        for (int i = 0; i < 3; ++i) {
            local[n].u[i] = e[0][i] * local[n].inverse[0];
            local[n].v[i] = e[1][i] * local[n].inverse[1];
            local[n].difference[i] = local[n].v[i] - local[n].u[i];
            local[n].sum[i] = local[n].u[i] + local[n].v[i];
        }
        local[n].tangent_sq = bend_dot(local[n].difference, local[n].difference) /
                              lanes_max(bend_dot(local[n].sum, local[n].sum), lanes_set(BEND_FOLDED));
    }
}

LANES_INLINE Lanes bend_density(const ElementMaterial *material, const BendLocal *local)
{
    return 2.0 * material->kappa * local->tangent_sq;
}

/// The moment dpsi/dtheta = 2 kappa t (1 + t^2) turns either edge in their plane: P = kappa (1 + t^2) (-(d + t^2 s)/|e|,
/// (d - t^2 s)/|e'|).
LANES_INLINE void bend_stress(const ElementMaterial *material, const BendLocal *local, Lanes p[6])
{
    const Lanes factor = material->kappa * (1.0 + local->tangent_sq);
    for (int i = 0; i < 3; ++i) {
        const Lanes d = local->difference[i], s = local->tangent_sq * local->sum[i];
        p[2 * i] = factor * local->inverse[0] * (-d - s);
        p[2 * i + 1] = factor * local->inverse[1] * (d - s);
    }
}

/// A rounding of the edges turns each by as much: |P| |F| is twice the moment.
LANES_INLINE void bend_slope(const ElementMaterial *material, const BendLocal *local, const Lanes D[6],
                             Lanes *slope, Lanes *magnitude)
{
    Lanes p[6];
    bend_stress(material, local, p);
    *slope = lanes_set(0);
    for (int k = 0; k < 6; ++k)
        *slope += p[k] * D[k];
    *magnitude = 4.0 * material->kappa * lanes_sqrt(local->tangent_sq) * (1.0 + local->tangent_sq);
}

/// Twice the largest second derivative at rest, Pa: it grows with the angle. Over cables bent by 0.1 to 1.5 rad at every vertex ADMM
/// takes 0.7 times the iterations that it takes with once as much, though 1.2 times at 0.1 rad and 1e7 Pa.
static inline double bend_stiffness(const ElementMaterial *material)
{
    return 4 * material->kappa;
}

// ---------------------------------------------------------------- prox

enum { BEND_PROX_MAX_ITERATIONS = 60 };

/// How far the edges turn towards each other in argmin w psi(Z) + rho/2 |Z - F|^2: tan(delta/2), delta = alpha + beta their two
/// angles; 1 (delta = pi/2) where it is cheaper to give up an edge.
///
/// Z lies in the plane of the edges, and an edge that turns by alpha keeps its component along the new direction, which costs
/// rho/2 |e|^2 sin^2 alpha. For a given delta the cheapest alpha and beta cost rho/2 times the smaller eigenvalue of the sum of e e^T
/// and e' e'^T at the angle delta, with the derivative R = A B sin(2 delta)/N, A = |e|^2, B = |e'|^2,
/// N^2 = (A - B)^2 + 4 A B cos^2 delta. Left is one equation, w kappa 4 t (1 + t^2) = rho R(delta), t = tan((theta - delta)/2). T =
/// t (1 + t^2) is convex and R concave in delta, so up to theta = pi/2 it has one root; beyond, two or none, and the smaller delta
/// is the minimum that F is pulled to. With the ratio r = t/tan(delta/2), log T - log R is nearly a straight line in log r, and r
/// is at most r_0 = rho A B/(w kappa (A + B)), where R = R'(0) delta: Newton's method from there, between bounds.
LANES_INLINE Pack bend_turn_pack(Pack A, Pack B, Pack d, Pack s, Pack r0)
{
    const Pack one = pack_set(1.0), zero = pack_set(0.0), half = pack_set(0.5);
    // delta = pi/2 at the smallest ratio there is
    const Pack least = pack_max((d - s) / (d + s), r0 * 1e-26);
    const PackMask possible = pack_less(least, r0);
    Pack low = pack_log(pack_select(possible, least / r0, half)), high = zero, y = zero, error = one;
    PackMask active = possible;
    for (int iteration = 0; iteration < BEND_PROX_MAX_ITERATIONS && pack_any(active); ++iteration) {
        const Pack share = pack_exp(y), r = r0 * share, q = (r + 1.0) * s;
        const Pack turn = 2.0 * d / (q + pack_sqrt(q * q + 4.0 * r * d * d)), t = r * turn;
        const Pack t_sq = t * t, turn_sq = turn * turn, rest = 1.0 - turn_sq, full = 1.0 + turn_sq;
        const Pack cosine = rest / full, sine = 2.0 * turn / full;
        const Pack n_sq = (A - B) * (A - B) + 4.0 * A * B * cosine * cosine;
        const Pack ratio = share * ((1.0 + t_sq) * pack_sqrt(n_sq) * full * full / ((A + B) * rest)); // T/R
        // Derivatives by delta: -T'/T and R'/R, times 2 t turn
        const Pack fall = turn * (1.0 + 3.0 * t_sq);
        const Pack rise = t * rest - 4.0 * t * turn_sq / rest + 8.0 * t * turn * A * B * sine * cosine / n_sq;
        const Pack value = pack_log(ratio), slope = (fall + rise) / (turn * (1.0 + t_sq) + t * full);
        // T - R is convex: it falls to the root that is sought, and where it rises that one has been passed.
        const PackMask falls = pack_less(zero, ratio * fall + rise) & pack_less(zero, rest),
                       above = falls & pack_less_equal(one, ratio),
                       good = falls & pack_less(pack_set(0.1), slope);
        high = pack_select(active & above, y, high);
        low = pack_select(active & ~above, y, low);
        const Pack newton = y - value / slope;
        const PackMask inside = good & pack_less_equal(low, newton) & pack_less_equal(newton, high);
        const Pack next = pack_select(inside, newton, half * (low + high)), step = pack_abs(next - y);
        error = pack_select(active, pack_select(falls, pack_abs(value), one), error);
        y = pack_select(active, next, y);
        active &= pack_less(pack_set(BEND_PROX_STEP), step); // Newton's error is about its square
    }
    // Up to pi/2 there is a root, whatever the rounding.
    const PackMask found = possible & (pack_less(error, pack_set(1e-6)) | pack_less_equal(d, s));
    const Pack r = r0 * pack_exp(y), q = (r + 1.0) * s;
    return pack_select(found, 2.0 * d / (q + pack_sqrt(q * q + 4.0 * r * d * d)), one);
}

/// Where delta = pi/2 the shorter edge becomes 0 and the longer one stays: the limit of any angle at no cost.
LANES_INLINE void bend_prox(const ElementMaterial *material, const BendLocal *local, Lanes volume, Lanes rho,
                            Lanes z[6])
{
    const Pack zero = pack_set(0.0), one = pack_set(1.0), tiny = pack_set(BEND_TINY);
    for (int part = 0; part < PACKS_PER_LANES; ++part) {
        Pack length[2], inverse[2], u[3], v[3], d[3], s[3], stiffness, weight, result[6];
        packs_load(local->length, part, 2, length), packs_load(local->inverse, part, 2, inverse);
        packs_load(local->u, part, 3, u), packs_load(local->v, part, 3, v);
        packs_load(local->difference, part, 3, d), packs_load(local->sum, part, 3, s);
        packs_load(&volume, part, 1, &stiffness), packs_load(&rho, part, 1, &weight);
        stiffness *= material->kappa;
        const PackMask bent = pack_less(zero, inverse[0]);
        const Pack a = pack_select(bent, length[0], one), b = pack_select(bent, length[1], one), A = a * a,
                   B = b * b;
        const Pack d_size = pack_max(pack_sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), tiny),
                   s_size = pack_sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
        const Pack r0 = weight * (A / (stiffness * (A + B))) * B;
        const Pack turn = bend_turn_pack(A, B, d_size, s_size, r0);

        // sin and cos of delta, of 2 alpha and of 2 beta
        const Pack full = 1.0 + turn * turn, cosine = (1.0 - turn) * (1.0 + turn) / full,
                   sine = 2.0 * turn / full;
        const Pack n = pack_sqrt((A - B) * (A - B) + 4.0 * A * B * cosine * cosine);
        const PackMask given_up = pack_less_equal(one, turn), first = pack_less_equal(A, B);
        const Pack scale = 1.0 / pack_select(given_up, one, n);
        const Pack sin_a = pack_select(given_up, zero, 2.0 * B * sine * cosine * scale),
                   sin_b = pack_select(given_up, zero, 2.0 * A * sine * cosine * scale);
        const Pack cos_a = pack_select(given_up, pack_select(first, -one, one),
                                       ((A - B) + 2.0 * B * cosine * cosine) * scale),
                   cos_b = pack_select(given_up, pack_select(first, one, -one),
                                       ((B - A) + 2.0 * A * cosine * cosine) * scale);
        // 2 cos^2 alpha = 1 + cos 2 alpha = sin^2 2 alpha/(1 - cos 2 alpha), whichever does not cancel
        const Pack keep_a = pack_select(pack_less(zero, cos_a), 1.0 + cos_a,
                                        sin_a * sin_a / (1.0 - pack_min(cos_a, zero))),
                   keep_b = pack_select(pack_less(zero, cos_b), 1.0 + cos_b,
                                        sin_b * sin_b / (1.0 - pack_min(cos_b, zero)));
        // e cos^2 alpha + |e| sin alpha cos alpha n, n in the plane and across e, towards e'
        for (int i = 0; i < 3; ++i) {
            const Pack along = 0.5 * d_size * (s[i] / pack_max(s_size, tiny)),
                       across = 0.5 * s_size * (d[i] / d_size);
            const Pack turned_u = 0.5 * (keep_a * u[i] + sin_a * (along + across)),
                       turned_v = 0.5 * (keep_b * v[i] + sin_b * (along - across));
            result[2 * i] = length[0] * turned_u;
            result[2 * i + 1] = length[1] * turned_v;
        }
        packs_store(result, part, 6, z);
    }
}

// ---------------------------------------------------------------- Hessian

/// d2psi/dF2 in the axes of the edges: along each (u, v), across it in their plane (z x u, v x z, towards the other one), and along
/// their normal z, each over the edge's length. hessian: of an edge with itself along-along, along-across, across-across, of the two
/// with each other the same, then normal-normal of one and of both; Pa.
///
/// With psi' = 2 kappa t (1 + t^2) and psi'' = kappa (1 + 3 t^2)(1 + t^2) by theta, which falls by the sum of the two turns: psi'' on
/// that sum, psi' on along-across of each edge, and kappa (1 - t^4), -kappa (1 + t^2)^2 on the normals. On the sum and the difference
/// of the edges' axes these are [0 psi'; psi' 2 psi''], [0 psi'; psi' 0], -2 kappa t^2 (1 + t^2) and 2 kappa (1 + t^2): projected
/// leaves out the negative eigenvalue of each. That makes the matrix positive semidefinite, and is its projection where the edges
/// are equally long.
LANES_INLINE void bend_axes_hessian_pack(Pack tangent_sq, bool project, Pack hessian[8])
{
    const Pack zero = pack_set(0.0), full = 1.0 + tangent_sq, t = pack_sqrt(tangent_sq);
    const Pack moment = 2.0 * t * full, second = (1.0 + 3.0 * tangent_sq) * full;
    hessian[0] = hessian[3] = hessian[4] = zero;
    hessian[1] = moment, hessian[2] = hessian[5] = second;
    hessian[6] = full * (1.0 - tangent_sq), hessian[7] = -full * full;
    if (!project)
        return;
    // The eigenvalue of the sum is largest, its eigenvector (ratio, 1).
    const Pack largest = second + pack_sqrt(second * second + moment * moment), ratio = moment / largest;
    const Pack weight = 0.5 * largest / (1.0 + ratio * ratio), other = 0.25 * moment;
    const Pack sum[3] = {weight * ratio * ratio, weight * ratio, weight};
    for (int k = 0; k < 3; ++k) {
        hessian[k] = sum[k] + other;
        hessian[3 + k] = sum[k] - other;
    }
    hessian[6] = full, hessian[7] = -full;
}

/// A unit vector across u: along u x v, where the two are as good as parallel across u anyhow. 0 without an angle.
LANES_INLINE void bend_normal_pack(const Pack u[3], const Pack d[3], const Pack s[3], Pack z[3])
{
    const Pack zero = pack_set(0.0), one = pack_set(1.0);
    const PackMask ahead =
        pack_less_equal(d[0] * d[0] + d[1] * d[1] + d[2] * d[2], s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    Pack w[3];
    for (int i = 0; i < 3; ++i)
        w[i] = pack_select(ahead, d[i], s[i]); // u x d = u x s = u x v, without what cancels
    const Pack across[3] = {u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]};
    const Pack size_sq = across[0] * across[0] + across[1] * across[1] + across[2] * across[2];
    const PackMask plane = pack_less(pack_set(BEND_PLANE_SQ), size_sq);
    // u x the axis of its smallest component
    const Pack size[3] = {pack_abs(u[0]), pack_abs(u[1]), pack_abs(u[2])};
    const PackMask first = pack_less_equal(size[0], size[1]) & pack_less_equal(size[0], size[2]),
                   second = ~first & pack_less_equal(size[1], size[2]), third = ~(first | second);
    const Pack axis[3] = {pack_select(first, one, zero), pack_select(second, one, zero),
                          pack_select(third, one, zero)};
    const Pack any[3] = {u[1] * axis[2] - u[2] * axis[1], u[2] * axis[0] - u[0] * axis[2],
                         u[0] * axis[1] - u[1] * axis[0]};
    const Pack any_sq = any[0] * any[0] + any[1] * any[1] + any[2] * any[2];
    const Pack scale =
        one / pack_sqrt(pack_select(plane, size_sq, pack_select(pack_less(zero, any_sq), any_sq, one)));
    for (int i = 0; i < 3; ++i)
        z[i] = pack_select(plane, across[i], any[i]) * scale;
}

/// Blocks of the pairs 00 11 22 01 02 12.
LANES_INLINE void bend_hessian(const ElementMaterial *material, const BendLocal *local, int part,
                               const Pack G[4], Pack volume, bool project, Pack K[6][9])
{
    Pack axes[2][3][3], inverse[2], d[3], s[3], tangent_sq, hessian[8], H[3][9];
    packs_load(local->u, part, 3, axes[0][0]), packs_load(local->v, part, 3, axes[1][0]);
    packs_load(local->difference, part, 3, d), packs_load(local->sum, part, 3, s);
    packs_load(local->inverse, part, 2, inverse), packs_load(&local->tangent_sq, part, 1, &tangent_sq);
    bend_axes_hessian_pack(tangent_sq, project, hessian);
    Pack *u = axes[0][0], *v = axes[1][0], *z = axes[0][2];
    bend_normal_pack(u, d, s, z);
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        axes[0][1][i] = z[j] * u[k] - z[k] * u[j];
        axes[1][1][i] = v[j] * z[k] - v[k] * z[j];
        axes[1][2][i] = z[i];
    }
    for (int a = 0; a < 2; ++a)
        for (int m = 0; m < 3; ++m)
            for (int i = 0; i < 3; ++i)
                axes[a][m][i] *= inverse[a];
    // H[0], H[1]: of the edges with themselves, H[2]: of the first with the second
    for (int pair = 0; pair < 3; ++pair) {
        const Pack(*left)[3] = (const Pack(*)[3])axes[pair == 1],
              (*right)[3] = (const Pack(*)[3])axes[pair != 0];
        const Pack *h = hessian + (pair == 2 ? 3 : 0), normal = hessian[pair == 2 ? 7 : 6];
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k)
                H[pair][3 * i + k] = volume * material->kappa *
                                     (h[0] * left[0][i] * right[0][k] +
                                      h[1] * (left[0][i] * right[1][k] + left[1][i] * right[0][k]) +
                                      h[2] * left[1][i] * right[1][k] + normal * left[2][i] * right[2][k]);
    }
    const Pack g[3][2] = {{-(G[0] + G[2]), -(G[1] + G[3])}, {G[0], G[1]}, {G[2], G[3]}};
    static const int rows[6] = {0, 1, 2, 0, 0, 1}, columns[6] = {0, 1, 2, 1, 2, 2};
    for (int pair = 0; pair < 6; ++pair) {
        const Pack *x = g[rows[pair]], *y = g[columns[pair]];
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k)
                K[pair][3 * i + k] = x[0] * y[0] * H[0][3 * i + k] + x[1] * y[1] * H[1][3 * i + k] +
                                     x[0] * y[1] * H[2][3 * i + k] + x[1] * y[0] * H[2][3 * k + i];
    }
}

/// The mean stretch of the two edges.
LANES_INLINE Lanes bend_stretch(const BendLocal *local)
{
    return 0.5 * (local->length[0] + local->length[1]);
}

#endif
