/// What damps a material (theory.md section 7): entries of a list, which add up. Each is a potential R(x, v), convex in the velocities
/// v and least where they are 0: the power v.dR/dv that it takes is at least 0. All but the power law are R = 1/2 v^T C v with a matrix C
/// that depends on the positions alone. The variational one is no such potential.
#ifndef PHYSICS_DISSIPATION_DAMPING_H
#define PHYSICS_DISSIPATION_DAMPING_H

#include <stdint.h>

typedef enum DampingType {
    DAMPING_STRAIN_RATE, ///< shear |E'|^2 + bulk/2 tr^2 E', E' = sym(F^T F') the rate of Green's strain
    DAMPING_RAYLEIGH,    ///< time/2 v^T K v, K the projected Hessian of the elastic energy; mass/2 v^T M v
    DAMPING_PRINCIPAL_STRAIN, ///< time/2 sum psi_ij s_i' s_j' of the rates of the principal stretches
    DAMPING_POWER_LAW,        ///< coefficient/(p + 1) |S'|^(p + 1), S' = sym(R^T F') with the rotation R of F
    DAMPING_SPLINE,           ///< principal strain's, psi_ij times the root of the factors at both stretches
    DAMPING_VARIATIONAL, ///< of the alpha family alone: a step's impulse -time grad W, W the elastic energy of its end with its start as
                         ///< the shape at rest (device/cpu/terms/variational_damping.h)
    DAMPING_MATERIAL_TYPES,
    DAMPING_AIR = DAMPING_MATERIAL_TYPES, ///< no material's, but of the surfaces: physics/dissipation/air.h
    DAMPING_TYPES
} DampingType;

/// What keeps angular momentum with models that rotations change (theory.md section 7).
typedef enum DampingCorrection {
    CORRECTION_NONE,
    CORRECTION_VELOCITY_GRADIENT, ///< of solids: physics/dissipation/velocity_gradient.h
    CORRECTION_RIGID_VELOCITY     ///< R sees velocities less those of a body's motion as a rigid one
} DampingCorrection;

/// What a stage minimises beside the elastic energy, with v = (x - xp)/t (theory.md section 7).
typedef enum DampingForm {
    FORM_LAGGED,      ///< t R(x', v), x' where the stage ends: the force is that of R
    FORM_IMPLICIT,    ///< t R(x, v): has t dR/dx more
    FORM_SECOND_ORDER ///< t (R(x, v) - R(x, v_n)), v_n the velocity where the step began
} DampingForm;

/// A monotone cubic through points, constant beyond them (Fritsch and Carlson).
typedef struct Spline {
    int32_t count;
    double (*points)[3]; ///< x, ascending; value; slope
} Spline;

typedef struct Damping {
    int32_t type;       ///< DampingType
    int32_t correction; ///< DampingCorrection
    int32_t form;       ///< DampingForm
    double shear, bulk; ///< Pa s
    double coefficient; ///< of the power law, Pa s^p
    double exponent;    ///< p, at least 0
    double time;        ///< s
    double mass;        ///< 1/s
    Spline factor;      ///< of the principal stretch; values at least 0
} Damping;

typedef struct DampingList {
    int32_t count;
    Damping *entries;
} DampingList;

/// What an entry of a material's damping sees of the velocities: all, or less those of its body's rigid motion.
typedef enum DampingSide { DAMPED_AS_IS, DAMPED_LESS_RIGID, DAMPING_SIDES } DampingSide;

static inline DampingSide damping_side(const Damping *entry)
{
    return entry->correction == CORRECTION_RIGID_VELOCITY ? DAMPED_LESS_RIGID : DAMPED_AS_IS;
}

static inline const Damping *damping_first(const DampingList *list)
{
    return list ? list->entries : (const Damping *)0;
}

/// Behind the last.
static inline const Damping *damping_end(const DampingList *list)
{
    return list && list->count > 0 ? list->entries + list->count : damping_first(list);
}

/// The list's power law of that number, or NULL.
static inline const Damping *damping_law(const DampingList *list, int number)
{
    for (const Damping *entry = damping_first(list); entry != damping_end(list); ++entry)
        if (entry->type == DAMPING_POWER_LAW && number-- == 0)
            return entry;
    return (const Damping *)0;
}

static inline double spline_value(const Spline *spline, double x)
{
    const double(*p)[3] = (const double(*)[3])spline->points;
    int32_t low = 0, high = spline->count - 1;
    if (!(x > p[low][0]))
        return p[low][1];
    if (x >= p[high][0])
        return p[high][1];
    while (high - low > 1) {
        const int32_t middle = (low + high) / 2;
        if (x < p[middle][0])
            high = middle;
        else
            low = middle;
    }
    const double width = p[high][0] - p[low][0], t = (x - p[low][0]) / width, rise = p[high][1] - p[low][1];
    const double first = width * p[low][2] - rise, last = rise - width * p[high][2];
    return p[low][1] + t * (rise + (1 - t) * (first * (1 - t) + last * t));
}

/// Slopes from points whose x and values are set.
static inline void spline_set_slopes(Spline *spline)
{
    double(*p)[3] = spline->points;
    for (int32_t i = 0; i < spline->count; ++i) {
        p[i][2] = 0;
        if (i == 0 || i == spline->count - 1)
            continue;
        // The harmonic mean, weighted by the intervals, where both sides rise or both fall: never beyond a point's value.
        const double left = p[i][0] - p[i - 1][0], right = p[i + 1][0] - p[i][0];
        const double before = (p[i][1] - p[i - 1][1]) / left, after = (p[i + 1][1] - p[i][1]) / right;
        if (before * after > 0)
            p[i][2] = 3 * (left + right) / ((2 * right + left) / before + (right + 2 * left) / after);
    }
}

#endif
