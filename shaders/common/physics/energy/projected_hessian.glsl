// First Piola stress and the Hessian d2 psi/dF2 with Smith's projection; twin of src/physics/energy/projected_hessian.h.
// The 9x9 matrix is not formed (81 numbers are too many for one invocation): hessian_apply multiplies by it.
#ifndef COMMON_PHYSICS_ENERGY_PROJECTED_HESSIAN_GLSL
#define COMMON_PHYSICS_ENERGY_PROJECTED_HESSIAN_GLSL

#include "common/eigen3.glsl"
#include "common/physics/energy/energy_hessian.glsl"
#include "common/real.glsl"

/// P = U diag(stress) V^T, Pa.
void piola_stress(real u[9], real stress[3], real v[9], out real p[9])
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            p[3 * i + j] = u[3 * i] * stress[0] * v[3 * j] + u[3 * i + 1] * stress[1] * v[3 * j + 1] +
                           u[3 * i + 2] * stress[2] * v[3 * j + 2];
}

/// The twelve numbers of energy_hessian with negative eigenvalues set to 0.
void energy_hessian_project(inout real hessian[12])
{
    real upper[6], values[3], vectors[9];
    for (int k = 0; k < 6; ++k)
        upper[k] = hessian[k];
    eigen3(upper, values, vectors);
    for (int k = 0; k < 6; ++k) {
        const int a = k < 3 ? k : k == 5 ? 1 : 0, b = k < 3 ? k : k == 3 ? 1 : 2;
        hessian[k] = real(0);
        for (int i = 0; i < 3; ++i)
            hessian[k] += vectors[3 * a + i] * max(values[i], real(0)) * vectors[3 * b + i];
    }
    for (int k = ENERGY_HESSIAN_TWIST; k < ENERGY_HESSIAN_SIZE; ++k)
        hessian[k] = max(hessian[k], real(0));
}

/// result = (d2 psi/dF2) direction, both row-major 3x3, from the twelve numbers of energy_hessian, projected or not.
void hessian_apply(real hessian[12], real u[9], real v[9], real direction[9], out real result[9])
{
    // In the basis of the singular vectors, W = U^T direction V: the diagonal meets the block, each pair W_ij, W_ji a
    // twist and a flip.
    real half_way[9], w[9], image[9];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            half_way[3 * i + j] = u[i] * direction[j] + u[3 + i] * direction[3 + j] + u[6 + i] * direction[6 + j];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            w[3 * i + j] = half_way[3 * i] * v[j] + half_way[3 * i + 1] * v[3 + j] + half_way[3 * i + 2] * v[6 + j];
    image[0] = hessian[0] * w[0] + hessian[3] * w[4] + hessian[4] * w[8];
    image[4] = hessian[3] * w[0] + hessian[1] * w[4] + hessian[5] * w[8];
    image[8] = hessian[4] * w[0] + hessian[5] * w[4] + hessian[2] * w[8];
    for (int pair = 0; pair < 3; ++pair) {
        const int i = pair == 2 ? 1 : 0, j = pair == 0 ? 1 : 2;
        const real twist = 0.5 * hessian[ENERGY_HESSIAN_TWIST + pair] * (w[3 * i + j] - w[3 * j + i]);
        const real flip = 0.5 * hessian[ENERGY_HESSIAN_FLIP + pair] * (w[3 * i + j] + w[3 * j + i]);
        image[3 * i + j] = flip + twist;
        image[3 * j + i] = flip - twist;
    }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            half_way[3 * i + j] = u[3 * i] * image[j] + u[3 * i + 1] * image[3 + j] + u[3 * i + 2] * image[6 + j];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            result[3 * i + j] =
                half_way[3 * i] * v[3 * j] + half_way[3 * i + 1] * v[3 * j + 1] + half_way[3 * i + 2] * v[3 * j + 2];
}

#endif
