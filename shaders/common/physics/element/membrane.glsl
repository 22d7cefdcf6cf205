// Triangles of a shell under plane stress; twin of src/physics/element/membrane.h, where the formulas are explained. kappa and lambda
// are times the volume here, J.
#ifndef COMMON_PHYSICS_ELEMENT_MEMBRANE_GLSL
#define COMMON_PHYSICS_ELEMENT_MEMBRANE_GLSL

#include "abi/energy_model.h"
#include "common/physics/energy/roots.glsl"
#include "common/physics/energy/stvk.glsl"
#include "common/real_math.glsl"

#define ELEMENT_CORNERS 3
#define ELEMENT_COLUMNS 2
#define ELEMENT_CAN_INVERT 0
#define ELEMENT_EXACT 1 ///< the strain of a sheet that bends is far below the rounding of F
#define ELEMENT_HESSIAN 7 ///< numbers of membrane_principal_hessian
#define ELEMENT_AXES 13 ///< U, V^T G_1, V^T G_2
#define ELEMENT_DATA MEMBRANE_DATA
#define FORM_AXES ELEMENT_AXES
#define FORM_STRIDE 3u ///< numbers of a row of U

#include "common/elements/principal_form.glsl"

#define MEMBRANE_MAX_ITERATIONS 60
#ifdef VELA_F64
#define MEMBRANE_TINY 1e-150lf
#define MEMBRANE_FLAT 1e-14lf
#define MEMBRANE_EQUAL 1e-14lf
#define MEMBRANE_STEP 1e-9lf
#define MEMBRANE_NOTHING real(-0.99999999999999989lf) ///< 2^-53 - 1
#else
#define MEMBRANE_TINY 1e-18
#define MEMBRANE_FLAT 1e-6
#define MEMBRANE_EQUAL 1e-13 ///< exact numbers have 46 bits and more
#define MEMBRANE_STEP 1e-5
#define MEMBRANE_NOTHING real(-0.99999994) ///< 2^-24 - 1
#endif

/// F = U diag(1 + x) V^T, x_0 >= x_1: U 3 x 3, its last column the normal; V 2 x 2.
struct ElementLocal {
    real u[9], excess[2], v[4];
};

/// A unit vector across a unit vector.
real3 element_across(real3 u)
{
    const real3 size = abs(u);
    const bool first = size.x <= size.y && size.x <= size.z, second = !first && size.y <= size.z;
    return normalize(first    ? real3(real(0.0), u.z, -u.y)
                     : second ? real3(-u.z, real(0.0), u.x)
                              : real3(u.y, -u.x, real(0.0)));
}

real element_turn(real d, real g, out real cosine)
{
    const real sum = abs(d) + sqrt(d * d + g * g), t = sum > real(0.0) ? (d < real(0.0) ? -g : g) / sum : real(0.0);
    cosine = real(1.0) / sqrt(real(1.0) + t * t);
    return t;
}

void element_turn_columns(real t, real c, inout real3 a, inout real3 b, inout real2 p, inout real2 q)
{
    const real s = c * t;
    const real3 first = c * a - s * b;
    const real2 turned = c * p - s * q;
    b = s * a + c * b;
    q = s * p + c * q;
    a = first;
    p = turned;
}

void element_decompose(Exact f[6], out ElementLocal local)
{
    Exact aa = exact(real(-1.0)), bb = aa, ab = exact(real(0.0)); // F^T F - 1
    real3 a, b;
    for (int i = 0; i < 3; ++i) {
        a[i] = exact_value(f[2 * i]);
        b[i] = exact_value(f[2 * i + 1]);
        aa = exact_add(aa, exact_multiply(f[2 * i], f[2 * i]));
        bb = exact_add(bb, exact_multiply(f[2 * i + 1], f[2 * i + 1]));
        ab = exact_add(ab, exact_multiply(f[2 * i], f[2 * i + 1]));
    }
    real2 p = real2(1.0, 0.0), q = real2(0.0, 1.0); // V's columns
    real c;
    real shear = real(0.5) * exact_value(ab);
    if (abs(shear) <= MEMBRANE_EQUAL * (dot(a, a) + dot(b, b)))
        shear = real(0.0);
    real e0 = real(0.5) * exact_value(aa), e1 = real(0.5) * exact_value(bb);
    const real t = element_turn(e1 - e0, real(2.0) * shear, c);
    element_turn_columns(t, c, a, b, p, q);
    e0 -= t * shear;
    e1 += t * shear;

    const real a_sq = dot(a, a), b_sq = dot(b, b);
    const bool apart = min(a_sq, b_sq) < real(0.25) * max(a_sq, b_sq);
    if (apart) {
        const real again = element_turn(b_sq - a_sq, real(2.0) * dot(a, b), c);
        element_turn_columns(again, c, a, b, p, q);
    }
    real longer = length(a), other = length(b);
    if (apart) {
        e0 = real(0.5) * (longer - real(1.0)) * (longer + real(1.0));
        e1 = real(0.5) * (other - real(1.0)) * (other + real(1.0));
    }
    if (e0 < e1) {
        const real3 column = a;
        const real2 turned = p;
        const real size = longer, strain = e0;
        a = b;
        p = q;
        longer = other;
        e0 = e1;
        b = column;
        q = turned;
        other = size;
        e1 = strain;
    }
    local.excess[0] = real(2.0) * e0 / (longer + real(1.0));
    local.excess[1] = real(2.0) * e1 / (other + real(1.0));
    const real3 x = longer > real(0.0) ? a / longer : real3(1.0, 0.0, 0.0);
    real3 y = element_across(x);
    if (other > MEMBRANE_FLAT * longer)
        y = b / other;
    const real3 z = cross(x, y);
    for (int i = 0; i < 3; ++i) {
        local.u[3 * i] = x[i];
        local.u[3 * i + 1] = y[i];
        local.u[3 * i + 2] = z[i];
    }
    for (int j = 0; j < 2; ++j) {
        local.v[2 * j] = p[j];
        local.v[2 * j + 1] = q[j];
    }
}

