/// What damps a material (theory.md section 7): entries of a list, which add up. Each is a potential R = 1/2 v^T C v of the
/// velocities v whose matrix C depends on the positions alone: while these are held ("lagged") the force is -C v and the power that it
/// takes v^T C v, at least 0.
#ifndef PHYSICS_DISSIPATION_DAMPING_H
#define PHYSICS_DISSIPATION_DAMPING_H

#include <stdint.h>

typedef enum DampingType {
    DAMPING_STRAIN_RATE, ///< shear |E'|^2 + bulk/2 tr^2 E', E' = sym(F^T F') the rate of Green's strain
    DAMPING_RAYLEIGH,    ///< time/2 v^T K v, K the projected Hessian of the elastic energy; mass/2 v^T M v
    DAMPING_PRINCIPAL_STRAIN, ///< time/2 sum psi_ij s_i' s_j' of the rates of the principal stretches
    DAMPING_SPLINE,           ///< the same, psi_ij times the root of the factors at both stretches
    DAMPING_TYPES
} DampingType;

/// What keeps angular momentum with models that rotations change (theory.md section 7).
typedef enum DampingCorrection {
    CORRECTION_NONE,
    CORRECTION_VELOCITY_GRADIENT ///< of solids: physics/dissipation/velocity_gradient.h
} DampingCorrection;

/// A monotone cubic through points, constant beyond them (Fritsch and Carlson).
typedef struct Spline {
    int32_t count;
    double (*points)[3]; ///< x, ascending; value; slope
} Spline;

typedef struct Damping {
    int32_t type;       ///< DampingType
    int32_t correction; ///< DampingCorrection
    double shear, bulk; ///< Pa s
    double time;        ///< s
    double mass;        ///< 1/s
    Spline factor;      ///< of the principal stretch; values at least 0
} Damping;

typedef struct DampingList {
    int32_t count;
    Damping *entries;
} DampingList;

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
