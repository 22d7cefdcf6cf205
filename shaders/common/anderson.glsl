// The small least squares of Anderson acceleration, by one invocation. Declare the buffer `scalars` before.
#ifndef COMMON_ANDERSON_GLSL
#define COMMON_ANDERSON_GLSL

#include "common/real.glsl"

real gram(uint i, uint j)
{
    return scalars[SCALAR_GRAM + HISTORY_MOST * i + j];
}

/// Solves the normal equations G w = b by Cholesky. Differences that add nothing new beyond the floor of their size get
/// the weight 0.
void solve_weights(uint n, real b[HISTORY_MOST])
{
    real lower[HISTORY_MOST * HISTORY_MOST], y[HISTORY_MOST], weights[HISTORY_MOST];
    bool used[HISTORY_MOST];
    for (uint i = 0u; i < n; ++i) {
        real pivot = gram(i, i);
        for (uint j = 0u; j < i; ++j) {
            lower[HISTORY_MOST * i + j] = real(0.0);
            if (!used[j])
                continue;
            real entry = gram(i, j);
            for (uint k = 0u; k < j; ++k)
                entry -= lower[HISTORY_MOST * i + k] * lower[HISTORY_MOST * j + k];
            entry /= lower[HISTORY_MOST * j + j];
            lower[HISTORY_MOST * i + j] = entry;
            pivot -= entry * entry;
        }
        used[i] = pivot > scalars[SCALAR_GRAM_FLOOR] * gram(i, i);
        y[i] = real(0.0);
        if (!used[i]) {
            for (uint j = 0u; j <= i; ++j)
                lower[HISTORY_MOST * i + j] = real(0.0);
            continue;
        }
        lower[HISTORY_MOST * i + i] = sqrt(pivot);
        y[i] = b[i];
        for (uint k = 0u; k < i; ++k)
            y[i] -= lower[HISTORY_MOST * i + k] * y[k];
        y[i] /= lower[HISTORY_MOST * i + i];
    }
    for (uint i = n; i-- > 0u;) {
        weights[i] = real(0.0);
        if (!used[i])
            continue;
        real sum = y[i];
        for (uint k = i + 1u; k < n; ++k)
            sum -= lower[HISTORY_MOST * k + i] * weights[k];
        weights[i] = sum / lower[HISTORY_MOST * i + i];
    }
    for (uint i = 0u; i < n; ++i)
        scalars[SCALAR_WEIGHTS + i] = weights[i];
}

#endif
