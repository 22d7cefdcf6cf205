// Elements: their matrices and corners. Arrays run over elements first, so that neighbours read neighbours.
#ifndef COMMON_TETS_GLSL
#define COMMON_TETS_GLSL

#include "common/real.glsl"

/// Corner forces T G_a, row by row of the 3x3 matrix T; G_0 = -(G_1 + G_2 + G_3).
void corner_forces_of(real t[9], real g[9], out real3 force[4])
{
    force[0] = real3(0.0);
    for (int a = 1; a < 4; ++a) {
        const int row = 3 * (a - 1);
        for (int i = 0; i < 3; ++i)
            force[a][i] = t[3 * i] * g[row] + t[3 * i + 1] * g[row + 1] + t[3 * i + 2] * g[row + 2];
        force[0] -= force[a];
    }
}

/// F_ij = sum_a (x_a - x_0)_i G_aj from the edges d_a = x_a - x_0.
void gradient_of(real3 d1, real3 d2, real3 d3, real g[9], out real f[9])
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            f[3 * i + j] = d1[i] * g[j] + d2[i] * g[3 + j] + d3[i] * g[6 + j];
}

/// U diag(s) V^T, row-major.
void compose(real u[9], real s[3], real v[9], out real m[9])
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            m[3 * i + j] = u[3 * i] * s[0] * v[3 * j] + u[3 * i + 1] * s[1] * v[3 * j + 1] +
                           u[3 * i + 2] * s[2] * v[3 * j + 2];
}

#endif
