// Bending of a cable at an inner vertex; twin of src/physics/element/bend.h, where the formulas are explained. kappa is times the
// volume here, J.
#ifndef COMMON_PHYSICS_ELEMENT_BEND_GLSL
#define COMMON_PHYSICS_ELEMENT_BEND_GLSL

#include "common/real_math.glsl"

#define ELEMENT_CORNERS 3
#define ELEMENT_COLUMNS 2
#define ELEMENT_CAN_INVERT 0
#define ELEMENT_EXACT 0
#define ELEMENT_HESSIAN 8 ///< numbers of element_axes_hessian
#define ELEMENT_AXES 15 ///< u and v over the edges' lengths, the normal, one over the lengths, G_1, G_2
#define ELEMENT_DATA BEND_DATA

#define BEND_SHORTEST real(1e-12)
#define BEND_PROX_MAX_ITERATIONS 60
#ifdef VELA_F64
#define BEND_FOLDED 1.232595164407831e-32lf ///< 2^-106
#define BEND_PLANE_SQ 1e-26lf
#define BEND_TINY 1e-150lf
#define BEND_PROX_STEP 1e-10lf
#else
#define BEND_FOLDED 3.5527136788005009e-15 ///< 2^-48
#define BEND_PLANE_SQ 1e-13
#define BEND_TINY 1e-18
#define BEND_PROX_STEP 1e-5
#endif

struct ElementLocal {
    real a, b; ///< |e|, |e'|
    real inverse_a, inverse_b; ///< one over them, or 0 where there is no angle
    real3 u, v, difference, sum;
    real tangent_sq;
};

void element_decompose(real f[6], out ElementLocal local)
{
    const real3 e = real3(f[0], f[2], f[4]), g = real3(f[1], f[3], f[5]);
    local.a = length(e);
    local.b = length(g);
    const bool bent = local.a > BEND_SHORTEST && local.b > BEND_SHORTEST;
    local.inverse_a = bent ? real(1.0) / local.a : real(0.0);
    local.inverse_b = bent ? real(1.0) / local.b : real(0.0);
    local.u = e * local.inverse_a;
    local.v = g * local.inverse_b;
    local.difference = local.v - local.u;
    local.sum = local.u + local.v;
    local.tangent_sq = dot(local.difference, local.difference) / max(dot(local.sum, local.sum), BEND_FOLDED);
}

real element_energy(ElementMaterial material, ElementLocal local)
{
    return real(2.0) * material.kappa * local.tangent_sq;
}

void element_stress(ElementMaterial material, ElementLocal local, out real p[6])
{
    const real factor = material.kappa * (real(1.0) + local.tangent_sq);
    const real3 s = local.tangent_sq * local.sum;
    const real3 first = factor * local.inverse_a * (-local.difference - s),
                second = factor * local.inverse_b * (local.difference - s);
    for (int i = 0; i < 3; ++i) {
        p[2 * i] = first[i];
        p[2 * i + 1] = second[i];
    }
}

void element_slope(ElementMaterial material, ElementLocal local, real change[6], out real slope, out real magnitude)
{
    real p[6];
    element_stress(material, local, p);
    slope = real(0.0);
    for (int k = 0; k < 6; ++k)
        slope += p[k] * change[k];
    magnitude = real(4.0) * material.kappa * sqrt(local.tangent_sq) * (real(1.0) + local.tangent_sq);
}

// ---------------------------------------------------------------- prox

