/// The triangular solves of the global step, for the table of kernels.
#ifndef DEVICE_CPU_LINEAR_TRIANGULAR_KERNELS_H
#define DEVICE_CPU_LINEAR_TRIANGULAR_KERNELS_H

#include "device/cpu/linear/factor.h"

// L x = b over the columns of a subtree; what they take from the top is subtracted from `part`.
static inline void triangular_forward(Factor *factor, int32_t first, int32_t end, Quad *part)
{
    for (int32_t j = first; j < end; ++j) {
        const Quad x = factor->x[j];
        const int64_t split = factor->split[j], last = factor->start[j + 1];
        for (int64_t p = factor->start[j]; p < split; ++p)
            factor->x[factor->rows[p]] -= factor->values[p] * x;
        for (int64_t p = split; p < last; ++p)
            part[factor->rows[p]] -= factor->values[p] * x;
    }
}

// Both solves and the division by D for the columns of the top.
static inline void triangular_top(Factor *factor)
{
    Quad *top = factor->top;
    for (int32_t t = 0; t < factor->top_count; ++t) {
        const int32_t j = factor->top_columns[t];
        const Quad x = top[t];
        for (int64_t p = factor->start[j]; p < factor->start[j + 1]; ++p)
            top[factor->rows[p]] -= factor->values[p] * x;
    }
    for (int32_t t = factor->top_count - 1; t >= 0; --t) {
        const int32_t j = factor->top_columns[t];
        Quad x = top[t] * factor->diagonal[j];
        for (int64_t p = factor->start[j]; p < factor->start[j + 1]; ++p)
            x -= factor->values[p] * top[factor->rows[p]];
        top[t] = x;
    }
}

// Division by D and L^T x = y over the columns of a subtree, the top being solved.
static inline void triangular_backward(Factor *factor, int32_t first, int32_t end)
{
    for (int32_t j = end - 1; j >= first; --j) {
        const int64_t split = factor->split[j], last = factor->start[j + 1];
        Quad x = factor->x[j] * factor->diagonal[j];
        for (int64_t p = factor->start[j]; p < split; ++p)
            x -= factor->values[p] * factor->x[factor->rows[p]];
        for (int64_t p = split; p < last; ++p)
            x -= factor->values[p] * factor->top[factor->rows[p]];
        factor->x[j] = x;
    }
}

#endif
