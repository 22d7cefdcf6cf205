#include "device/cpu/linear/factor_solve.h"

#include <string.h>

/// Factors with fewer entries are solved by one thread: a parallel region costs more than it gains.
enum { ENTRIES_FOR_THREADS = 100000 };

void factor_solve(Factor *factor, const Kernels *kernels, int threads, int rhs, double *right)
{
    const int32_t top_count = factor->top_count;
    if (factor->start[factor->count] < ENTRIES_FOR_THREADS)
        threads = 1;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int32_t k = 0; k < factor->subtree_count; ++k) {
        const Subtree *subtree = &factor->subtrees[k];
        Quad *part = factor->top_parts + (size_t)k * (size_t)top_count;
        memset(part, 0, (size_t)top_count * sizeof *part);
        for (int32_t j = subtree->first; j < subtree->end; ++j) {
            Quad b = {0};
            for (int r = 0; r < rhs; ++r)
                b[r] = right[4 * (size_t)factor->permutation[j] + (size_t)r];
            factor->x[j] = b;
        }
        kernels->forward(factor, subtree->first, subtree->end, part);
    }
    for (int32_t t = 0; t < top_count; ++t) {
        const double *b = right + 4 * (size_t)factor->permutation[factor->top_columns[t]];
        Quad sum = {0};
        for (int r = 0; r < rhs; ++r)
            sum[r] = b[r];
        for (int32_t k = 0; k < factor->subtree_count; ++k)
            sum += factor->top_parts[(size_t)k * (size_t)top_count + (size_t)t];
        factor->top[t] = sum;
    }
    kernels->top(factor);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int32_t k = 0; k < factor->subtree_count; ++k) {
        const Subtree *subtree = &factor->subtrees[k];
        kernels->backward(factor, subtree->first, subtree->end);
        for (int32_t j = subtree->first; j < subtree->end; ++j)
            for (int r = 0; r < rhs; ++r)
                right[4 * (size_t)factor->permutation[j] + (size_t)r] = factor->x[j][r];
    }
    for (int32_t t = 0; t < top_count; ++t)
        for (int r = 0; r < rhs; ++r)
            right[4 * (size_t)factor->permutation[factor->top_columns[t]] + (size_t)r] = factor->top[t][r];
}
