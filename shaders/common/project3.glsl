// Symmetric 3x3 matrices made positive semidefinite.
#ifndef COMMON_PROJECT3_GLSL
#define COMMON_PROJECT3_GLSL

#include "common/eigen3.glsl"

/// The nearest matrix without negative eigenvalues, 00 11 22 01 02 12.
void project3(inout real upper[6])
{
    real values[3], vectors[9];
    eigen3(upper, values, vectors);
    for (int k = 0; k < 6; ++k) {
        const int row = k < 3 ? k : k == 5 ? 1 : 0, column = k < 3 ? k : k == 3 ? 1 : 2;
        upper[k] = real(0.0);
        for (int v = 0; v < 3; ++v)
            upper[k] += max(values[v], real(0.0)) * vectors[3 * row + v] * vectors[3 * column + v];
    }
}

#endif