/// U diag(s) V^T
void element_compose(ElementLocal local, real s[2], out real m[6])
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 2; ++j)
            m[2 * i + j] = local.u[3 * i] * s[0] * local.v[2 * j] + local.u[3 * i + 1] * s[1] * local.v[2 * j + 1];
}

/// lambda' of plane stress.
real membrane_lambda(real kappa, real lambda)
{
    return real(2.0) * kappa * lambda / max(lambda + real(2) * kappa, MEMBRANE_TINY);
}

/// d of kappa d + lambda (log(1 + d)/2 + log(z_0 z_1)) = 0, z = b + r (1 + d)/z, b_i = 1 + x_i (see the twin).
real membrane_thickening(real x[2], real r, real kappa, real lambda, out real z[2])
{
    const real b[2] = real[2](max(real(1.0) + x[0], real(0.0)), max(real(1.0) + x[1], real(0.0)));
    real slope;
    for (int i = 0; i < 2; ++i)
        z[i] = max(larger_root(b[i], r, slope), MEMBRANE_TINY);
    const real area = max(z[0] * z[1], MEMBRANE_TINY);
    real d = area > real(1.0) ? real(1.0) / (area * area) - real(1.0) : real(0.0);
    for (int iteration = 0; iteration < MEMBRANE_MAX_ITERATIONS; ++iteration) {
        const real u = max(real(1.0) + d, MEMBRANE_TINY);
        real logarithm = real(0.5) * real_log1p(max(d, MEMBRANE_NOTHING)), growth = real(0.5) / u;
        for (int i = 0; i < 2; ++i) {
            z[i] = max(larger_root(b[i], r * u, slope), MEMBRANE_TINY);
            logarithm += real_log1p(max(x[i] + r * u / z[i], MEMBRANE_NOTHING));
            growth += r / max(z[i] * slope, MEMBRANE_TINY);
        }
        const real step = -(kappa * d + lambda * logarithm) / (kappa + lambda * growth);
        d += step;
        if (!(abs(step) > MEMBRANE_STEP * max(real(1.0) + d, MEMBRANE_TINY)))
            break;
    }
    for (int i = 0; i < 2; ++i)
        z[i] = larger_root(b[i], r * max(real(1.0) + d, MEMBRANE_TINY), slope);
    return d;
}

/// u - 1 of neo_hookean.
real membrane_free_stretch(real x[2], real kappa, real lambda)
{
    real z[2];
    return membrane_thickening(x, real(0.0), kappa, lambda, z);
}

/// Green's strains, and their sum.
real membrane_strain(real x[2], out real e[2])
{
    e[0] = x[0] * (real(0.5) * x[0] + real(1.0));
    e[1] = x[1] * (real(0.5) * x[1] + real(1.0));
    return e[0] + e[1];
}

/// w psi at the stretches 1 + x_i, 0 at rest.
real membrane_principal_energy(int model, real x[2], real kappa, real lambda)
{
    real e[2];
    const real trace = membrane_strain(x, e);
    if (model == ENERGY_STVK)
        return kappa * (e[0] * e[0] + e[1] * e[1]) + real(0.5) * membrane_lambda(kappa, lambda) * trace * trace;
    if (!(x[0] > real(-1.0) && x[1] > real(-1.0)))
        return real_infinity();
    const real d = max(membrane_free_stretch(x, kappa, lambda), MEMBRANE_NOTHING);
    real sum = real(0.5) * real_minus_log1p(d), logarithm = real(0.5) * real_log1p(d);
    for (int i = 0; i < 2; ++i) {
        sum += real(0.5) * x[i] * x[i] + real_minus_log1p(x[i]);
        logarithm += real_log1p(x[i]);
    }
    return kappa * sum + real(0.5) * lambda * logarithm * logarithm;
}

