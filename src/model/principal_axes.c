#include "model/principal_axes.h"

#include "base/matrix3.h"
#include "base/symmetric_eigen.h"

static const double *place_of(const double *places, const int32_t *points, int32_t i)
{
    return places + 3 * (size_t)(points ? points[i] : i);
}

void points_mean(const double *places, int32_t count, const int32_t *points, double mean[3])
{
    memset(mean, 0, 3 * sizeof *mean);
    for (int32_t i = 0; i < count; ++i)
        add_scaled3(mean, 1.0 / count, place_of(places, points, i), mean);
}

void principal_axes(const double *places, int32_t count, const int32_t *points, PrincipalAxes *axes)
{
    double mean[3], spread[9] = {0}, values[3], vectors[9];
    int order[3] = {0, 1, 2};
    points_mean(places, count, points, mean);
    for (int32_t i = 0; i < count; ++i) {
        double arm[3];
        subtract3(place_of(places, points, i), mean, arm);
        for (int k = 0; k < 9; ++k)
            spread[k] += arm[k / 3] * arm[k % 3];
    }
    symmetric_eigen(3, spread, values, vectors);
    for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 2; ++l)
            if (values[order[l]] < values[order[l + 1]]) {
                const int other = order[l];
                order[l] = order[l + 1];
                order[l + 1] = other;
            }
    for (int k = 0; k < 3; ++k) {
        axes->extents[k] = fmax(values[order[k]], 0);
        memcpy(axes->axes[k], vectors + 3 * order[k], sizeof axes->axes[k]);
    }
    cross3(axes->axes[0], axes->axes[1], axes->axes[2]);
}
