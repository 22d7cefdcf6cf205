// First Piola stress and the Hessian d2 psi/dF2 with Smith's projection; twin of src/physics/energy/projected_hessian.h.
// The 9x9 matrix is not formed (81 numbers are too many for one invocation): hessian_block makes a block of the element's.
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

/// Whether a symmetric matrix (00 11 22 01 02 12) is positive definite: its leading minors are positive.
bool hessian_is_positive(real m[6])
{
    const real minor = m[0] * m[1] - m[3] * m[3];
    const real det = m[2] * minor - m[5] * (m[0] * m[5] - m[3] * m[4]) + m[4] * (m[3] * m[5] - m[1] * m[4]);
    return m[0] > real(0) && minor > real(0) && det > real(0);
}

/// The twelve numbers of energy_hessian with negative eigenvalues set to 0. A block without them stays as it is.
void energy_hessian_project(inout real hessian[12])
{
    real upper[6], values[3], vectors[9];
    for (int k = 0; k < 6; ++k)
        upper[k] = hessian[k];
    if (!hessian_is_positive(upper)) {
        eigen3(upper, values, vectors);
        for (int k = 0; k < 6; ++k) {
            const int a = k < 3 ? k : k == 5 ? 1 : 0, b = k < 3 ? k : k == 3 ? 1 : 2;
            hessian[k] = real(0);
            for (int i = 0; i < 3; ++i)
                hessian[k] += vectors[3 * a + i] * max(values[i], real(0)) * vectors[3 * b + i];
        }
    }
    for (int k = ENERGY_HESSIAN_TWIST; k < ENERGY_HESSIAN_SIZE; ++k)
        hessian[k] = max(hessian[k], real(0));
}

/// block_ik = sum_jl G_aj (d2 psi/dF_ij dF_kl) G_bl from the numbers of psi'' in the axes U and V: psi_ik on (ii)(kk), 00 11 22 01
/// 02 12, then of every pair what is on (ik)(ik), (ki)(ki) and (ik)(ki). Shape gradients of the two corners in the basis of V, ga =
/// V^T G_a.
void axes_block(real psi[15], real u[9], real3 ga, real3 gb, out real block[9])
{
    real turned[9], half_way[9];
    for (int i = 0; i < 3; ++i)
        turned[4 * i] = psi[i] * ga[i] * gb[i];
    for (int pair = 0; pair < 3; ++pair) {
        const int i = pair == 2 ? 1 : 0, k = pair == 0 ? 1 : 2;
        const real ahead = psi[6 + 3 * pair], behind = psi[7 + 3 * pair], crossed = psi[8 + 3 * pair];
        turned[4 * i] += ahead * ga[k] * gb[k];
        turned[4 * k] += behind * ga[i] * gb[i];
        turned[3 * i + k] = psi[3 + pair] * ga[i] * gb[k] + crossed * ga[k] * gb[i];
        turned[3 * k + i] = psi[3 + pair] * ga[k] * gb[i] + crossed * ga[i] * gb[k];
    }
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            half_way[3 * i + k] = u[3 * i] * turned[k] + u[3 * i + 1] * turned[3 + k] + u[3 * i + 2] * turned[6 + k];
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            block[3 * i + k] =
                half_way[3 * i] * u[3 * k] + half_way[3 * i + 1] * u[3 * k + 1] + half_way[3 * i + 2] * u[3 * k + 2];
}

/// Those numbers from the twelve of energy_hessian, projected or not: (flip + twist)/2 on (ik)(ik) and (ki)(ki), (flip - twist)/2 on
/// (ik)(ki).
void hessian_in_axes(real hessian[12], out real psi[15])
{
    for (int k = 0; k < 6; ++k)
        psi[k] = hessian[k];
    for (int pair = 0; pair < 3; ++pair) {
        const real twist = hessian[ENERGY_HESSIAN_TWIST + pair], flip = hessian[ENERGY_HESSIAN_FLIP + pair];
        psi[6 + 3 * pair] = psi[7 + 3 * pair] = 0.5 * (flip + twist);
        psi[8 + 3 * pair] = 0.5 * (flip - twist);
    }
}

/// The block from the twelve numbers.
void hessian_block(real hessian[12], real u[9], real3 ga, real3 gb, out real block[9])
{
    real psi[15];
    hessian_in_axes(hessian, psi);
    axes_block(psi, u, ga, gb, block);
}

#endif