/// w psi_i.
void membrane_principal_stress(int model, real x[2], real kappa, real lambda, out real stress[2])
{
    real e[2];
    const real trace = membrane_strain(x, e);
    if (model == ENERGY_STVK) {
        const real pressure = membrane_lambda(kappa, lambda) * trace;
        for (int i = 0; i < 2; ++i)
            stress[i] = (real(2.0) * kappa * e[i] + pressure) * (real(1.0) + x[i]);
        return;
    }
    const real d = membrane_free_stretch(x, kappa, lambda);
    for (int i = 0; i < 2; ++i)
        stress[i] = kappa * (real(2.0) * e[i] - d) / max(real(1.0) + x[i], MEMBRANE_TINY);
}

/// psi_00 psi_11 psi_01, twist, flip, and psi_i/s_i of both, times w.
void membrane_principal_hessian(int model, real x[2], real kappa, real lambda, out real hessian[7])
{
    const real a = real(1.0) + x[0], b = real(1.0) + x[1], excess = x[0] + a * x[1]; // a b - 1
    real e[2];
    const real trace = membrane_strain(x, e);
    if (model == ENERGY_STVK) {
        const real plane = membrane_lambda(kappa, lambda), pressure = plane * trace;
        for (int i = 0; i < 2; ++i) {
            const real square = real(1.0) + real(2.0) * e[i];
            hessian[i] = real(2.0) * kappa * (square + e[i]) + plane * square + pressure;
            hessian[5 + i] = real(2.0) * kappa * e[i] + pressure;
        }
        hessian[2] = plane * a * b;
        hessian[3] = kappa * ((a - b) * (a - b) + excess) + pressure;
        hessian[4] = kappa * (real(1.0) + real(2.0) * e[0] + a * b + real(2.0) * e[1]) + pressure;
        return;
    }
    const real d = membrane_free_stretch(x, kappa, lambda), u = real(1.0) + d;
    const real plane = real(2.0) * kappa * lambda * u / (real(2.0) * kappa * u + lambda), product = max(a * b, MEMBRANE_TINY);
    for (int i = 0; i < 2; ++i) {
        const real square = max((real(1.0) + x[i]) * (real(1.0) + x[i]), MEMBRANE_TINY);
        hessian[i] = kappa + (kappa * u + plane) / square;
        hessian[5 + i] = kappa * (real(2.0) * e[i] - d) / square;
    }
    hessian[2] = plane / product;
    hessian[3] = kappa * (excess - d) / product;
    hessian[4] = kappa * (real(1.0) + u / product);
}

/// Negative eigenvalues become 0.
void membrane_project(inout real hessian[7])
{
    const real mean = real(0.5) * (hessian[0] + hessian[1]), away = real(0.5) * (hessian[0] - hessian[1]);
    const real radius = sqrt(away * away + hessian[2] * hessian[2]), low = mean - radius, high = mean + radius;
    if (low < real(0.0)) {
        const real share = radius > real(0.0) ? max(high, real(0.0)) / (real(2.0) * radius) : real(0.0);
        hessian[0] = share * (radius + away);
        hessian[1] = share * (radius - away);
        hessian[2] *= share;
    }
    for (int k = 3; k < 7; ++k)
        hessian[k] = max(hessian[k], real(0.0));
}

// ---------------------------------------------------------------- what a kind has

real element_energy(ElementMaterial material, ElementLocal local)
{
    return membrane_principal_energy(ENERGY_MODEL, local.excess, material.kappa, material.lambda);
}

void element_stress(ElementMaterial material, ElementLocal local, out real p[6])
{
    real stress[2];
    membrane_principal_stress(ENERGY_MODEL, local.excess, material.kappa, material.lambda, stress);
    element_compose(local, stress, p);
}

void element_slope(ElementMaterial material, ElementLocal local, real change[6], out real slope, out real magnitude)
{
    real stress[2];
    membrane_principal_stress(ENERGY_MODEL, local.excess, material.kappa, material.lambda, stress);
    slope = real(0.0);
    for (int m = 0; m < 2; ++m) {
        real along = real(0.0);
        for (int i = 0; i < 3; ++i)
            along += local.u[3 * i + m] * (change[2 * i] * local.v[m] + change[2 * i + 1] * local.v[2 + m]);
        slope += stress[m] * along;
    }
    magnitude = (abs(stress[0]) + abs(stress[1])) * (real(1.0) + local.excess[0]);
}

