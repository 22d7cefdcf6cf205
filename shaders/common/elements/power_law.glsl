// Power laws of an element (theory.md section 7) in the axes of D x = U diag(s) V^T where its damping is looked at. Of the rate X = U^T D x' V
// a law sees the rates x_ii and a x_ik + b x_ki of the pairs, a = b = 1/2 or what the correction makes of it, and y is the sum of their
// squares, those of pairs twice: at least 0, and as exact as they are. A record has, behind each other,
//
//     the sum of the laws' Hessians without what is along their forces, a form (principal_form.glsl), and its axes
//     the stretches
//     of each law a factor, and f_1, f_2, ... of the corners: factor f f^T is along its force
//
// f_0 is less their sum. Where there is no Hessian the stretches stand in the form's place. Declare the buffers `damping_lists` and
// `damping_numbers` and the function element_data before.
#ifndef COMMON_ELEMENTS_POWER_LAW_GLSL
#define COMMON_ELEMENTS_POWER_LAW_GLSL

#include "abi/damping.h"

/// Behind the push constants of elements (LawPush in src/device/vulkan/terms/power_law.c): the records of the kind, numbers of one, where in it
/// the stretches are; 1/t and t.
#define PUSH_OWN                                                                                                       \
    uint first_law, law_size, stretches_at;                                                                            \
    Exact inverse, duration;

#include "common/elements/push.glsl"

#if (DAMPED_KINDS >> ELEMENT_KIND & 1) != 0
#define ELEMENT_HAS_LAWS 1
#if ELEMENT_KIND == ELEMENT_TET
#define LAW_BASE TET_LAW
#elif ELEMENT_KIND == ELEMENT_SEGMENT
#define LAW_BASE SEGMENT_LAW
#else
#define LAW_BASE MEMBRANE_LAW
#endif

#include "common/elements/power_law_list.glsl"
#if ELEMENT_COLUMNS == 3
#include "common/physics/dissipation/velocity_gradient.glsl"
#endif

#if FORM_SIZE + FORM_AXES + ELEMENT_COLUMNS != LAW_BASE
#error "the kind's record of power laws is not what abi/damping.h says"
#endif

#define LAW_RATES (ELEMENT_COLUMNS + FORM_PAIRS)
#define LAW_ARMS (ELEMENT_CORNERS - 1)

uint law_place(uint e)
{
    return first_law + law_size * e;
}

/// Whether a law's side is the argument's.
bool is_seen(uint list, uint i)
{
    const bool is_rigid =
        damping_lists[list + 1u + DAMPING_WORDS * i + DAMPING_CORRECTION] == ABI_CORRECTION_RIGID_VELOCITY;
    return (is_rigid ? ABI_DAMPED_LESS_RIGID : ABI_DAMPED_AS_IS) == argument >> DAMPING_SIDE_SHIFT;
}

/// Its ABI_FORM_*.
uint form_of(uint list, uint i)
{
    return damping_lists[list + 1u + DAMPING_WORDS * i + DAMPING_FORM];
}

/// Column j of U of the record at `at`, number j of V^T G of corner a > 0.
real3 law_axis(uint at, int j)
{
    const uint first = at + FORM_SIZE + uint(j);
    return real3(element_data(first), element_data(first + FORM_STRIDE), element_data(first + 2u * FORM_STRIDE));
}

real law_shape(uint at, int a, int j)
{
    return element_data(at + FORM_SIZE + 3u * FORM_STRIDE + uint(ELEMENT_COLUMNS * (a - 1) + j));
}

/// a and b of a pair.
real2 law_weights(uint at, PowerLaw law, int pair)
{
#if ELEMENT_COLUMNS == 3
    const real3 s = real3(element_data(at + stretches_at), element_data(at + stretches_at + 1u),
                          element_data(at + stretches_at + 2u));
    if (law.is_corrected && !velocity_gradient_is_flat(s.x, s.y, s.z)) {
        const real first = s[form_first(pair)], second = s[form_second(pair)];
        return real(0.25) * real2(real(1.0) + first / second, real(1.0) + second / first);
    }
#endif
    return real2(real(0.5));
}

/// X of corners' ways as they differ from corner 0's.
void law_motion(uint at, real3 way[LAW_ARMS], out real x[ELEMENT_COLUMNS * ELEMENT_COLUMNS])
{
    for (int j = 0; j < ELEMENT_COLUMNS; ++j) {
        real3 column = real3(0.0); // of D x' V
        for (int a = 1; a < ELEMENT_CORNERS; ++a)
            column += law_shape(at, a, j) * way[a - 1];
        for (int i = 0; i < ELEMENT_COLUMNS; ++i)
            x[ELEMENT_COLUMNS * i + j] = dot(law_axis(at, i), column);
    }
}

/// The rates that a law sees.
void law_rates(uint at, PowerLaw law, real x[ELEMENT_COLUMNS * ELEMENT_COLUMNS], out real rates[LAW_RATES])
{
    for (int i = 0; i < ELEMENT_COLUMNS; ++i)
        rates[i] = x[(ELEMENT_COLUMNS + 1) * i];
    for (int pair = 0; pair < FORM_PAIRS; ++pair) {
        const int i = form_first(pair), k = form_second(pair);
        const real2 weights = law_weights(at, law, pair);
        rates[ELEMENT_COLUMNS + pair] =
            weights.x * x[ELEMENT_COLUMNS * i + k] + weights.y * x[ELEMENT_COLUMNS * k + i];
    }
}

/// y of twice the same rates.
real law_product(real first[LAW_RATES], real second[LAW_RATES])
{
    real sum = real(0.0);
    for (int k = 0; k < LAW_RATES; ++k)
        sum += (k < ELEMENT_COLUMNS ? real(1.0) : real(2.0)) * (first[k] * second[k]);
    return sum;
}

/// The derivative of y/2 by the corners 1, 2, ...
void law_forces(uint at, PowerLaw law, real rates[LAW_RATES], out real3 force[LAW_ARMS])
{
    for (int a = 1; a < ELEMENT_CORNERS; ++a) {
        real3 turned = real3(0.0); // in U
        for (int i = 0; i < ELEMENT_COLUMNS; ++i)
            turned[i] = rates[i] * law_shape(at, a, i);
        for (int pair = 0; pair < FORM_PAIRS; ++pair) {
            const int i = form_first(pair), k = form_second(pair);
            const real2 weights = real(2.0) * rates[ELEMENT_COLUMNS + pair] * law_weights(at, law, pair);
            turned[i] += weights.x * law_shape(at, a, k);
            turned[k] += weights.y * law_shape(at, a, i);
        }
        force[a - 1] = real3(0.0);
        for (int i = 0; i < ELEMENT_COLUMNS; ++i)
            force[a - 1] += turned[i] * law_axis(at, i);
    }
}

/// Adds `weight` times the form of y/2.
void law_form_add(uint at, PowerLaw law, real weight, inout real form[FORM_SIZE])
{
    for (int i = 0; i < ELEMENT_COLUMNS; ++i)
        form[i] += weight;
    for (int pair = 0; pair < FORM_PAIRS; ++pair) {
        const real2 weights = law_weights(at, law, pair);
        form[FORM_SHEAR + 3 * pair] += real(2.0) * weight * (weights.x * weights.x);
        form[FORM_SHEAR + 3 * pair + 1] += real(2.0) * weight * (weights.y * weights.y);
        form[FORM_SHEAR + 3 * pair + 2] += real(2.0) * weight * (weights.x * weights.y);
    }
}

#else
#define ELEMENT_HAS_LAWS 0
#endif

#endif
