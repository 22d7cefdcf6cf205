/// What pushes back in penalty contact (theory.md section 5): a plane or a sphere, its gap to a point and how that changes. The
/// energy in the gap is that of physics/contact/plane_penalty.h for both.
#ifndef PHYSICS_CONTACT_PENALTY_SHAPE_H
#define PHYSICS_CONTACT_PENALTY_SHAPE_H

#include "base/matrix3.h"

#include <stdbool.h>

/// Where it stands at a time.
typedef struct PenaltyShape {
    double point[3];  ///< of a plane one of its points, of a sphere the centre, m
    double normal[3]; ///< of a plane, unit, towards the outside
    double offset;    ///< of a plane: outside is n.x > offset, m
    double radius;    ///< of a sphere, m; 0: a plane
} PenaltyShape;

static inline bool penalty_is_sphere(const PenaltyShape *shape)
{
    return shape->radius > 0;
}

/// |r|, m, and r/|r|; the x axis at r = 0.
static inline double penalty_direction(const double r[3], double direction[3])
{
    const double length = norm3(r);
    for (int k = 0; k < 3; ++k)
        direction[k] = length > 0 ? r[k] / length : k == 0;
    return length;
}

/// |r| - radius at r from the centre, m, and its gradient.
static inline double sphere_gap(const double r[3], double radius, double normal[3])
{
    return penalty_direction(r, normal) - radius;
}

/// |r + d| - |r| = d.(2 r + d)/(|r + d| + |r|), m, formed from d.
static inline double sphere_gap_rise(const double r[3], const double d[3])
{
    double next[3];
    add_scaled3(r, 1, d, next);
    const double lengths = norm3(next) + norm3(r);
    return lengths > 0 ? (2 * dot3(r, d) + dot3(d, d)) / lengths : 0;
}

/// n.x - o or |x - c| - r, m, and its gradient, a unit vector.
static inline double penalty_gap(const PenaltyShape *shape, const double x[3], double normal[3])
{
    double r[3];
    if (penalty_is_sphere(shape)) {
        subtract3(x, shape->point, r);
        return sphere_gap(r, shape->radius, normal);
    }
    for (int k = 0; k < 3; ++k)
        normal[k] = shape->normal[k];
    return dot3(shape->normal, x) - shape->offset;
}

/// Gap at x + d less gap at x, m, formed from d.
static inline double penalty_gap_rise(const PenaltyShape *shape, const double x[3], const double d[3])
{
    double r[3];
    if (!penalty_is_sphere(shape))
        return dot3(shape->normal, d);
    subtract3(x, shape->point, r);
    return sphere_gap_rise(r, d);
}

/// The part of the Hessian that is not curvature n n^T: slope times that of the gap, N/m, which is (1 - n n^T) times the result. Of a sphere
/// slope/|r|, never positive, and 0 where the Hessian is to be projected.
static inline double penalty_bend(const PenaltyShape *shape, const double x[3], double slope, bool project)
{
    double r[3];
    if (!penalty_is_sphere(shape) || project)
        return 0;
    subtract3(x, shape->point, r);
    const double length = norm3(r);
    return length > 0 ? slope / length : 0;
}

#endif
