#include "device/vulkan/exact.h"

#include <math.h>

#include <string.h>

static ExactNumber split(double value)
{
    const float hi = (float)value;
    // An infinite or too large value has no low part.
    return (ExactNumber){hi, isfinite(hi) ? (float)(value - (double)hi) : 0};
}

void exact_store(bool f64, void *array, size_t i, double value)
{
    if (f64)
        ((double *)array)[i] = value;
    else
        ((ExactNumber *)array)[i] = split(value);
}

double exact_load(bool f64, const void *array, size_t i)
{
    if (f64)
        return ((const double *)array)[i];
    const ExactNumber *number = (const ExactNumber *)array + i;
    return (double)number->hi + (double)number->lo;
}

void exact3_store(bool f64, void *array, size_t i, const double value[3])
{
    if (f64) {
        memcpy((double *)array + 3 * i, value, 3 * sizeof *value);
        return;
    }
    float *pair = (float *)array + 6 * i;
    for (int k = 0; k < 3; ++k) {
        const ExactNumber number = split(value[k]);
        pair[k] = number.hi;
        pair[3 + k] = number.lo;
    }
}

void exact3_load(bool f64, const void *array, size_t i, double value[3])
{
    if (f64) {
        memcpy(value, (const double *)array + 3 * i, 3 * sizeof *value);
        return;
    }
    const float *pair = (const float *)array + 6 * i;
    for (int k = 0; k < 3; ++k)
        value[k] = (double)pair[k] + (double)pair[3 + k];
}