/// tan(delta/2), delta by how much the edges turn towards each other; 1 where one of them is given up. A, B: squares of the edges'
/// lengths; d, s: |v - u| and |u + v|; r0: rho A B/(w kappa (A + B)).
real element_turn(real A, real B, real d, real s, real r0)
{
    const real least = max((d - s) / (d + s), r0 * real(1e-26));
    if (!(least < r0))
        return real(1.0);
    real low = real_log(least / r0), high = real(0.0), y = real(0.0), error = real(1.0), next = y;
    for (int iteration = 0; iteration < BEND_PROX_MAX_ITERATIONS; ++iteration) {
        const real share = real_exp(y), r = r0 * share, q = (r + real(1.0)) * s;
        const real turn = real(2.0) * d / (q + sqrt(q * q + real(4.0) * r * d * d)), t = r * turn;
        const real t_sq = t * t, turn_sq = turn * turn, rest = real(1.0) - turn_sq, full = real(1.0) + turn_sq;
        const real cosine = rest / full, sine = real(2.0) * turn / full;
        const real n_sq = (A - B) * (A - B) + real(4.0) * A * B * cosine * cosine;
        const real ratio = share * ((real(1.0) + t_sq) * sqrt(n_sq) * full * full / ((A + B) * rest)); // T/R
        // Derivatives by delta: -T'/T and R'/R, times 2 t turn
        const real fall = turn * (real(1.0) + real(3.0) * t_sq);
        const real rise = t * rest - real(4.0) * t * turn_sq / rest + real(8.0) * t * turn * A * B * sine * cosine / n_sq;
        const real value = real_log(ratio), slope = (fall + rise) / (turn * (real(1.0) + t_sq) + t * full);
        const bool falls = ratio * fall + rise > real(0.0) && rest > real(0.0);
        if (falls && ratio >= real(1.0))
            high = y;
        else
            low = y;
        next = y - value / slope;
        if (!(falls && slope > real(0.1) && next >= low && next <= high))
            next = real(0.5) * (low + high);
        error = falls ? abs(value) : real(1.0);
        const real step = abs(next - y);
        y = next;
        if (!(step > BEND_PROX_STEP))
            break;
    }
    if (!(error < real(100.0) * BEND_PROX_STEP || d <= s))
        return real(1.0);
    const real r = r0 * real_exp(y), q = (r + real(1.0)) * s;
    return real(2.0) * d / (q + sqrt(q * q + real(4.0) * r * d * d));
}

void element_prox(ElementMaterial material, ElementLocal local, real rho, out real z[6])
{
    const bool bent = local.inverse_a > real(0.0);
    const real a = bent ? local.a : real(1.0), b = bent ? local.b : real(1.0), A = a * a, B = b * b;
    const real d_size = max(length(local.difference), BEND_TINY), s_size = length(local.sum);
    const real r0 = rho * (A / (material.kappa * (A + B))) * B;
    const real turn = element_turn(A, B, d_size, s_size, r0);

    // sin and cos of delta, of 2 alpha and of 2 beta
    const real full = real(1.0) + turn * turn, cosine = (real(1.0) - turn) * (real(1.0) + turn) / full,
               sine = real(2.0) * turn / full;
    real sin_a = real(0.0), sin_b = real(0.0), cos_a = A <= B ? real(-1.0) : real(1.0), cos_b = -cos_a;
    if (turn < real(1.0)) {
        const real scale = real(1.0) / sqrt((A - B) * (A - B) + real(4.0) * A * B * cosine * cosine);
        sin_a = real(2.0) * B * sine * cosine * scale;
        sin_b = real(2.0) * A * sine * cosine * scale;
        cos_a = ((A - B) + real(2.0) * B * cosine * cosine) * scale;
        cos_b = ((B - A) + real(2.0) * A * cosine * cosine) * scale;
    }
    const real keep_a = cos_a > real(0.0) ? real(1.0) + cos_a : sin_a * sin_a / (real(1.0) - cos_a),
               keep_b = cos_b > real(0.0) ? real(1.0) + cos_b : sin_b * sin_b / (real(1.0) - cos_b);
    const real3 along = real(0.5) * d_size / max(s_size, BEND_TINY) * local.sum,
                across = real(0.5) * s_size / d_size * local.difference;
    const real3 first = real(0.5) * local.a * (keep_a * local.u + sin_a * (along + across)),
                second = real(0.5) * local.b * (keep_b * local.v + sin_b * (along - across));
    for (int i = 0; i < 3; ++i) {
        z[2 * i] = first[i];
        z[2 * i + 1] = second[i];
    }
}

// ---------------------------------------------------------------- Hessian

/// Of an edge with itself along-along, along-across, across-across, of the two with each other the same, then normal-normal of one
/// and of both.
void element_axes_hessian(real tangent_sq, bool project, out real hessian[8])
{
    const real full = real(1.0) + tangent_sq, moment = real(2.0) * sqrt(tangent_sq) * full,
               second = (real(1.0) + real(3.0) * tangent_sq) * full;
    hessian[0] = hessian[3] = hessian[4] = real(0.0);
    hessian[1] = moment;
    hessian[2] = hessian[5] = second;
    hessian[6] = full * (real(1.0) - tangent_sq);
    hessian[7] = -full * full;
    if (!project)
        return;
    const real largest = second + sqrt(second * second + moment * moment), ratio = moment / largest;
    const real weight = real(0.5) * largest / (real(1.0) + ratio * ratio), other = real(0.25) * moment;
    real sum = weight;
    for (int k = 2; k >= 0; --k) {
        hessian[k] = sum + other;
        hessian[3 + k] = sum - other;
        sum *= ratio;
    }
    hessian[6] = full;
    hessian[7] = -full;
}

