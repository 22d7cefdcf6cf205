/// Principal axes of points: the directions along which they lie apart the most and the least.
#ifndef MODEL_PRINCIPAL_AXES_H
#define MODEL_PRINCIPAL_AXES_H

#include <stdint.h>

typedef struct PrincipalAxes {
    double axes[3][3]; ///< unit vectors at right angles, the longest first; right-handed
    double
        extents[3]; ///< sums of squares along them, of the points less their mean; descending, not negative
} PrincipalAxes;

/// The mean of `count` points of `places`, 3 numbers each: of those in `points`; NULL: of the first ones.
void points_mean(const double *places, int32_t count, const int32_t *points, double mean[3]);
/// Of the same.
void principal_axes(const double *places, int32_t count, const int32_t *points, PrincipalAxes *axes);

#endif