void element_prox(ElementMaterial material, ElementLocal local, real rho, out real z[6])
{
    real result[2];
    const real kappa = material.kappa, lambda = material.lambda;
    if (ENERGY_MODEL == ENERGY_STVK) {
        real q[3] = real[3](real(1.0) + local.excess[0], real(1.0) + local.excess[1], real(0.0)), s[3];
        stvk_prox_some(2, q, kappa, membrane_lambda(kappa, lambda), rho, s);
        result = real[2](s[0], s[1]);
    } else {
        const real share = kappa / (kappa + rho), ratio = rho / (kappa + rho);
        const real pulled[2] = real[2](ratio * local.excess[0] - share, ratio * local.excess[1] - share); // b - 1
        membrane_thickening(pulled, share, kappa, lambda, result);
    }
    element_compose(local, result, z);
}

/// The larger principal stretch.
real element_stretch(ElementLocal local)
{
    return real(1.0) + local.excess[0];
}

// ---------------------------------------------------------------- Hessian

void element_axes(uint at, ElementLocal local, real g[4])
{
    for (uint k = 0u; k < 9u; ++k)
        element_data_set(at + k, local.u[k]);
    for (uint a = 0u; a < 2u; ++a)
        for (uint j = 0u; j < 2u; ++j)
            element_data_set(at + 9u + 2u * a + j, g[2u * a] * local.v[j] + g[2u * a + 1u] * local.v[2u + j]);
}

void element_hessian(ElementMaterial material, ElementLocal local, bool project, out real hessian[7])
{
    membrane_principal_hessian(ENERGY_MODEL, local.excess, material.kappa, material.lambda, hessian);
    if (project)
        membrane_project(hessian);
}

/// V^T G of a corner, the axes being those at `axes`.
real2 membrane_shape(uint axes, uint corner)
{
    const uint place = axes + 9u;
    const real2 first = real2(element_data(place), element_data(place + 1u)),
                second = real2(element_data(place + 2u), element_data(place + 3u));
    return corner == 0u ? -(first + second) : corner == 1u ? first : second;
}

/// The Hessian as a form.
void element_form(real h[7], out real form[FORM_SIZE])
{
    const real straight = real(0.5) * (h[4] + h[3]), crossed = real(0.5) * (h[4] - h[3]);
    form = real[8](h[0], h[1], h[2], straight, straight, crossed, h[5], h[6]);
}

/// The block of two corners in the axes at `axes`.
void membrane_block(real form[FORM_SIZE], uint axes, uint row, uint column, out real block[9])
{
    const real2 x = membrane_shape(axes, row), y = membrane_shape(axes, column);
    const real first = form[0] * x[0] * y[0] + form[3] * x[1] * y[1], second = form[1] * x[1] * y[1] + form[4] * x[0] * y[0],
               upper = form[2] * x[0] * y[1] + form[5] * x[1] * y[0], lower = form[2] * x[1] * y[0] + form[5] * x[0] * y[1],
               normal = form[6] * x[0] * y[0] + form[7] * x[1] * y[1];
    for (uint i = 0u; i < 3u; ++i) {
        const real3 p = real3(element_data(axes + 3u * i), element_data(axes + 3u * i + 1u), element_data(axes + 3u * i + 2u));
        for (uint k = 0u; k < 3u; ++k) {
            const real3 q =
                real3(element_data(axes + 3u * k), element_data(axes + 3u * k + 1u), element_data(axes + 3u * k + 2u));
            block[3u * i + k] = p.x * (first * q.x + upper * q.y) + p.y * (lower * q.x + second * q.y) + normal * p.z * q.z;
        }
    }
}

void element_block(uint at, uint row, uint column, out real block[9])
{
    real h[7], form[FORM_SIZE];
    for (uint k = 0u; k < 7u; ++k)
        h[k] = element_data(at + k);
    element_form(h, form);
    membrane_block(form, at + ELEMENT_HESSIAN, row, column, block);
}

/// Principal stretches.
void element_stretches(ElementLocal local, out real s[2])
{
    for (int k = 0; k < 2; ++k)
        s[k] = real(1.0) + local.excess[k];
}

/// u_k v_k^T
void element_dyad(ElementLocal local, int k, out real m[6])
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 2; ++j)
            m[2 * i + j] = local.u[3 * i + k] * local.v[2 * j + k];
}

// ---------------------------------------------------------------- damping

void element_stretch_move(inout ElementLocal local, int k, real way)
{
    local.excess[k] += way;
}

void element_form_axes(uint at, ElementLocal local, real g[4])
{
    element_axes(at, local, g);
}

void element_form_turn(ElementLocal local, out real u[9], out real v[4])
{
    u = local.u;
    v = local.v;
}

void element_form_block(uint at, uint row, uint column, out real block[9])
{
    real form[FORM_SIZE];
    for (uint k = 0u; k < FORM_SIZE; ++k)
        form[k] = element_data(at + k);
    membrane_block(form, at + FORM_SIZE, row, column, block);
}

#endif
