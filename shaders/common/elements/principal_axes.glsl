// Newton's data of a kind with four corners whose density is a function of the singular values of D x = U diag(s) V^T: the twelve
// numbers of energy_hessian, then U, V^T G_0 .. V^T G_3. element_data and element_data_set are declared before.
#ifndef COMMON_ELEMENTS_PRINCIPAL_AXES_GLSL
#define COMMON_ELEMENTS_PRINCIPAL_AXES_GLSL

#include "common/physics/energy/projected_hessian.glsl"

#define PRINCIPAL_HESSIAN 12
#define PRINCIPAL_AXES 21

/// V^T G_1, V^T G_2, V^T G_3 to element_data_set(at) on; their sum.
real3 principal_shapes(uint at, real v[9], real g[9])
{
    real3 sum = real3(0.0);
    for (uint a = 0u; a < 3u; ++a)
        for (uint j = 0u; j < 3u; ++j) {
            const real turned = g[3u * a] * v[j] + g[3u * a + 1u] * v[3u + j] + g[3u * a + 2u] * v[6u + j];
            element_data_set(at + 3u * a + j, turned);
            sum[j] += turned;
        }
    return sum;
}

/// The axes to element_data_set(at) on.
void principal_axes(uint at, real u[9], real v[9], real g[9])
{
    for (uint k = 0u; k < 9u; ++k)
        element_data_set(at + k, u[k]);
    const real3 sum = principal_shapes(at + 12u, v, g);
    for (uint j = 0u; j < 3u; ++j)
        element_data_set(at + 9u + j, -sum[j]);
}

/// V^T G of a corner, of the data at `at`.
real3 principal_shape(uint at, uint corner)
{
    const uint place = at + PRINCIPAL_HESSIAN + 9u + 3u * corner;
    return real3(element_data(place), element_data(place + 1u), element_data(place + 2u));
}

void principal_block(uint at, uint row, uint column, out real block[9])
{
    real hessian[12], u[9];
    for (uint k = 0u; k < 12u; ++k)
        hessian[k] = element_data(at + k);
    for (uint k = 0u; k < 9u; ++k)
        u[k] = element_data(at + PRINCIPAL_HESSIAN + k);
    hessian_block(hessian, u, principal_shape(at, row), principal_shape(at, column), block);
}

#endif
