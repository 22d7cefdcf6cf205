// The small least squares of Anderson acceleration, by one invocation. Declare the buffer `scalars` before.
#ifndef COMMON_ANDERSON_GLSL
#define COMMON_ANDERSON_GLSL

#include "abi/admm.h"
#include "abi/scalars.h"
#include "common/real.glsl"

// Shared memory although one invocation works: arrays of its own, indexed as these are, would live in slow memory.
shared real anderson_right[HISTORY_MOST], anderson_lower[HISTORY_MOST * HISTORY_MOST], anderson_y[HISTORY_MOST],
    anderson_weights[HISTORY_MOST];
shared bool anderson_used[HISTORY_MOST];

real gram(uint i, uint j)
{
    return scalars[SCALAR_GRAM + HISTORY_MOST * i + j];
}

/// Solves the normal equations G w = anderson_right by Cholesky. Differences that add nothing new beyond the floor of their
/// size get the weight 0.
void solve_weights(uint n)
{
    for (uint i = 0u; i < n; ++i) {
        real pivot = gram(i, i);
        for (uint j = 0u; j < i; ++j) {
            anderson_lower[HISTORY_MOST * i + j] = real(0.0);
            if (!anderson_used[j])
                continue;
            real entry = gram(i, j);
            for (uint k = 0u; k < j; ++k)
                entry -= anderson_lower[HISTORY_MOST * i + k] * anderson_lower[HISTORY_MOST * j + k];
            entry /= anderson_lower[HISTORY_MOST * j + j];
            anderson_lower[HISTORY_MOST * i + j] = entry;
            pivot -= entry * entry;
        }
        anderson_used[i] = pivot > scalars[SCALAR_GRAM_FLOOR] * gram(i, i);
        anderson_y[i] = real(0.0);
        if (!anderson_used[i]) {
            for (uint j = 0u; j <= i; ++j)
                anderson_lower[HISTORY_MOST * i + j] = real(0.0);
            continue;
        }
        anderson_lower[HISTORY_MOST * i + i] = sqrt(pivot);
        anderson_y[i] = anderson_right[i];
        for (uint k = 0u; k < i; ++k)
            anderson_y[i] -= anderson_lower[HISTORY_MOST * i + k] * anderson_y[k];
        anderson_y[i] /= anderson_lower[HISTORY_MOST * i + i];
    }
    for (uint i = n; i-- > 0u;) {
        anderson_weights[i] = real(0.0);
        if (!anderson_used[i])
            continue;
        real sum = anderson_y[i];
        for (uint k = i + 1u; k < n; ++k)
            sum -= anderson_lower[HISTORY_MOST * k + i] * anderson_weights[k];
        anderson_weights[i] = sum / anderson_lower[HISTORY_MOST * i + i];
    }
    for (uint i = 0u; i < n; ++i)
        scalars[SCALAR_WEIGHTS + i] = anderson_weights[i];
}

#endif
