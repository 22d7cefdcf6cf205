// The local problems of ADMM's copies for damping (theory.md sections 6 and 7): of t R at the rate m/t and rho/2 |m - s|^2 the least, m and s
// being D x less D xp. Twin of damping_project in src/device/cpu/terms/damping_kernels.h, which has the operator (1 + L/(rho t))^-1 as a
// matrix. In the axes of the shape that damping looks at, L mixes three numbers or two at the most. The shape's numbers are those of
// element_data from 0 on (abi/damping.h).
#ifndef COMMON_ELEMENTS_DAMPING_PROX_GLSL
#define COMMON_ELEMENTS_DAMPING_PROX_GLSL

#include "common/cg_vector.glsl"
#include "common/elements/damping.glsl"
#include "common/physics/dissipation/power_law.glsl"

#if ELEMENT_IS_DAMPED && (ELEMENT_HESSIAN == 1 || ELEMENT_KIND == ELEMENT_BEND || (DAMPED_KINDS >> ELEMENT_KIND & 1) != 0)
#define ELEMENT_HAS_COPIES 1 // but for hinges, which ADMM does not take
#else
#define ELEMENT_HAS_COPIES 0
#endif

/// (1 + A)^-1 of two numbers, A symmetric and not negative: a, b, and c beside the diagonal.
void solve_pair(real a, real b, real c, inout real x, inout real y)
{
    const real determinant = real(1.0) + a + b + max(a * b - c * c, real(0.0)), first = x;
    x = ((real(1.0) + b) * first - c * y) / determinant;
    y = ((real(1.0) + a) * y - c * first) / determinant;
}

#if ELEMENT_HAS_COPIES
#if (DAMPED_KINDS >> ELEMENT_KIND & 1) != 0

#include "common/elements/copy_axes.glsl"

#if ELEMENT_COLUMNS == 1

void damping_prox(real scale, inout real m[3])
{
    const real3 axis = real3(shape_axis(0, 0), shape_axis(1, 0), shape_axis(2, 0)), way = real3(m[0], m[1], m[2]);
    const real along = real(1.0) / (real(1.0) + scale * element_data(0u)),
               across = real(1.0) / (real(1.0) + scale * element_data(1u));
    const real3 left = across * way + (along - across) * dot(axis, way) * axis;
    m = real[3](left.x, left.y, left.z);
}

void law_prox(PowerLaw law, real volume, real duration, real rho, inout real m[3])
{
    const real3 axis = real3(shape_axis(0, 0), shape_axis(1, 0), shape_axis(2, 0));
    const real rate = dot(axis, real3(m[0], m[1], m[2])), lost = rate * power_law_lost(law, volume, duration, rho, abs(rate));
    for (int i = 0; i < 3; ++i)
        m[i] -= lost * axis[i];
}

#else

void damping_prox(real scale, inout real m[ELEMENT_SIZE])
{
    real x[ELEMENT_SIZE];
    to_axes(m, x);
#if ELEMENT_COLUMNS == 3
    real block[6], factor[6];
    for (uint k = 0u; k < 6u; ++k)
        block[k] = scale * element_data(k) + (k < 3u ? real(1.0) : real(0.0));
    factor_block(block, factor);
    const real3 straight = solve_block(factor, real3(x[0], x[4], x[8]));
    x[0] = straight.x;
    x[4] = straight.y;
    x[8] = straight.z;
#else
    solve_pair(scale * element_data(0u), scale * element_data(1u), scale * element_data(FORM_MIXED), x[0], x[3]);
    for (int j = 0; j < 2; ++j)
        x[4 + j] /= real(1.0) + scale * element_data(FORM_NORMAL + uint(j));
#endif
    for (int pair = 0; pair < FORM_PAIRS; ++pair) {
        const uint at = FORM_SHEAR + 3u * uint(pair);
        const int i = form_first(pair), k = form_second(pair);
        solve_pair(scale * element_data(at), scale * element_data(at + 1u), scale * element_data(at + 2u),
                   x[ELEMENT_COLUMNS * i + k], x[ELEMENT_COLUMNS * k + i]);
    }
    from_axes(x, m);
}

#if ELEMENT_COLUMNS == 3