/// A unit vector across u and v, any where they are parallel.
real3 element_normal(real3 u, real3 d, real3 s)
{
    const real3 product = cross(u, dot(d, d) <= dot(s, s) ? d : s);
    const real size_sq = dot(product, product);
    if (size_sq > BEND_PLANE_SQ)
        return product / sqrt(size_sq);
    const real3 size = abs(u);
    const bool first = size.x <= size.y && size.x <= size.z, second = !first && size.y <= size.z;
    const real3 any = cross(u, first ? real3(1.0, 0.0, 0.0) : second ? real3(0.0, 1.0, 0.0) : real3(0.0, 0.0, 1.0));
    const real any_sq = dot(any, any);
    return any_sq > real(0.0) ? any / sqrt(any_sq) : real3(0.0);
}

void element_axes(uint at, ElementLocal local, real g[4])
{
    const real3 z = element_normal(local.u, local.difference, local.sum);
    for (uint i = 0u; i < 3u; ++i) {
        element_data_set(at + i, local.u[i] * local.inverse_a);
        element_data_set(at + 3u + i, local.v[i] * local.inverse_b);
        element_data_set(at + 6u + i, z[i]);
    }
    element_data_set(at + 9u, local.inverse_a);
    element_data_set(at + 10u, local.inverse_b);
    for (uint k = 0u; k < 4u; ++k)
        element_data_set(at + 11u + k, g[k]);
}

void element_hessian(ElementMaterial material, ElementLocal local, bool project, out real hessian[8])
{
    element_axes_hessian(local.tangent_sq, project, hessian);
    for (int k = 0; k < 8; ++k)
        hessian[k] *= material.kappa;
}

real3 bend_axis(uint at, uint k)
{
    const uint place = at + ELEMENT_HESSIAN + 3u * k;
    return real3(element_data(place), element_data(place + 1u), element_data(place + 2u));
}

/// (G_1, G_2) of a corner, one number an edge.
real2 bend_shape(uint at, uint corner)
{
    const uint place = at + ELEMENT_HESSIAN + 11u;
    const real2 before = real2(element_data(place), element_data(place + 1u)),
                after = real2(element_data(place + 2u), element_data(place + 3u));
    return corner == 0u ? -(before + after) : corner == 1u ? before : after;
}

void element_block(uint at, uint row, uint column, out real block[9])
{
    const real3 u = bend_axis(at, 0u), v = bend_axis(at, 1u), z = bend_axis(at, 2u);
    const real3 along[2] = real3[2](u, v), across[2] = real3[2](cross(z, u), cross(v, z));
    const real3 normal[2] = real3[2](z * element_data(at + ELEMENT_HESSIAN + 9u), z * element_data(at + ELEMENT_HESSIAN + 10u));
    const real2 x = bend_shape(at, row), y = bend_shape(at, column);
    for (int k = 0; k < 9; ++k)
        block[k] = real(0.0);
    for (int p = 0; p < 2; ++p)
        for (int q = 0; q < 2; ++q) {
            const uint from = at + (p == q ? 0u : 3u);
            const real weight = x[p] * y[q], aa = weight * element_data(from), ac = weight * element_data(from + 1u),
                       cc = weight * element_data(from + 2u), nn = weight * element_data(at + (p == q ? 6u : 7u));
            for (int i = 0; i < 3; ++i)
                for (int k = 0; k < 3; ++k)
                    block[3 * i + k] += aa * along[p][i] * along[q][k] +
                                        ac * (along[p][i] * across[q][k] + across[p][i] * along[q][k]) +
                                        cc * across[p][i] * across[q][k] + nn * normal[p][i] * normal[q][k];
        }
}

/// The mean stretch of the two edges.
real element_stretch(ElementLocal local)
{
    return real(0.5) * (local.a + local.b);
}

#endif
