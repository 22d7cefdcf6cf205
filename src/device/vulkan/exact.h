/// Numbers as they lie in buffers: reals (float or double) and exact ones (float-float or double).
#ifndef DEVICE_VULKAN_EXACT_H
#define DEVICE_VULKAN_EXACT_H

#include "base/context.h"

#include <stdbool.h>
#include <stddef.h>

static inline size_t real_size(bool f64)
{
    return f64 ? sizeof(double) : sizeof(float);
}

/// Element `i` of an array of reals.
static inline void real_store(bool f64, void *array, size_t i, double value)
{
    if (f64)
        ((double *)array)[i] = value;
    else
        ((float *)array)[i] = (float)value;
}

static inline double real_load(bool f64, const void *array, size_t i)
{
    return f64 ? ((const double *)array)[i] : (double)((const float *)array)[i];
}

/// Exact numbers are a double or a pair of floats, 8 bytes.
typedef struct ExactNumber {
    float hi, lo;
} ExactNumber;

void exact_store(bool f64, void *array, size_t i, double value);
double exact_load(bool f64, const void *array, size_t i);
/// Exact3: three doubles, or three high parts and three low ones.
void exact3_store(bool f64, void *array, size_t i, const double value[3]);
void exact3_load(bool f64, const void *array, size_t i, double value[3]);

#endif
