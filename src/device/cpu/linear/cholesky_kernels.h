/// The rows of a Cholesky factor, for the table of kernels.
#ifndef DEVICE_CPU_LINEAR_CHOLESKY_KERNELS_H
#define DEVICE_CPU_LINEAR_CHOLESKY_KERNELS_H

#include "device/cpu/linear/cholesky.h"

#include <float.h>

enum { ROWS_TOGETHER = 4 };

// Writes rows first to first + count - 1 of the matrix to x, and puts the columns below `first` in which the factor's rows have entries on
// the stack, children before their parents. Returns where on the stack they begin; it ends before place `first`.
static inline int32_t cholesky_pattern(const Cholesky *cholesky, int32_t base, int32_t first, int32_t count)
{
    const CholeskyPlan *plan = cholesky->plan;
    const SymmetricRows *matrix = cholesky->matrix;
    uint8_t *rows_with = cholesky->rows_with;
    int32_t top = first;
    for (int32_t r = 0; r < count; ++r) {
        const int32_t row = plan->order[first + r];
        const uint8_t bit = (uint8_t)(1 << r);
        for (int64_t p = matrix->start[row]; p < matrix->start[row + 1]; ++p) {
            int32_t i = plan->places[matrix->columns[p]], length = 0;
            if (i > first + r)
                continue;
            cholesky->factor->x[i][r] += matrix->values[p];
            for (; i < first && rows_with[i] == 0; i = plan->parent[i]) {
                rows_with[i] = bit;
                cholesky->path[base + length++] = i;
            }
            while (length > 0)
                cholesky->stack[--top] = cholesky->path[base + --length];
            for (; i < first + r && !(rows_with[i] & bit); i = plan->parent[i])
                rows_with[i] |= bit;
        }
    }
    return top;
}

// Appends the rows' entries to a column.
static inline void cholesky_append(const Cholesky *cholesky, int32_t column, int32_t first, int32_t count,
                                   const Quad *entries)
{
    Factor *factor = cholesky->factor;
    int64_t next = cholesky->next[column];
    for (int32_t r = 0; r < count; ++r)
        if (cholesky->rows_with[column] >> r & 1) {
            factor->rows[next] = first + r;
            factor->values[next++] = (*entries)[r];
        }
    cholesky->next[column] = next;
    cholesky->rows_with[column] = 0;
}

// Rows first to first + count - 1, which follow one another in the tree; false: not positive definite.
static inline bool cholesky_group(const Cholesky *cholesky, int32_t base, int32_t first, int32_t count)
{
    Factor *factor = cholesky->factor;
    Quad *x = factor->x, block[ROWS_TOGETHER];
    const int32_t top = cholesky_pattern(cholesky, base, first, count);
    for (int32_t c = 0; c < ROWS_TOGETHER; ++c) {
        block[c] = c < count ? x[first + c] : (Quad){0};
        if (c < count)
            x[first + c] = (Quad){0};
    }
    for (int32_t s = top; s < first; ++s) {
        const int32_t column = cholesky->stack[s];
        const Quad y = x[column], entries = y * factor->diagonal[column];
        const int64_t end = cholesky->next[column];
        x[column] = (Quad){0};
        for (int64_t p = factor->start[column]; p < end; ++p)
            x[factor->rows[p]] -= factor->values[p] * y;
        for (int32_t c = 0; c < ROWS_TOGETHER; ++c)
            block[c] -= entries * y[c];
        cholesky_append(cholesky, column, first, count, &entries);
    }
    for (int32_t c = 0; c < count; ++c) {
        const double pivot = block[c][c];
        if (!(pivot > 0 && pivot <= DBL_MAX))
            return false;
        factor->diagonal[first + c] = 1 / pivot;
        const Quad entries = block[c] * factor->diagonal[first + c];
        for (int32_t k = c + 1; k < count; ++k)
            block[k] -= entries * block[c][k];
        cholesky_append(cholesky, first + c, first, count, &entries);
    }
    return true;
}

// The factor's rows first <= k < end. Walks stay in the places from `base` on.
static inline bool cholesky_rows(const Cholesky *cholesky, int32_t base, int32_t first, int32_t end)
{
    for (int32_t k = first, count; k < end; k += count) {
        for (count = 1;
             count < ROWS_TOGETHER && k + count < end && cholesky->plan->parent[k + count - 1] == k + count;)
            ++count;
        if (!cholesky_group(cholesky, base, k, count))
            return false;
    }
    return true;
}

#endif