/// What a law that sees velocity gradients takes of x: in these axes it sees three stretchings and a sum of each pair, which become shorter.
void gradient_law_lost(PowerLaw law, real volume, real duration, real rho, real x[9], out real lost[9])
{
    const real3 s = real3(element_data(COPY_STRETCHES), element_data(COPY_STRETCHES + 1u), element_data(COPY_STRETCHES + 2u));
    const bool is_flat = velocity_gradient_is_flat(s.x, s.y, s.z);
    real lambda[6], d[6], parts[6];
    real2 along[3];
    for (int k = 0; k < 3; ++k) {
        const int first = form_first(k), second = form_second(k);
        const real2 weights = is_flat ? real2(real(0.5))
                                      : real(0.25) * real2(real(1.0) + s[first] / s[second], real(1.0) + s[second] / s[first]);
        along[k] = weights / length(weights);
        lambda[k] = real(1.0);
        d[k] = x[4 * k];
        lambda[3 + k] = real(2.0) * dot(weights, weights);
        d[3 + k] = dot(along[k], real2(x[3 * first + second], x[3 * second + first]));
    }
    power_law_lost_axes(law, volume, duration, rho, lambda, d, parts);
    for (int k = 0; k < 3; ++k) {
        const int first = form_first(k), second = form_second(k);
        lost[4 * k] = parts[k] * d[k];
        lost[3 * first + second] = parts[3 + k] * d[3 + k] * along[k].x;
        lost[3 * second + first] = parts[3 + k] * d[3 + k] * along[k].y;
    }
}

#endif

void law_prox(PowerLaw law, real volume, real duration, real rho, inout real m[ELEMENT_SIZE])
{
    real x[ELEMENT_SIZE], lost[ELEMENT_SIZE];
    to_axes(m, x);
#if ELEMENT_COLUMNS == 3
    if (law.is_corrected) {
        gradient_law_lost(law, volume, duration, rho, x, lost);
        from_axes(lost, x);
        for (int k = 0; k < ELEMENT_SIZE; ++k)
            m[k] -= x[k];
        return;
    }
#endif
    real square = real(0.0);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < ELEMENT_COLUMNS; ++j) {
            const int at = ELEMENT_COLUMNS * i + j;
            lost[at] = i < ELEMENT_COLUMNS ? real(0.5) * (x[at] + x[ELEMENT_COLUMNS * j + i]) : real(0.0);
            square += lost[at] * lost[at];
        }
    const real part = power_law_lost(law, volume, duration, rho, sqrt(square));
    for (int k = 0; k < ELEMENT_SIZE; ++k)
        lost[k] *= part;
    from_axes(lost, x);
    for (int k = 0; k < ELEMENT_SIZE; ++k)
        m[k] -= x[k];
}

#endif

#elif ELEMENT_KIND == ELEMENT_BEND

/// Along the edges and across them in their plane four numbers, across the plane two: L is that Hessian over the edges' lengths.
void damping_prox(real scale, inout real m[6])
{
    const uint at = ELEMENT_HESSIAN;
    const real over[2] = real[2](element_data(at + 9u), element_data(at + 10u));
    if (!(over[0] > real(0.0) && over[1] > real(0.0)))
        return;
    const real3 normal = bend_axis(0u, 2u);
    real3 along[2], across[2], edge[2];
    real x[4], out_of[2], factor[16]; // the lower factor of 1 + L
    for (int p = 0; p < 2; ++p) {
        along[p] = bend_axis(0u, uint(p)) / over[p];
        across[p] = p == 0 ? cross(normal, along[p]) : cross(along[p], normal);
        edge[p] = real3(m[p], m[2 + p], m[4 + p]);
        x[2 * p] = dot(along[p], edge[p]);
        x[2 * p + 1] = dot(across[p], edge[p]);
        out_of[p] = dot(normal, edge[p]);
        edge[p] -= x[2 * p] * along[p] + x[2 * p + 1] * across[p] + out_of[p] * normal; // where there is no plane
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j <= i; ++j) {
            const uint number = (i / 2 == j / 2 ? 0u : 3u) + uint(i % 2 + j % 2);
            real sum = scale * over[i / 2] * over[j / 2] * element_data(number) + (i == j ? real(1.0) : real(0.0));
            for (int k = 0; k < j; ++k)
                sum -= factor[4 * i + k] * factor[4 * j + k];
            factor[4 * i + j] = i == j ? sqrt(sum) : sum / factor[5 * j];
        }
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < i; ++k)
            x[i] -= factor[4 * i + k] * x[k];
        x[i] /= factor[5 * i];
    }
    for (int i = 3; i >= 0; --i) {
        for (int k = i + 1; k < 4; ++k)
            x[i] -= factor[4 * k + i] * x[k];
        x[i] /= factor[5 * i];
    }
    solve_pair(scale * over[0] * over[0] * element_data(6u), scale * over[1] * over[1] * element_data(6u),
               scale * over[0] * over[1] * element_data(7u), out_of[0], out_of[1]);
    for (int p = 0; p < 2; ++p) {
        const real3 left = edge[p] + x[2 * p] * along[p] + x[2 * p + 1] * across[p] + out_of[p] * normal;
        for (int i = 0; i < 3; ++i)
            m[2 * i + p] = left[i];
    }
}

#else

void damping_prox(real scale, inout real m[ELEMENT_SIZE])
{
    const real left = real(1.0) / (real(1.0) + scale * element_data(0u));
    for (int k = 0; k < ELEMENT_SIZE; ++k)
        m[k] *= left;
}

#endif
#endif

#endif
